import type { Db } from '../kernel/database.ts'
import { isUuid } from '../kernel/http/validation.ts'
import type { JobDeps } from '../kernel/slice.ts'
import type { Change } from './agent.ts'
import { listChanges } from './changes.ts'
import { requestIdOf } from './turn.ts'

/** The run that something was done for, by the name under which it was done; also when a subagent did it. */
export async function findRunOfRequest(db: Db, projectId: string, requestId: string): Promise<string | undefined> {
  const turnId = requestId.replace(/^turn-/, '')
  if (turnId === requestId || !isUuid(turnId)) return undefined
  // A run is the first turn of its conversation; what people say there later is their own doing.
  const [row] = await db<{ runId: string | null }[]>`
    select coalesce(c.run_id, p.run_id) as "runId" from conversation_events e
    join conversations c on c.project_id = e.project_id and c.id = e.conversation_id
    left join conversations p on p.project_id = c.project_id and p.id = c.parent_id
    where e.project_id = ${projectId} and e.turn_id = ${turnId} and e.number = 1`
  return row?.runId ?? undefined
}

/** The conversation of a run, and what it has changed so far with its subagents; for runs that never came to an end. */
export async function findWorkOfRun(
  { db, wiring }: JobDeps,
  projectId: string,
  runId: string,
): Promise<{ conversationId: string; changes: Change[] } | undefined> {
  const turns = await db<{ id: string; conversationId: string; turnId: string }[]>`
    select r.id, c.id as "conversationId", e.turn_id as "turnId" from conversations r
    join conversations c on c.project_id = r.project_id and (c.id = r.id or c.parent_id = r.id)
    join conversation_events e on e.project_id = c.project_id and e.conversation_id = c.id and e.number = 1
    where r.project_id = ${projectId} and r.run_id = ${runId} order by c.created_at`
  if (turns.length === 0) return undefined
  const changes: Change[] = []
  for (const turn of turns)
    changes.push(...(await listChanges(db, wiring, projectId, requestIdOf({ projectId, ...turn }))))
  return { conversationId: turns[0]!.id, changes }
}
