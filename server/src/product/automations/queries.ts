import type { ResourceText } from '../../kernel/context.ts'
import { type Db, likeSubstring } from '../../kernel/database/index.ts'
import { type BudgetLimits, NO_LIMITS, type ToolKit, WHOLE_PROJECT } from '../conversations/index.ts'
import type { Approval, Automation, Concurrency, Grant, Trigger } from './automation.ts'
import { findBuiltIn } from './built-in.ts'
import type { TriggerFilter } from './triggers/filter.ts'

interface AutomationRow {
  id: string
  name: string
  enabled: boolean
  built_in: string | null
  user_prompt: string
  tool_kit: ToolKit
  model: string | null
  concurrency: Concurrency | null
  approval: Approval
  payer_ids: string[]
  paused_reason: string | null
  limits: BudgetLimits | null
  budget_reason: string | null
  paused_until: string | null
  created_at: string
  updated_at: string
  owner_id: string | null
  owner_name: string
  owner_email: string
  triggers: Trigger[] | null
  grants: Grant[] | null
  succeeded: number
  failed: number
}

const columns = (db: Db) => db`
  a.id, a.name, a.enabled, a.built_in, a.user_prompt, a.tool_kit, a.model, a.concurrency, a.approval, a.payer_ids, a.paused_reason,
  b.limits, b.budget_reason, b.paused_until, a.created_at, a.updated_at,
  u.id as owner_id, u.name as owner_name, u.email as owner_email,
  (select json_agg(json_build_object('id', t.id, 'triggerType', t.trigger_type, 'cronExpression', t.cron_expression,
      'timezone', t.timezone, 'preset', t.preset, 'filter', t.filter,
      'nextFireAt', to_char(t.next_fire_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by t.position)
    from automation_triggers t where t.project_id = a.project_id and t.automation_id = a.id) as triggers,
  (select json_agg(json_build_object('id', g.integration_id, 'displayName', coalesce(i.display_name, g.integration_id),
      'isConnected', i.id is not null and i.removed_at is null, 'tools', g.tools) order by g.position)
    from automation_grants g left join integrations i on i.project_id = g.project_id and i.id = g.integration_id
    where g.project_id = a.project_id and g.automation_id = a.id) as grants,
  r.succeeded, r.failed`

const joins = (db: Db) => db`
  left join lateral (
    select own.limits, paused.paused_reason as budget_reason, paused.paused_until
    from (select 1) one
    left join automation_budgets own on own.project_id = a.project_id and own.automation_id = a.id
    left join lateral (
      select p.paused_reason, p.paused_until from automation_budgets p
      where p.project_id = a.project_id and p.automation_id in (a.id, ${WHOLE_PROJECT}) and p.paused_until > now()
      order by p.paused_until desc limit 1) paused on true) b on true
  left join users u on u.id = a.owner_id
  cross join lateral (
    select count(*) filter (where r.status = 'succeeded')::int as succeeded,
      count(*) filter (where r.status = 'failed')::int as failed
    from automation_runs r
    where r.project_id = a.project_id and r.automation_id = a.id and r.completed_at > now() - interval '30 days') r`

export interface ListFilters {
  enabled?: boolean
  name?: string
}

/** Oldest first. */
export async function listAutomations(db: Db, projectId: string, filters: ListFilters): Promise<Automation[]> {
  const { enabled, name } = filters
  const rows = await db<AutomationRow[]>`
    select ${columns(db)} from automations a ${joins(db)}
    where a.project_id = ${projectId} ${enabled === undefined ? db`` : db`and a.enabled = ${enabled}`}
      ${name ? db`and a.name ilike ${likeSubstring(name)}` : db``}
    order by a.created_at, a.id`
  return rows.map(toAutomation)
}

export async function findAutomation(db: Db, projectId: string, id: string): Promise<Automation | undefined> {
  const [row] = await db<AutomationRow[]>`
    select ${columns(db)} from automations a ${joins(db)} where a.project_id = ${projectId} and a.id = ${id}`
  return row && toAutomation(row)
}

export async function lockAutomation(db: Db, projectId: string, id: string): Promise<Automation | undefined> {
  await db`select 1 from automations where project_id = ${projectId} and id = ${id} for no key update`
  // Read after the wait, because a statement that waited for a row lock sees joined rows as they were before.
  return findAutomation(db, projectId, id)
}

/** Returns whether it is enabled, and keeps it so until the transaction ends. */
export async function lockEnabled(db: Db, projectId: string, id: string): Promise<boolean> {
  const [row] = await db<{ enabled: boolean }[]>`
    select enabled from automations where project_id = ${projectId} and id = ${id} for no key update`
  return row?.enabled === true
}

/** The triggers that an event of this kind may fire, of the enabled automations. */
export const listTriggeredAutomations = (db: Db, projectId: string, triggerType: string) => db<
  { id: string; name: string; triggerId: string; filter: TriggerFilter | null }[]
>`select a.id, a.name, t.id as "triggerId", t.filter
  from automation_triggers t join automations a on a.project_id = t.project_id and a.id = t.automation_id
  where t.project_id = ${projectId} and t.trigger_type = ${triggerType} and a.enabled
  order by a.id, t.position`

/** A SQL condition: true if `listTriggeredAutomations` finds any. */
export const isTriggered = (db: Db, projectId: string, triggerType: string) => db`
  exists (select 1 from automation_triggers t
    join automations a on a.project_id = t.project_id and a.id = t.automation_id
    where t.project_id = ${projectId} and t.trigger_type = ${triggerType} and a.enabled)`

interface PromptSource {
  id: string
  name: string
  userPrompt: string
  ownerId: string | null
}

/** What the conversations of their runs show about them. */
export async function listPromptSources(db: Db, projectId: string, ids: string[]): Promise<PromptSource[]> {
  const rows = await db<(PromptSource & { builtIn: string | null })[]>`
    select id, name, built_in as "builtIn", user_prompt as "userPrompt", owner_id as "ownerId" from automations
    where project_id = ${projectId} and id = any(${ids}::uuid[])`
  return rows.map(({ builtIn, ...row }) => ({ ...row, userPrompt: findBuiltIn(builtIn)?.userPrompt ?? row.userPrompt }))
}

export async function readAutomationTexts(db: Db, projectId: string, ids: string[]): Promise<ResourceText[]> {
  const found = await listPromptSources(db, projectId, ids)
  return found.map(({ id, name, userPrompt }) => ({ id, title: name, markdownContent: userPrompt }))
}

/** How many automations that are switched on act for each member. */
export const countAutomationsByOwner = (db: Db, projectId: string) => db<{ owner_id: string; automations: number }[]>`
  select owner_id, count(*)::int as automations from automations
  where project_id = ${projectId} and enabled and owner_id is not null group by owner_id`

function pauseOf({ paused_reason, budget_reason, paused_until }: AutomationRow): Automation['paused'] {
  if (paused_reason !== null) return { reason: paused_reason, until: null }
  return budget_reason === null ? null : { reason: budget_reason, until: paused_until }
}

function toAutomation(row: AutomationRow): Automation {
  const builtIn = findBuiltIn(row.built_in)
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    builtIn: row.built_in,
    triggers: row.triggers ?? [],
    userPrompt: builtIn?.userPrompt ?? row.user_prompt,
    toolKit: builtIn?.toolKit ?? row.tool_kit,
    grants: row.grants ?? [],
    model: row.model,
    concurrency: row.concurrency,
    approval: row.approval,
    payerIds: row.payer_ids,
    budget: row.limits ?? NO_LIMITS,
    paused: pauseOf(row),
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name, email: row.owner_email },
    succeededRuns: row.succeeded,
    failedRuns: row.failed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Reads the database's clock, which all nodes share. The clock of a node may be wrong. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await db<{ now: string }[]>`select clock_timestamp() as now`
  return new Date(row!.now)
}
