import { type Db, errorCode, json } from '../../../kernel/database/index.ts'
import { WHOLE_PROJECT } from '../../conversations/index.ts'
import type { Run } from '../runs/run.ts'
import { type RunRow, runColumns, toRun } from '../runs/run-queries.ts'

export interface ClaimedRun {
  run: Run
  projectId: string
  organizationId: string
}

/**
 * Claims a waiting run whose automation has no other run in progress. Undefined if there is none. Projects take turns:
 * the next run is the oldest of the project whose last run started longest ago.
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
          where w.status = 'scheduled' and (w.parallel or not exists (
              select 1 from automation_runs x
              where x.project_id = w.project_id and x.automation_id = w.automation_id and x.status = 'running'))
            and not exists (
              select 1 from automation_budgets b
              where b.project_id = w.project_id and b.automation_id in (w.automation_id, ${WHOLE_PROJECT})
                and b.paused_until > now())
          order by turn.last nulls first, w.created_at, w.id limit 1 for update of w skip locked)
        returning ${runColumns(db)}, r.project_id, p.organization_id`
      return row && { run: toRun(row), projectId: row.project_id, organizationId: row.organization_id }
    } catch (err) {
      // Another node has just started a run of the same automation. Try the next one.
      if (errorCode(err) !== '23505') throw err
    }
  }
}

/** Renews leases. A run that is not in the result no longer belongs to this node. */
export const renewLeases = (db: Db, nodeId: string, ids: string[], leaseMs: number) => db<
  { id: string; cancelRequested: boolean }[]
>`update automation_runs set leased_until = now() + ${leaseMs} * interval '1 millisecond'
  where node_id = ${nodeId} and status = 'running' and id = any(${ids}::uuid[])
  returning id, cancel_requested_at is not null as "cancelRequested"`

export interface DueTrigger {
  id: string
  projectId: string
  organizationId: string
  automationId: string
  cronExpression: string
  timezone: string
  nextFireAt: string
}

/** Locks the due schedules of all projects, the longest overdue first. Skips those that another node holds. */
export const lockDueTriggers = (db: Db, now: Date, limit: number) => db<DueTrigger[]>`
  select t.id, t.project_id as "projectId", p.organization_id as "organizationId", t.automation_id as "automationId",
    t.cron_expression as "cronExpression", t.timezone, t.next_fire_at as "nextFireAt"
  from automation_triggers t
  join automations a on a.project_id = t.project_id and a.id = t.automation_id
  join projects p on p.id = t.project_id
  where t.next_fire_at <= ${now.toISOString()} and a.enabled
  order by t.next_fire_at limit ${limit} for no key update of a, t skip locked`

interface Moved {
  projectId: string
  id: string
  nextFireAt: string | null
}

export async function setNextFireTimes(db: Db, triggers: Moved[]): Promise<void> {
  const rows = triggers.map((one) => ({ project_id: one.projectId, id: one.id, next_fire_at: one.nextFireAt }))
  await db`update automation_triggers t set next_fire_at = r.next_fire_at
    from jsonb_to_recordset(${json(rows)}) as r (project_id uuid, id uuid, next_fire_at timestamptz)
    where t.project_id = r.project_id and t.id = r.id`
}

/** The time of the next due schedule. Undefined if there is none. */
export async function findNextDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ next: string | null }[]>`
    select min(next_fire_at) as next from automation_triggers where next_fire_at is not null`
  return row?.next ? new Date(row.next) : undefined
}
