import { type Db, json, type Tx } from '../../../kernel/database/index.ts'
import { type BudgetLimits, NO_LIMITS } from './budget.ts'

/** Stands for all automations of a project together. */
export const WHOLE_PROJECT = '00000000-0000-0000-0000-000000000000'

export interface Budget {
  automationId: string
  limits: BudgetLimits
  warnedFor: string[]
  pausedReason: string | null
  pausedUntil: string | null
}

const columns = (db: Db) => db`automation_id as "automationId", limits, warned_for as "warnedFor",
  case when paused_until > now() then paused_reason end as "pausedReason",
  case when paused_until > now() then paused_until end as "pausedUntil"`

/** Those that bound an automation: its own, and that of the project. */
export const listBudgets = (db: Db, projectId: string, automationId: string) => db<Budget[]>`
  select ${columns(db)} from automation_budgets
  where project_id = ${projectId} and automation_id in (${automationId}, ${WHOLE_PROJECT}) order by automation_id desc`

/** Locks the budgets of the automations and of the project: whoever reserves next sees what was reserved before. */
export const lockBudgets = (db: Tx, projectId: string, automationIds: readonly string[]) => db<Budget[]>`
  select ${columns(db)} from automation_budgets
  where project_id = ${projectId} and automation_id = any(${[...automationIds, WHOLE_PROJECT]}::uuid[])
  order by automation_id for update`

export async function findProjectBudget(db: Db, projectId: string): Promise<Budget> {
  const [row] = await db<Budget[]>`select ${columns(db)} from automation_budgets
    where project_id = ${projectId} and automation_id = ${WHOLE_PROJECT}`
  return row ?? { automationId: WHOLE_PROJECT, limits: NO_LIMITS, warnedFor: [], pausedReason: null, pausedUntil: null }
}

/** Also ends a pause: with the new limits there may be room again. */
export async function setLimits(db: Db, projectId: string, automationId: string, limits: BudgetLimits): Promise<void> {
  await db`insert into automation_budgets (project_id, automation_id, limits)
    values (${projectId}, ${automationId}, ${json(limits)})
    on conflict (project_id, automation_id) do update set limits = excluded.limits, warned_for = '{}',
      paused_reason = null, paused_until = null`
}

/** False if someone else has just said so. */
export async function markWarned(db: Tx, projectId: string, automationId: string, period: string): Promise<boolean> {
  const changed = await db`update automation_budgets set warned_for = warned_for || ${period}::text
    where project_id = ${projectId} and automation_id = ${automationId} and not ${period}::text = any(warned_for)
    returning 1`
  return changed.length === 1
}

/** Pauses until the end of the day or month, by UTC. False if it was paused already. */
export async function pause(
  db: Tx,
  projectId: string,
  automationId: string,
  period: 'day' | 'month',
  reason: string,
): Promise<boolean> {
  const changed = await db`update automation_budgets set paused_reason = ${reason},
      paused_until = (date_trunc(${period}, now() at time zone 'UTC') + ${`1 ${period}`}::interval) at time zone 'UTC'
    where project_id = ${projectId} and automation_id = ${automationId}
      and (paused_until is null or paused_until <= now()) returning 1`
  return changed.length === 1
}

export async function deleteBudget(db: Db, projectId: string, automationId: string): Promise<void> {
  await db`delete from automation_budgets where project_id = ${projectId} and automation_id = ${automationId}`
}
