import { type Db, json } from '../../kernel/database/index.ts'
import type { ToolKit } from '../conversations/index.ts'
import type { Approval, Concurrency, GrantDraft, Trigger } from './automation.ts'

interface AutomationColumns {
  name: string
  enabled: boolean
  userPrompt: string
  toolKit: ToolKit
  model: string | null
  concurrency: Concurrency | null
  approval: Approval
}

interface NewAutomation extends AutomationColumns {
  id: string
  builtIn: string | null
  ownerId: string | null
  /** The chain of causes in which an agent made it. */
  chain?: { chainId: string; depth: number } | undefined
  payerIds?: string[]
}

export async function insertAutomation(db: Db, projectId: string, one: NewAutomation): Promise<void> {
  await db`
    insert into automations (project_id, id, name, enabled, built_in, user_prompt, tool_kit, model, concurrency, approval, owner_id, chain_id,
      chain_depth, payer_ids, created_at, updated_at)
    values (${projectId}, ${one.id}, ${one.name}, ${one.enabled}, ${one.builtIn}, ${one.userPrompt},
      ${json(one.toolKit)}, ${one.model}, ${one.concurrency}, ${one.approval}, ${one.ownerId}, ${one.chain?.chainId ?? null}, ${one.chain?.depth ?? 0},
      ${one.payerIds ?? []}::uuid[], now(), now())`
}

export async function updateAutomation(db: Db, projectId: string, id: string, one: AutomationColumns): Promise<void> {
  await db`
    update automations set name = ${one.name}, enabled = ${one.enabled}, user_prompt = ${one.userPrompt},
      tool_kit = ${json(one.toolKit)}, model = ${one.model}, concurrency = ${one.concurrency}, approval = ${one.approval},
      paused_reason = case when ${one.enabled}::boolean then null else paused_reason end,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
}

/** Its schedules have no next time while it is off. */
export async function disableAutomation(db: Db, projectId: string, id: string, reason: string | null): Promise<void> {
  await db`update automations set enabled = false, paused_reason = ${reason},
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
  await db`update automation_triggers set next_fire_at = null where project_id = ${projectId} and automation_id = ${id}`
}

/** Those whose owner is none of these get the first of them, or nobody. */
export async function handOverBuiltIns(db: Db, projectId: string, adminIds: string[]): Promise<void> {
  await db`update automations set owner_id = ${adminIds[0] ?? null}
    where project_id = ${projectId} and built_in is not null
      and (owner_id is null or not (owner_id = any(${adminIds}::uuid[])))`
}

/** All of a project, for good. */
export async function disableAutomations(db: Db, projectId: string): Promise<void> {
  await db`update automations set enabled = false where project_id = ${projectId}`
  await db`update automation_triggers set next_fire_at = null where project_id = ${projectId}`
}

/** An agent has changed it: its runs belong to the chain of that agent, unless they belong to an earlier one. */
export async function joinChain(
  db: Db,
  projectId: string,
  id: string,
  { chainId, depth }: { chainId: string; depth: number },
  payerIds: string[],
): Promise<void> {
  await db`update automations set chain_id = coalesce(chain_id, ${chainId}), chain_depth = greatest(chain_depth, ${depth}),
      payer_ids = ${payerIds}::uuid[]
    where project_id = ${projectId} and id = ${id}`
}

/** A person has taken it over: its runs no longer belong to the chain in which an agent made or changed it. */
export async function leaveChain(db: Db, projectId: string, id: string): Promise<void> {
  await db`update automations set chain_id = null, chain_depth = 0, payer_ids = '{}'
    where project_id = ${projectId} and id = ${id}`
}

export async function deleteAutomation(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from automations where project_id = ${projectId} and id = ${id}`
}

/** Replaces the list of triggers. Triggers that keep their id are updated in place. */
export async function replaceTriggers(db: Db, projectId: string, id: string, triggers: Trigger[]): Promise<void> {
  await db`delete from automation_triggers where project_id = ${projectId} and automation_id = ${id}
    and id <> all(${triggers.map((one) => one.id)}::uuid[])`
  if (triggers.length === 0) return
  const rows = triggers.map((one, position) => ({
    id: one.id,
    position,
    trigger_type: one.triggerType,
    cron_expression: one.cronExpression,
    timezone: one.timezone,
    preset: one.preset,
    filter: one.filter,
    next_fire_at: one.nextFireAt,
  }))
  await db`
    insert into automation_triggers (project_id, id, automation_id, position, trigger_type, cron_expression, timezone,
      preset, filter, next_fire_at)
    select ${projectId}, r.id, ${id}, r.position, r.trigger_type, r.cron_expression, r.timezone, r.preset, r.filter, r.next_fire_at
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, position int, trigger_type text,
      cron_expression text, timezone text, preset text, filter jsonb, next_fire_at timestamptz)
    on conflict (project_id, id) do update set position = excluded.position, next_fire_at = excluded.next_fire_at`
}

export async function replaceGrants(db: Db, projectId: string, id: string, grants: GrantDraft[]): Promise<void> {
  await db`delete from automation_grants where project_id = ${projectId} and automation_id = ${id}`
  if (grants.length === 0) return
  const rows = grants.map((grant, position) => ({ ...grant, position }))
  await db`insert into automation_grants (project_id, automation_id, integration_id, tools, position)
    select ${projectId}, ${id}, g.id, g.tools, g.position
    from jsonb_to_recordset(${json(rows)}) as g (id text, tools text[], position int)
    order by g.position on conflict do nothing`
}
