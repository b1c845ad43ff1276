import { type Db, json } from '../../../kernel/database/index.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { Change, Spent } from '../../conversations/index.ts'
import type { TriggerType } from '../automation.ts'
import type { NewRun, RunOutcome } from './run.ts'

/** Returns the new runs. An event starts each automation only once. */
export async function insertRuns(db: Db, projectId: string, runs: NewRun[]) {
  const rows = runs.map((run) => ({
    id: uuidv7(),
    automation_id: run.automationId,
    trigger_type: run.triggerType,
    trigger_id: run.triggerId ?? null,
    scheduled_for: run.scheduledFor ?? null,
    event_id: run.eventId ?? null,
    subject_type: run.subject?.type ?? null,
    subject_id: run.subject?.id ?? null,
    cause: run.cause ?? {},
    lineage: run.lineage ?? [],
    chain_id: run.chainId ?? null,
    chain_depth: run.depth ?? 0,
    bounds: run.bounds ?? null,
    input: run.input ?? null,
    proposes: run.proposes ?? false,
    retry_of: run.retryOf ?? null,
  }))
  const inserted = await db<{ id: string; automationId: string; triggerType: TriggerType }[]>`
    insert into automation_runs (project_id, id, automation_id, status, trigger_type, trigger_id, scheduled_for, event_id,
      subject_type, subject_id, cause, lineage, chain_id, chain_depth, bounds, input, proposes, parallel,
      retry_of, created_at)
    select ${projectId}, r.id, r.automation_id, 'scheduled', r.trigger_type, r.trigger_id, r.scheduled_for, r.event_id,
      r.subject_type, r.subject_id, r.cause, r.lineage, coalesce(r.chain_id, a.chain_id, r.id),
      greatest(r.chain_depth, a.chain_depth), r.bounds, r.input, r.proposes, a.concurrency is not distinct from 'parallel', r.retry_of, now()
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, automation_id uuid, trigger_type text,
      trigger_id uuid, scheduled_for timestamptz, event_id bigint, subject_type text, subject_id uuid, cause jsonb,
      lineage uuid[], chain_id uuid, chain_depth int, bounds jsonb,
      input text, proposes boolean, retry_of uuid)
    join automations a on a.project_id = ${projectId} and a.id = r.automation_id
    on conflict (project_id, automation_id, event_id) where event_id is not null and retry_of is null do nothing
    returning id, automation_id as "automationId", trigger_type as "triggerType"`
  if (inserted.length > 0) await countRuns(db, projectId, inserted)
  return inserted
}

async function countRuns(db: Db, projectId: string, runs: { automationId: string }[]): Promise<void> {
  await db`
    update automations a set run_count = a.run_count + n.runs
    from (select automation_id, count(*)::int as runs
      from unnest(${runs.map((one) => one.automationId)}::uuid[]) as u (automation_id) group by 1) n
    where a.project_id = ${projectId} and a.id = n.automation_id`
}

/** Starts a run that its caller has just scheduled, before a dispatcher can claim it. */
export async function startWaitingRun(db: Db, projectId: string, id: string, nodeId: string): Promise<void> {
  await db`update automation_runs set status = 'running', node_id = ${nodeId}, started_at = now(),
      leased_until = now() + interval '10 minutes'
    where project_id = ${projectId} and id = ${id} and status = 'scheduled'`
}

export async function setConversation(db: Db, projectId: string, id: string, conversationId: string): Promise<void> {
  await db`update automation_runs set conversation_id = ${conversationId}
    where project_id = ${projectId} and id = ${id}`
}

/** Runs that wait begin side by side or one by one, as the automation says by then. */
export async function setParallel(db: Db, projectId: string, automationId: string, parallel: boolean): Promise<void> {
  await db`update automation_runs set parallel = ${parallel}
    where project_id = ${projectId} and automation_id = ${automationId} and status = 'scheduled'`
}

interface Ending {
  id: string
  conversationId: string | null
}

/** Ends runs that have not started. */
export async function endWaitingRuns(
  db: Db,
  projectId: string,
  runs: Ending[],
  { status, error }: { status: 'failed' | 'cancelled'; error: string },
): Promise<void> {
  const rows = runs.map(({ id, conversationId }) => ({ id, conversation_id: conversationId }))
  await db`update automation_runs r set status = ${status}, completed_at = now(), error = ${error},
      conversation_id = t.conversation_id
    from jsonb_to_recordset(${json(rows)}) as t (id uuid, conversation_id uuid)
    where r.project_id = ${projectId} and r.id = t.id`
}

export async function requestCancel(db: Db, projectId: string, id: string): Promise<void> {
  await db`update automation_runs set cancel_requested_at = coalesce(cancel_requested_at, now())
    where project_id = ${projectId} and id = ${id}`
}

/** Deletes the runs of a project that wait, and returns those that it asks to stop. */
export async function stopRuns(db: Db, projectId: string) {
  await db`delete from automation_runs where project_id = ${projectId} and status = 'scheduled'`
  return db<{ id: string }[]>`update automation_runs set cancel_requested_at = coalesce(cancel_requested_at, now())
    where project_id = ${projectId} and status = 'running' returning id`
}

interface Finishing {
  projectId: string
  id: string
  nodeId: string
  outcome: RunOutcome
}

/** Returns false if the run no longer belongs to the node. */
export async function finishRun(db: Db, { projectId, id, nodeId, outcome }: Finishing): Promise<boolean> {
  const changed = await db`
    update automation_runs set status = ${outcome.status}, error = ${outcome.error}, model = ${outcome.model},
      conversation_id = coalesce(${outcome.conversationId}, conversation_id), input_tokens = ${outcome.inputTokens},
      output_tokens = ${outcome.outputTokens}, cost = ${outcome.cost ?? null}, changes = ${json(outcome.changes)}, completed_at = now(),
      leased_until = null
    where project_id = ${projectId} and id = ${id} and node_id = ${nodeId} and status = 'running' returning 1`
  return changed.length === 1
}

/** Stores what a run has used so far, which a killed node could not say later. */
export async function setSpent(db: Db, projectId: string, id: string, spent: Spent): Promise<void> {
  await db`update automation_runs set model = ${spent.model}, input_tokens = ${spent.inputTokens},
      output_tokens = ${spent.outputTokens}, cost = ${spent.cost}
    where project_id = ${projectId} and id = ${id} and status = 'running'`
}

/** Ends a run whose lease has expired. Undefined if it has not, or if another node ended it. */
export async function endAbandonedRun(db: Db, projectId: string, id: string, error: string) {
  const [ended] = await db<{ status: 'failed' | 'cancelled' }[]>`
    update automation_runs set status = case when cancel_requested_at is null then 'failed' else 'cancelled' end,
      error = ${error}, completed_at = now(), leased_until = null
    where project_id = ${projectId} and id = ${id} and status = 'running' and leased_until < now()
    returning status`
  return ended
}

interface Traces {
  conversationId: string | null
  changes: Change[]
}

export async function setTraces(db: Db, projectId: string, id: string, traces: Traces): Promise<void> {
  await db`update automation_runs set conversation_id = ${traces.conversationId}, changes = ${json(traces.changes)}
    where project_id = ${projectId} and id = ${id}`
}

/**
 * Lets one person decide about a run for a minute, or for a minute more if they hold it (`held`). Returns until when, or
 * undefined if somebody else does.
 */
export async function claimReview(db: Db, projectId: string, id: string, held: string | null) {
  const [row] = await db<{ until: string }[]>`
    update automation_runs set reviewed_until = greatest(now() + interval '1 minute', reviewed_until + interval '1 ms')
    where project_id = ${projectId} and id = ${id}
      and (reviewed_until is null or reviewed_until < now() or reviewed_until = ${held}::timestamptz)
    returning reviewed_until as until`
  return row?.until
}

export async function endReview(db: Db, projectId: string, id: string, held: string): Promise<void> {
  await db`update automation_runs set reviewed_until = null
    where project_id = ${projectId} and id = ${id} and reviewed_until = ${held}::timestamptz`
}
