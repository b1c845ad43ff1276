import { type Db, errorCode, inTransaction, json } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { type Run, type RunOutcome, runEnded } from '../runs/run.ts'
import { type RunRow, runColumns, toRun } from '../runs/run-queries.ts'
import { systemCtx } from '../system.ts'

export interface ClaimedRun {
  run: Run
  projectId: string
  organizationId: string
}

/**
 * A run that waits and whose automation has none going on, now this node's; undefined when there is none. Projects take
 * turns: the next run is the oldest one of the project whose last run began longest ago.
 */
export async function claimRun(db: Db, nodeId: string, leaseMs: number): Promise<ClaimedRun | undefined> {
  for (;;) {
    try {
      const [row] = await db<(RunRow & { project_id: string; organization_id: string })[]>`
        update automation_runs r set status = 'running', node_id = ${nodeId}, started_at = now(),
          leased_until = now() + ${leaseMs} * interval '1 millisecond'
        from projects p
        where p.id = r.project_id and (r.project_id, r.id) = (
          select w.project_id, w.id from automation_runs w
          join (
            select q.project_id, (select max(l.started_at) from automation_runs l where l.project_id = q.project_id) as last
            from (select distinct project_id from automation_runs where status = 'scheduled') q
          ) turn on turn.project_id = w.project_id
          where w.status = 'scheduled' and not exists (
            select 1 from automation_runs x
            where x.project_id = w.project_id and x.automation_id = w.automation_id and x.status = 'running')
          order by turn.last nulls first, w.created_at, w.id limit 1 for update of w skip locked)
        returning ${runColumns(db)}, r.project_id, p.organization_id`
      return row && { run: toRun(row), projectId: row.project_id, organizationId: row.organization_id }
    } catch (err) {
      // Another node has just begun a run of the same automation: look for the next.
      if (errorCode(err) !== '23505') throw err
    }
  }
}

/** Says that this node still runs them. What is not in the answer is no longer its own. */
export const renewLeases = (db: Db, nodeId: string, ids: string[], leaseMs: number) => db<
  { id: string; cancelRequested: boolean }[]
>`update automation_runs set leased_until = now() + ${leaseMs} * interval '1 millisecond'
  where node_id = ${nodeId} and status = 'running' and id = any(${ids}::uuid[])
  returning id, cancel_requested_at is not null as "cancelRequested"`

/** Writes down how a run came out, unless it was given up in the meantime. */
export function finishRun(deps: JobDeps, nodeId: string, claimed: ClaimedRun, outcome: RunOutcome): Promise<void> {
  const { run, projectId } = claimed
  return inTransaction({ db: deps.db }, async ({ db }) => {
    const changed = await db`
      update automation_runs set status = ${outcome.status}, error = ${outcome.error}, model = ${outcome.model},
        conversation_id = coalesce(${outcome.conversationId}, conversation_id), input_tokens = ${outcome.inputTokens},
        output_tokens = ${outcome.outputTokens}, changes = ${json(outcome.changes)}, completed_at = now(),
        leased_until = null
      where project_id = ${projectId} and id = ${run.id} and node_id = ${nodeId} and status = 'running' returning 1`
    if (changed.length === 1)
      await recordEvent(systemCtx({ ...deps, db }, claimed, run.id), runEnded(run, outcome.status))
  })
}
