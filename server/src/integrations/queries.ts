import type { Db } from '../kernel/database.ts'
import type { Integration } from './integration.ts'

export const listConnected = (db: Db, projectId: string, ownerId: string) => db<Integration[]>`
  select id, display_name as "displayName" from integrations
  where project_id = ${projectId} and owner_id = ${ownerId} and removed_at is null
  order by lower(display_name), id`

export const findIntegrations = (db: Db, projectId: string, ids: string[]) => db<
  (Integration & { isConnected: boolean })[]
>`select id, display_name as "displayName", removed_at is null as "isConnected" from integrations
  where project_id = ${projectId} and id = any(${ids}::text[]) order by array_position(${ids}::text[], id)`
