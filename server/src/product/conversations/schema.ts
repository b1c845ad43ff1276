import { Type } from 'typebox'
import { Data, Kind, Nullable, named, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { ORIGINS, ROLES, RUN_STATUSES, TOOL_STATUSES } from './conversation.ts'

const EventId = Type.String({ examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] })

const AutomationRun = named(
  'AgentConversationAutomationRun',
  Type.Object({
    object: Kind('agent_conversation_automation_run'),
    automation_id: Uuid,
    automation_name: Type.String({ examples: ['Nightly tidy-up'] }),
    run_id: Nullable(Uuid),
    run_status: Nullable(OneOf(RUN_STATUSES, { examples: ['succeeded'] })),
    run_started_at: Nullable(Time),
    run_completed_at: Nullable(Time),
  }),
)

export const summaryFields = {
  object: Kind('agent_conversation'),
  id: Uuid,
  origin: OneOf(ORIGINS),
  title: Type.String({ examples: ['What is left for the release?'] }),
  created_at: Time,
  updated_at: Time,
  automation: Nullable(AutomationRun, { description: 'Null unless an automation began it.' }),
}

export const ActiveTurn = named(
  'AgentConversationActiveTurn',
  Type.Object({
    object: Kind('agent_conversation_active_turn'),
    is_active: Type.Boolean({ examples: [false] }),
    started_at: Nullable(Time),
  }),
)

const ToolActivity = named(
  'AgentConversationToolActivity',
  Type.Object({
    name: Type.String({ examples: ['list_work_orders'] }),
    call_id: Nullable(Type.String({ examples: ['call_1'] })),
    part: OneOf(['input', 'output'], { description: 'What `text` is of the call.' }),
    status: Nullable(OneOf(TOOL_STATUSES), { description: 'Null on an input.' }),
  }),
)

export const Message = named(
  'AgentConversationMessage',
  Type.Object({
    object: Kind('agent_conversation_message'),
    id: EventId,
    role: OneOf(ROLES, { description: '`tool` only with `include_tool_activity`.' }),
    text: Type.String({ examples: ['Two work orders are left.'] }),
    thinking_summary: Nullable(Type.String({ examples: [null] })),
    is_final: Type.Boolean({ description: 'False on what an agent says before it has finished.', examples: [true] }),
    created_at: Time,
    tool: Type.Optional(ToolActivity),
  }),
)

const Continuation = named(
  'AgentConversationContinuation',
  Type.Object({
    object: Kind('agent_conversation_continuation'),
    before_event_id: EventId,
  }),
)

/** What following a conversation sends. */
export const StreamedEvents = { message: Message, text: Type.Object({ text: Type.String() }), end: ActiveTurn }

export const ConversationSummary = named('AgentConversationSummary', Type.Object(summaryFields))

export const Conversation = named(
  'AgentConversation',
  Type.Object({
    ...summaryFields,
    active_turn: ActiveTurn,
    content: Type.Array(Message),
    continuation: Nullable(Continuation, { description: 'Null when nothing is left before `content`.' }),
  }),
)

export const ConversationData = Data(Conversation)
export const ConversationList = Type.Object({
  items: Type.Array(ConversationSummary),
  next_cursor: Nullable(Type.String({ examples: [null] })),
})

export const ConversationParams = Type.Object({ conversation_id: Uuid })

export const ListQuery = Type.Object({
  query: Type.Optional(
    Text(1_000, {
      description: 'Regular expression, in any case, over titles, what was said, tool names and tool statuses.',
    }),
  ),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many on a page.' }),
  cursor: Type.Optional(
    Nullable(Type.String(), { description: '`next_cursor` of the page before, with the same query and page size.' }),
  ),
})

export const DetailQuery = Type.Object({
  include_tool_activity: Type.Boolean({ default: false, description: 'Also tool calls, with inputs and outputs.' }),
  before_event_id: Type.Optional(
    Nullable(Type.String(), { description: '`continuation.before_event_id` of the portion after.' }),
  ),
})
