import type { Change } from '../../conversations/index.ts'
import type { RunStatus, TriggerType } from '../automation.ts'
import type { Bounds } from '../bounds.ts'
import { runEvents } from '../events.ts'

export { RUN_STATUSES, type RunStatus } from '../automation.ts'

export const isFinished = (status: RunStatus) => status !== 'scheduled' && status !== 'running'

export interface Subject {
  type: string
  id: string
}

export interface Run {
  id: string
  automationId: string
  status: RunStatus
  triggerType: TriggerType
  triggerId: string | null
  /** The tick that started it. Null unless a schedule did. */
  scheduledFor: string | null
  /** The event that started it. Null unless an event did. */
  eventId: string | null
  subject: Subject | null
  /** The payload of the event. */
  cause: Record<string, unknown>
  lineage: string[]
  chainId: string
  depth: number
  bounds: Bounds | null
  /** What a person added to it. */
  input: string | null
  /** Its writes are kept as proposals. */
  proposes: boolean
  retryOf: string | null
  conversationId: string | null
  model: string | null
  inputTokens: number | null
  outputTokens: number | null
  cost: number | null
  changes: Change[]
  error: string | null
  cancelRequestedAt: string | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
}

/** A run to be scheduled. */
export interface NewRun {
  automationId: string
  triggerType: TriggerType
  triggerId?: string | null
  scheduledFor?: string | null
  eventId?: string | null
  subject?: Subject | null
  cause?: Record<string, unknown>
  lineage?: string[]
  /** Null for the chain in which its automation was made, or a new one. */
  chainId?: string | null
  depth?: number
  bounds?: Bounds | null
  input?: string | null
  proposes?: boolean
  retryOf?: string | null
}

/** The result of a run. */
export interface RunOutcome {
  status: 'succeeded' | 'failed' | 'cancelled'
  error: string | null
  conversationId: string | null
  model: string | null
  inputTokens: number | null
  outputTokens: number | null
  cost?: number | null
  changes: Change[]
  /** It failed for a reason that may be gone later. */
  isTransient?: boolean
  /** It did not begin, because the budget of an automation that led to it is used up. */
  isOverBudget?: boolean
}

export const failedOutcome = (error: string, known: Partial<RunOutcome> = {}): RunOutcome => ({
  status: 'failed',
  error,
  conversationId: null,
  model: null,
  inputTokens: null,
  outputTokens: null,
  changes: [],
  ...known,
})

const presentChange = (change: Change) => ({
  action: change.action,
  resource_type: change.resourceType,
  resource_id: change.resourceId,
  title: change.title,
})

export const presentRun = (run: Run) => ({
  object: 'automation_run' as const,
  id: run.id,
  automation_id: run.automationId,
  status: run.status,
  trigger_type: run.triggerType,
  trigger_id: run.triggerId,
  scheduled_for: run.scheduledFor,
  subject: run.subject && { resourceType: run.subject.type, resourceId: run.subject.id },
  retry_of: run.retryOf,
  chain_id: run.chainId,
  input: run.input,
  dry_run: run.proposes,
  cancel_requested: run.cancelRequestedAt !== null,
  conversation_id: run.conversationId,
  model: run.model,
  input_tokens: run.inputTokens,
  output_tokens: run.outputTokens,
  cost: run.cost,
  changes: run.changes.map(presentChange),
  error: run.error,
  created_at: run.createdAt,
  started_at: run.startedAt,
  completed_at: run.completedAt,
})

/** The event that records the end of a run. */
export const runEnded = (run: Pick<Run, 'id' | 'automationId'>, status: RunStatus) =>
  runEvents.completed(run.id, { automation_id: run.automationId, status })
