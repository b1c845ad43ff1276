import type { Db } from '../../kernel/database/index.ts'
import type { Connection, Integration } from './integration.ts'

export const listConnected = (db: Db, projectId: string, ownerId: string) => db<Integration[]>`
  select id, display_name as "displayName" from integrations
  where project_id = ${projectId} and owner_id = ${ownerId} and removed_at is null
  order by lower(display_name), id`

/** Returns the granted integrations in the given order, without those that no longer exist. */
export const findIntegrations = (db: Db, projectId: string, ids: string[]) => db<
  (Integration & { isConnected: boolean })[]
>`select id, display_name as "displayName", removed_at is null as "isConnected" from integrations
  where project_id = ${projectId} and id = any(${ids}::text[]) order by array_position(${ids}::text[], id)`

/** Returns those that the owner still has connected, with their credentials. */
export const findConnections = (db: Db, projectId: string, ownerId: string, ids: string[]) => db<Connection[]>`
  select id, display_name as "displayName", url, command_name as "commandName", sealed_token as "sealedToken"
  from integrations
  where project_id = ${projectId} and owner_id = ${ownerId} and removed_at is null and id = any(${ids}::text[])
  order by lower(display_name), id`

/** A new token for one that is connected. */
export async function replaceToken(db: Db, projectId: string, id: string, sealedToken: string | null): Promise<void> {
  await db`update integrations set sealed_token = ${sealedToken}
    where project_id = ${projectId} and id = ${id} and removed_at is null`
}

export async function insertConnection(
  db: Db,
  projectId: string,
  ownerId: string,
  { id, displayName, url, commandName, sealedToken }: Connection,
): Promise<boolean> {
  const changed = await db`
    insert into integrations (project_id, id, owner_id, display_name, url, command_name, sealed_token)
    values (${projectId}, ${id}, ${ownerId}, ${displayName}, ${url}, ${commandName}, ${sealedToken})
    on conflict do nothing returning 1`
  return changed.length === 1
}

/** Deletes the credentials and keeps the name for existing grants. */
export async function markRemoved(
  db: Db,
  projectId: string,
  ownerId: string | null,
  id: string,
): Promise<(Integration & { ownerId: string }) | undefined> {
  const [row] = await db<(Integration & { ownerId: string })[]>`
    update integrations set removed_at = now(), sealed_token = null
    where project_id = ${projectId} and id = ${id} and removed_at is null
      and (${ownerId}::uuid is null or owner_id = ${ownerId})
    returning id, display_name as "displayName", owner_id as "ownerId"`
  return row
}

export const listAll = (db: Db) => db<
  (Integration & { project: string; email: string; url: string | null; commandName: string | null })[]
>`select i.id, i.display_name as "displayName", p.name as project, u.email, i.url, i.command_name as "commandName"
  from integrations i join projects p on p.id = i.project_id join users u on u.id = i.owner_id
  where i.removed_at is null order by p.name, u.email, lower(i.display_name)`

/** Reads a table of `automations`, which this slice must not import. Null if the automation has no owner. */
export async function findAutomationOwner(db: Db, projectId: string, id: string): Promise<string | null | undefined> {
  const [row] = await db<{ ownerId: string | null }[]>`
    select owner_id as "ownerId" from automations where project_id = ${projectId} and id = ${id}`
  return row?.ownerId
}
