import type { Ctx } from '../../kernel/context.ts'
import { type Db, json } from '../../kernel/database/index.ts'
import { mayManage } from '../projects/index.ts'
import type { ForeignTool } from './client.ts'

export interface KnownTool {
  name: string
  description: string
  isReadOnly: boolean
}

/** An integration as people see it: where it is, whether it answered, and what may use it. */
export interface ShownIntegration {
  id: string
  displayName: string
  url: string | null
  commandName: string | null
  hasToken: boolean
  ownerId: string
  ownerName: string
  createdAt: string
  checkedAt: string | null
  fault: string | null
  tools: KnownTool[]
  grants: { id: string; name: string }[]
}

const DESCRIPTION_CHARACTERS = 300

/** Remembers how a call of an integration went. The tools stay as they were if it failed. */
export async function recordHealth(
  db: Db,
  projectId: string,
  id: string,
  outcome: { tools: ForeignTool[] } | { fault: string },
): Promise<void> {
  const fault = 'fault' in outcome ? outcome.fault : null
  const tools =
    'tools' in outcome
      ? json(
          outcome.tools.map(({ name, description, isReadOnly }) => ({
            name,
            description: description.slice(0, DESCRIPTION_CHARACTERS).toWellFormed(),
            isReadOnly,
          })),
        )
      : null
  await db`update integrations set checked_at = now(), fault = ${fault}, tools = coalesce(${tools}::jsonb, tools)
    where project_id = ${projectId} and id = ${id} and removed_at is null`
}

/** Those of the caller; for an admin, those of all members. An address is shown without what follows its path. */
export const listShown = ({ db, actor }: Ctx) => db<ShownIntegration[]>`
  select i.id, i.display_name as "displayName", regexp_replace(i.url, '[?#].*$', '') as url,
    i.command_name as "commandName", i.sealed_token is not null as "hasToken", i.owner_id as "ownerId",
    u.name as "ownerName", i.created_at as "createdAt", i.checked_at as "checkedAt", i.fault, i.tools,
    coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by lower(a.name), a.id)
      from automation_grants g join automations a on a.project_id = g.project_id and a.id = g.automation_id
      where g.project_id = i.project_id and g.integration_id = i.id), '[]') as grants
  from integrations i join users u on u.id = i.owner_id
  where i.project_id = ${actor.projectId} and i.removed_at is null
    and i.owner_id = coalesce(${mayManage(actor) ? null : actor.userId}::uuid, i.owner_id)
  order by lower(i.display_name), i.id limit 500`
