import type { Db } from '../../kernel/database/index.ts'
import type { Wiring } from '../../kernel/slice.ts'

export interface Change {
  action: string
  resourceType: string
  resourceId: string
  title: string
}

interface EventRow {
  kind: string
  subjectType: string
  subjectId: string
  title: string | null
}

/** Reads from the event log what was changed under a request id. Lists each resource once for each kind of change. */
export async function listChanges(db: Db, wiring: Wiring, projectId: string, requestId: string): Promise<Change[]> {
  const rows = await db<EventRow[]>`
    select kind, subject_type as "subjectType", subject_id as "subjectId", payload->>'title' as title
    from events where project_id = ${projectId} and request_id = ${requestId} and origin in ('agent', 'automation')
    order by id limit 10000`
  const titles = await titlesOf(db, wiring, projectId, rows)
  const changes = new Map<string, Change>()
  for (const { kind, subjectType, subjectId, title } of rows) {
    const action = kind.slice(kind.indexOf('.') + 1)
    const key = `${action} ${subjectId}`
    if (!changes.has(key))
      changes.set(key, {
        action,
        resourceType: subjectType,
        resourceId: subjectId,
        title: titles.get(subjectId) ?? title ?? '',
      })
  }
  return [...changes.values()]
}

/** Current titles; for deleted resources, the last one. */
async function titlesOf(db: Db, wiring: Wiring, projectId: string, rows: EventRow[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const row of rows) if (row.title !== null) titles.set(row.subjectId, row.title)
  for (const [type, read] of wiring.resources) {
    const ids = [...new Set(rows.filter((row) => row.subjectType === type).map((row) => row.subjectId))]
    if (ids.length > 0) for (const { id, title } of await read(db, projectId, ids)) titles.set(id, title)
  }
  return titles
}
