import { AppError, conflict } from '../../kernel/errors.ts'

export const ORIGINS = ['user', 'automation', 'subagent'] as const
export type ConversationOrigin = (typeof ORIGINS)[number]

export const ROLES = ['user', 'assistant', 'tool'] as const
export const RUN_STATUSES = ['scheduled', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export const EVENT_KINDS = ['user', 'assistant', 'tool_call', 'tool_result'] as const
export type EventKind = (typeof EVENT_KINDS)[number]
export const TOOL_STATUSES = ['succeeded', 'failed'] as const
export type ToolStatus = (typeof TOOL_STATUSES)[number]

export interface ConversationSummary {
  id: string
  origin: ConversationOrigin
  title: string
  createdAt: string
  updatedAt: string
  automationId: string | null
  automationName: string | null
  runId: string | null
  runStatus: RunStatus | null
  runStartedAt: string | null
  runCompletedAt: string | null
}

export interface Conversation extends ConversationSummary {
  ownerId: string
  turnId: string | null
  /** Null if no turn is running, or if the node that ran it has been silent for too long. */
  turnStartedAt: string | null
}

export interface ConversationEvent {
  number: number
  id: string
  kind: EventKind
  text: string
  isFinal: boolean
  toolName: string | null
  toolCallId: string | null
  toolStatus: ToolStatus | null
  createdAt: string
}

/** An event, or the part of it that fits into one answer. */
export type Message = Omit<ConversationEvent, 'number'>

export const presentConversation = (one: ConversationSummary) => ({
  object: 'agent_conversation' as const,
  id: one.id,
  origin: one.origin,
  title: one.title,
  created_at: one.createdAt,
  updated_at: one.updatedAt,
  automation:
    one.automationId === null
      ? null
      : {
          object: 'agent_conversation_automation_run' as const,
          automation_id: one.automationId,
          automation_name: one.automationName ?? '',
          run_id: one.runId,
          run_status: one.runStatus,
          run_started_at: one.runStartedAt,
          run_completed_at: one.runCompletedAt,
        },
})

export const presentActiveTurn = ({ turnStartedAt }: Pick<Conversation, 'turnStartedAt'>) => ({
  object: 'agent_conversation_active_turn' as const,
  is_active: turnStartedAt !== null,
  started_at: turnStartedAt,
})

export const isToolKind = (kind: EventKind): kind is 'tool_call' | 'tool_result' =>
  kind === 'tool_call' || kind === 'tool_result'

const roleOf = (kind: EventKind): (typeof ROLES)[number] => (isToolKind(kind) ? 'tool' : kind)

export const presentMessage = (message: Message) => ({
  object: 'agent_conversation_message' as const,
  id: message.id,
  role: roleOf(message.kind),
  text: message.text,
  thinking_summary: null,
  is_final: message.isFinal,
  created_at: message.createdAt,
  ...(message.toolName === null
    ? {}
    : {
        tool: {
          name: message.toolName,
          call_id: message.toolCallId,
          part: message.kind === 'tool_call' ? ('input' as const) : ('output' as const),
          status: message.toolStatus,
        },
      }),
})

export const invalidCursor = (detail: string) => new AppError(400, 'invalid_cursor', detail)

export const turnActive = (id: string) =>
  conflict('turn_active', `The agent is still busy in the conversation "${id}". Wait for it, or stop it first.`)

export const tooManyTalks = (detail: string) =>
  new AppError(429, 'too_many_talks', `${detail} Wait for one to end, or stop one.`, {
    headers: { 'retry-after': '10' },
  })
