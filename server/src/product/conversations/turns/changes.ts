import type { Db } from '../../../kernel/database/index.ts'
import type { Wiring } from '../../../kernel/slice.ts'
import { type AgentEvent, listAgentEvents } from '../queries.ts'

export interface Change {
  action: string
  resourceType: string
  resourceId: string
  title: string
}

/** Reads from the event log what was changed under a request id. Lists each resource once for each kind of change. */
export async function listChanges(db: Db, wiring: Wiring, projectId: string, requestId: string): Promise<Change[]> {
  const rows = await listAgentEvents(db, projectId, requestId)
  const titles = await titlesOf(db, wiring, projectId, rows)
  const changes = new Map<string, Change>()
  for (const { kind, subjectType, subjectId, title } of rows) {
    const action = kind.slice(kind.indexOf('.') + 1)
    // Two tools of one integration are two things that were done outside.
    const key = subjectType === 'integration' ? `${action} ${subjectId} ${title}` : `${action} ${subjectId}`
    if (!changes.has(key))
      changes.set(key, {
        action,
        resourceType: subjectType,
        resourceId: subjectId,
        title: (subjectType === 'integration' ? title : titles.get(subjectId)) ?? title ?? '',
      })
  }
  return [...changes.values()]
}

/** Current titles; for deleted resources, the last one. */
async function titlesOf(db: Db, wiring: Wiring, projectId: string, rows: AgentEvent[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const row of rows) if (row.title !== null) titles.set(row.subjectId, row.title)
  for (const [type, read] of wiring.resources) {
    const ids = [...new Set(rows.filter((row) => row.subjectType === type).map((row) => row.subjectId))]
    if (ids.length > 0) for (const { id, title } of await read(db, projectId, ids)) titles.set(id, title)
  }
  return titles
}
