import { type BudgetLimits, presentLimits, presentToolKit, type ToolKit } from '../conversations/index.ts'
import type { TriggerFilter } from './triggers/filter.ts'
import type { Preset } from './triggers/schedule.ts'

export const TRIGGER_TYPES = [
  'schedule',
  'code_push',
  'feedback_submitted',
  'requirements_updated',
  'blueprint_updated',
  'work_order_status_changed',
  'manual',
] as const
export type TriggerType = (typeof TRIGGER_TYPES)[number]

export const RUN_STATUSES = ['scheduled', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export const CONCURRENCIES = ['skip', 'queue', 'parallel'] as const
export type Concurrency = (typeof CONCURRENCIES)[number]

export const APPROVALS = ['none', 'required'] as const
export type Approval = (typeof APPROVALS)[number]

export const NAME_LENGTH = 200

export interface Trigger {
  id: string
  triggerType: TriggerType
  cronExpression: string | null
  timezone: string | null
  preset: Preset | null
  /** Which events start it. Null for all. */
  filter: TriggerFilter | null
  nextFireAt: string | null
}

export interface Owner {
  id: string
  name: string
  email: string
}

export interface Grant {
  id: string
  displayName: string
  isConnected: boolean
  /** The tools that may be used. Null for all. */
  tools: string[] | null
}

export type GrantDraft = Pick<Grant, 'id' | 'tools'>

export interface Automation {
  id: string
  name: string
  enabled: boolean
  /** The name of a built-in automation. Null for those that people created. */
  builtIn: string | null
  triggers: Trigger[]
  userPrompt: string
  toolKit: ToolKit
  grants: Grant[]
  model: string | null
  concurrency: Concurrency | null
  approval: Approval
  budget: BudgetLimits
  /** The automations whose agents made or changed it. Their budgets bound it too. */
  payerIds: string[]
  /** Why its runs wait or do not start. `until` is null if a person has to enable it again. */
  paused: { reason: string; until: string | null } | null
  owner: Owner | null
  succeededRuns: number
  failedRuns: number
  createdAt: string
  updatedAt: string
}

export type TriggerDraft = Omit<Trigger, 'id' | 'nextFireAt' | 'filter'> & { filter?: TriggerFilter | null }

/** What people set when they create an automation. */
export interface AutomationValues {
  name: string
  userPrompt: string
  triggers: TriggerDraft[]
  toolKit: ToolKit
  grants: GrantDraft[]
  model: string | null
  /** Null: a schedule skips a run while another one goes on, and everything else queues it. */
  concurrency?: Concurrency | null | undefined
  /** `required`: what its runs would change is kept as proposals. */
  approval?: Approval | undefined
  budget?: BudgetLimits | undefined
  /** Undefined: it is on at once. */
  enabled?: boolean | undefined
}

interface Changeable extends AutomationValues {
  enabled: boolean
}

/** Undefined leaves a value unchanged. */
export type AutomationChange = { [Field in keyof Changeable]?: Changeable[Field] | undefined }

export const presentTrigger = (trigger: Trigger) => ({
  object: 'automation_trigger' as const,
  id: trigger.id,
  trigger_type: trigger.triggerType,
  config: { cron_expression: trigger.cronExpression, timezone: trigger.timezone, preset: trigger.preset },
  filter: trigger.filter,
  next_fire_at: trigger.nextFireAt,
})

const presentGrant = (grant: Grant) => ({
  object: 'connected_integration_grant' as const,
  id: grant.id,
  display_name: grant.displayName,
  is_connected: grant.isConnected,
  tools: grant.tools,
})

const presentOwner = (owner: Owner) => ({
  object: 'user' as const,
  id: owner.id,
  display_name: owner.name,
  email: owner.email,
})

export const presentAutomation = (automation: Automation) => ({
  object: 'automation' as const,
  id: automation.id,
  name: automation.name,
  enabled: automation.enabled,
  is_built_in: automation.builtIn !== null,
  triggers: automation.triggers.map(presentTrigger),
  user_prompt: automation.userPrompt,
  tool_kit: presentToolKit(automation.toolKit),
  integration_grants: automation.grants.map(presentGrant),
  model: automation.model,
  concurrency: automation.concurrency,
  approval: automation.approval,
  budget: presentLimits(automation.budget),
  paused: automation.paused,
  owner: automation.owner && presentOwner(automation.owner),
  total_runs_30d: automation.succeededRuns + automation.failedRuns,
  successful_runs_30d: automation.succeededRuns,
  failed_runs_30d: automation.failedRuns,
  created_at: automation.createdAt,
  updated_at: automation.updatedAt,
})

const SHOWN_AS: Record<keyof AutomationChange, string> = {
  name: 'name',
  enabled: 'enabled',
  userPrompt: 'user_prompt',
  toolKit: 'tool_kit',
  model: 'model',
  triggers: 'triggers',
  grants: 'integration_grants',
  concurrency: 'concurrency',
  approval: 'approval',
  budget: 'budget',
}

/** Field names as events and refusals show them. */
export const presentFields = (fields: (keyof AutomationChange)[]) => fields.map((field) => SHOWN_AS[field])
