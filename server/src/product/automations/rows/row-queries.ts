import type { Db } from '../../../kernel/database/index.ts'
import type { RunStatus } from '../runs/run.ts'

export interface LastRun {
  automationId: string
  id: string
  status: RunStatus
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  changeCount: number
  firstTitle: string | null
  error: string | null
}

/** The last run of each automation, without those that still wait. `agent_deeds` is only read here. */
export const listLastRuns = (db: Db, projectId: string) => db<LastRun[]>`
  select a.id as "automationId", r.* from automations a
  cross join lateral (
    select r.id, r.status, r.created_at as "createdAt", r.started_at as "startedAt", r.completed_at as "completedAt",
      jsonb_array_length(r.changes) + (select count(*)::int from agent_deeds d
        where d.project_id = r.project_id and d.run_id = r.id and d.status = 'accepted') as "changeCount",
      r.changes->0->>'title' as "firstTitle", r.error
    from automation_runs r
    where r.project_id = a.project_id and r.automation_id = a.id and r.status <> 'scheduled'
    order by r.id desc limit 1) r
  where a.project_id = ${projectId}`

export interface DayOfRuns {
  automationId: string
  /** By UTC: 2026-11-18. */
  day: string
  succeeded: number
  failed: number
}

/** How the runs of the last 30 days ended. Days without any are left out. */
export const listDaysOfRuns = (db: Db, projectId: string) => db<DayOfRuns[]>`
  select automation_id as "automationId", to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD') as day,
    count(*) filter (where status = 'succeeded')::int as succeeded, count(*) filter (where status = 'failed')::int as failed
  from automation_runs
  where project_id = ${projectId} and status in ('succeeded', 'failed') and completed_at > now() - interval '30 days'
  group by 1, 2 order by 1, 2`

export interface WaitingRun {
  automationId: string
  runId: string
  count: number
}

/** The runs that have ended and whose proposals wait for a person, the newest first. `agent_deeds` is only read here. */
export const listWaitingForReview = (db: Db, projectId: string) => db<WaitingRun[]>`
  select r.automation_id as "automationId", r.id as "runId", d.count from (
    select run_id, count(*)::int as count from agent_deeds
    where project_id = ${projectId} and status = 'proposed' group by run_id) d
  join automation_runs r on r.project_id = ${projectId} and r.id = d.run_id and r.completed_at is not null
  order by r.id desc`
