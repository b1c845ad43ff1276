import type { Db } from '../../../kernel/database/index.ts'
import type { Change } from '../../conversations/index.ts'
import type { TriggerType } from '../automation.ts'
import type { Bounds } from '../bounds.ts'
import type { Run, RunStatus } from './run.ts'

interface RunRow {
  id: string
  automation_id: string
  status: RunStatus
  trigger_type: TriggerType
  trigger_id: string | null
  scheduled_for: string | null
  event_id: string | null
  subject_type: string | null
  subject_id: string | null
  cause: Record<string, unknown>
  lineage: string[]
  chain_id: string
  chain_depth: number
  bounds: Bounds | null
  input: string | null
  proposes: boolean
  retry_of: string | null
  conversation_id: string | null
  model: string | null
  input_tokens: number | null
  output_tokens: number | null
  cost: number | null
  changes: Change[]
  error: string | null
  cancel_requested_at: string | null
  created_at: string
  started_at: string | null
  completed_at: string | null
}

export const runColumns = (db: Db) => db`
  r.id, r.automation_id, r.status, r.trigger_type, r.trigger_id, r.scheduled_for, r.event_id, r.subject_type, r.subject_id,
  r.cause, r.lineage, r.chain_id, r.chain_depth, r.bounds, r.input, r.proposes, r.retry_of, r.conversation_id, r.model, r.input_tokens, r.output_tokens, r.cost::float8, r.changes, r.error,
  r.cancel_requested_at, r.created_at, r.started_at, r.completed_at`

export async function findRun(db: Db, projectId: string, id: string): Promise<Run | undefined> {
  const [row] = await db<RunRow[]>`
    select ${runColumns(db)} from automation_runs r where r.project_id = ${projectId} and r.id = ${id}`
  return row && toRun(row)
}

/** The last run of a built-in automation that was about the item, alone or among others. */
export async function findRunThatSorted(
  db: Db,
  projectId: string,
  builtIn: string,
  itemId: string,
): Promise<Run | undefined> {
  const [row] = await db<RunRow[]>`
    select ${runColumns(db)} from automation_runs r
    join automations a on a.project_id = r.project_id and a.id = r.automation_id and a.built_in = ${builtIn}
    where r.project_id = ${projectId} and r.completed_at is not null and (r.subject_id = ${itemId} or exists (
      select 1 from automation_run_items i
      where i.project_id = r.project_id and i.run_id = r.id and i.item_id = ${itemId}))
    order by r.created_at desc limit 1`
  return row && toRun(row)
}

export async function lockRun(db: Db, projectId: string, id: string): Promise<Run | undefined> {
  const [row] = await db<RunRow[]>`
    select ${runColumns(db)} from automation_runs r where r.project_id = ${projectId} and r.id = ${id} for update`
  return row && toRun(row)
}

export async function lockWaitingRuns(db: Db, projectId: string, automationId: string): Promise<Run[]> {
  const rows = await db<RunRow[]>`
    select ${runColumns(db)} from automation_runs r
    where r.project_id = ${projectId} and r.automation_id = ${automationId} and r.status = 'scheduled'
    order by r.id for update`
  return rows.map(toRun)
}

/** Newest first. */
export async function listRuns(
  db: Db,
  projectId: string,
  automationId: string,
  statuses: RunStatus[] | undefined,
  limit: number,
  offset: number,
): Promise<{ rows: Run[]; total: number }> {
  const chosen = statuses ? db`and r.status = any(${statuses})` : db``
  const total = statuses
    ? db`select count(*)::int as total from automation_runs r
        where r.project_id = ${projectId} and r.automation_id = ${automationId} ${chosen}`
    : db`select run_count as total from automations where project_id = ${projectId} and id = ${automationId}`
  const [[counted], rows] = await Promise.all([
    db<{ total: number }[]>`${total}`,
    db<RunRow[]>`
      select ${runColumns(db)} from automation_runs r
      where r.project_id = ${projectId} and r.automation_id = ${automationId} ${chosen}
      order by r.id desc limit ${limit} offset ${offset}`,
  ])
  return { rows: rows.map(toRun), total: counted?.total ?? 0 }
}

export async function hasActiveRun(db: Db, projectId: string, automationId: string): Promise<boolean> {
  const [row] = await db`select 1 from automation_runs
    where project_id = ${projectId} and automation_id = ${automationId} and status in ('scheduled', 'running') limit 1`
  return row !== undefined
}

/** True if the last runs that began since it was switched on, this many, have all failed. Reads the event log. */
export async function haveAllFailed(
  db: Db,
  projectId: string,
  automationId: string,
  howMany: number,
): Promise<boolean> {
  const rows = await db<{ status: string }[]>`
    select status from automation_runs
    where project_id = ${projectId} and automation_id = ${automationId} and started_at is not null
      and status in ('succeeded', 'failed')
      and completed_at > coalesce((
        select max(e.created_at) from events e
        where e.project_id = ${projectId} and e.subject_id = ${automationId} and e.kind = 'automation.updated'
          and e.payload->'fields' ? 'enabled'), '-infinity')
    order by completed_at desc limit ${howMany}`
  return rows.length === howMany && rows.every(({ status }) => status === 'failed')
}

export async function countWaitingRuns(db: Db, projectId: string): Promise<number> {
  const [row] = await db<{ waiting: number }[]>`select count(*)::int as waiting from automation_runs
    where project_id = ${projectId} and status = 'scheduled'`
  return row!.waiting
}

/** True if a run of the automation ended with this error within the last minute. */
export async function endedLately(db: Db, projectId: string, automationId: string, error: string): Promise<boolean> {
  const [row] = await db`select 1 from automation_runs
    where project_id = ${projectId} and automation_id = ${automationId} and error = ${error}
      and completed_at > now() - interval '1 minute' limit 1`
  return row !== undefined
}

interface LostRun {
  id: string
  projectId: string
  organizationId: string
}

/** Runs of all projects whose lease has expired. */
export const listAbandonedRuns = (db: Db) => db<LostRun[]>`
  select r.id, r.project_id as "projectId", p.organization_id as "organizationId"
  from automation_runs r join projects p on p.id = r.project_id
  where r.status = 'running' and r.leased_until < now()`

export const toRun = (row: RunRow): Run => ({
  id: row.id,
  automationId: row.automation_id,
  status: row.status,
  triggerType: row.trigger_type,
  triggerId: row.trigger_id,
  scheduledFor: row.scheduled_for,
  eventId: row.event_id,
  subject: row.subject_type === null ? null : { type: row.subject_type, id: row.subject_id! },
  cause: row.cause,
  lineage: row.lineage,
  chainId: row.chain_id,
  depth: row.chain_depth,
  bounds: row.bounds,
  input: row.input,
  proposes: row.proposes,
  retryOf: row.retry_of,
  conversationId: row.conversation_id,
  model: row.model,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cost: row.cost,
  changes: row.changes,
  error: row.error,
  cancelRequestedAt: row.cancel_requested_at,
  createdAt: row.created_at,
  startedAt: row.started_at,
  completedAt: row.completed_at,
})

export type { LostRun, RunRow }
