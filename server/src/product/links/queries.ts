import { type Db, json, listOf, type Tx } from '../../kernel/database/index.ts'
import type { Link, ResourceType } from './link.ts'

/** A complete statement or part of a larger one. */
export const registerResources = (db: Db, projectId: string, type: ResourceType, ids: string[]) => db`
  insert into resources (project_id, id, resource_type)
  select ${projectId}, id, ${type} from unnest(${ids}::uuid[]) as id`

/**
 * The links of `owner` in a statement, for `linksIn`. Joined strings that are sorted later cost PostgreSQL half as much
 * as ordered JSON. A space would be quoted, which takes longer to read.
 */
export const contextOf = (owner: string) => `
  array(select c.position || '/' || c.to_type || '/' || c.to_id from context_links c
    where c.project_id = ${owner}.project_id and c.from_id = ${owner}.id)`

export function linksIn(context: string[]): Link[] {
  if (context.length === 0) return []
  const placed = context.map((text) => {
    const [position, resourceType, resourceId] = text.split('/') as [string, ResourceType, string]
    return { position: Number(position), link: { resourceType, resourceId } }
  })
  return placed.sort((one, other) => one.position - other.position).map(({ link }) => link)
}

/**
 * Every transaction that changes connections, or deletes something that can be connected, takes this lock first. A link
 * has two ends, and two writers that start from different ends would deadlock.
 */
export const lockLinks = (db: Tx, projectId: string) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`links ${projectId}`}, 0))`

/** Also deletes every link from and to them. Call it after deleting the resources. */
export async function removeResources(db: Db, projectId: string, ids: string[]): Promise<void> {
  await db`delete from resources where project_id = ${projectId} and id = any(${ids}::uuid[])`
}

/** Returns the types of those that exist in the project, locked against deletion until the transaction ends. */
export const findResources = (db: Db, projectId: string, ids: string[]) =>
  db<{ id: string; resource_type: ResourceType }[]>`
    select id, resource_type from resources where project_id = ${projectId} and id = any(${listOf(ids, 'uuid')})
    order by id for key share`.map((rows) => new Map(rows.map((row) => [row.id, row.resource_type])))

export interface ContextFault {
  /** The position in the list that was sent. */
  index: number
  detail: string
}

/** Lists the faults of the links that someone sent for `ownerId`, given what exists. */
export function checkContext(links: Link[], known: Map<string, ResourceType>, ownerId?: string): ContextFault[] {
  const faults: ContextFault[] = []
  for (const [index, { resourceType, resourceId }] of links.entries()) {
    const type = known.get(resourceId.toLowerCase())
    if (resourceId.toLowerCase() === ownerId) faults.push({ index, detail: 'Something cannot be connected to itself.' })
    else if (!type) faults.push({ index, detail: `There is no ${resourceType} "${resourceId}" in this project.` })
    else if (type !== resourceType)
      faults.push({ index, detail: `"${resourceId}" is a ${type}, not a ${resourceType}.` })
  }
  return faults
}

export const deleteLinksOf = (db: Db, projectId: string, ownerIds: string[]) => db`delete from context_links
  where project_id = ${projectId} and (from_id = any(${ownerIds}::uuid[]) or to_id = any(${ownerIds}::uuid[]))`

/** Returns whether they were connected. */
export async function disconnectResources(db: Db, projectId: string, one: string, other: string): Promise<boolean> {
  const changed = await db`delete from context_links where project_id = ${projectId}
    and ((from_id = ${one} and to_id = ${other}) or (from_id = ${other} and to_id = ${one})) returning 1`
  return changed.length > 0
}

interface NewLink {
  owner_id: string
  owner_type: ResourceType
  other_id: string
  other_type: ResourceType
}

/** Writes both directions and keeps the given order for the owners, even if they are connected to each other. */
export const insertLinks = (db: Db, projectId: string, links: NewLink[]) =>
  db`
    insert into context_links (project_id, from_id, to_id, to_type)
    select ${projectId}, r.from_id, r.to_id, r.to_type
    from rows from (jsonb_to_recordset(${json(links)})
      as (owner_id uuid, owner_type text, other_id uuid, other_type text)) with ordinality
      as l (owner_id, owner_type, other_id, other_type, position)
    cross join lateral (values (1, l.owner_id, l.other_id, l.other_type), (2, l.other_id, l.owner_id, l.owner_type))
      as r (direction, from_id, to_id, to_type)
    order by r.direction, l.position
    on conflict do nothing`

/** A document at one end of a link, and the version that someone has compared with the other end. */
export interface ConfirmedVersion {
  documentId: string
  versionNumber: number
}

interface Confirmation {
  ends: [string, string]
  versions: ConfirmedVersion[]
  userId: string | null
  /** Also goes back to an older version than the noted one. */
  restore?: boolean
}

/** Notes with which versions of its documents a link holds. */
export async function confirmVersions(
  db: Db,
  projectId: string,
  { ends: [one, other], versions, userId, restore = false }: Confirmation,
): Promise<void> {
  const rows = versions.map(({ documentId, versionNumber }) => ({
    from_id: documentId === one ? other : one,
    to_id: documentId,
    version_number: versionNumber,
  }))
  await db`
    update link_confirmations c set confirmed_at = now(), confirmed_by = ${userId},
      version_number = case when ${restore} then r.version_number else greatest(c.version_number, r.version_number) end
    from jsonb_to_recordset(${json(rows)}) as r (from_id uuid, to_id uuid, version_number int)
    where c.project_id = ${projectId} and c.from_id = r.from_id and c.to_id = r.to_id`
}
