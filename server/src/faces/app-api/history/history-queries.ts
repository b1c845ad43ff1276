import type { Db } from '../../../kernel/database/index.ts'
import type { Caused } from '../live/change.ts'
import { keyName, names } from '../live/queries.ts'

export interface VersionEvent extends Caused {
  versionNumber: number
  runId: string | null
  restoredVersion: number | null
}

/** The event that wrote each version. What was typed into a version later has the same author. */
export const listVersionEvents = (db: Db, projectId: string, kind: string, documentId: string) => db<VersionEvent[]>`
  select coalesce((e.payload->>'version_number')::int, 1) as "versionNumber",
    (e.payload->>'restored_version_number')::int as "restoredVersion", ar.id as "runId", e.origin,
    e.user_id as "userId", u.name as "userName", e.key_id as "keyId", ${keyName(db)} as "keyName",
    a.id as "automationId", a.name as "automationName"
  from events e
  ${names(db)}
  where e.project_id = ${projectId} and e.subject_id = ${documentId}
    and e.kind in (${`${kind}.created`}, ${`${kind}.updated`}) and not e.payload ? 'folded'
    and (e.kind = ${`${kind}.created`} or e.payload ? 'version_number')
  order by e.id`
