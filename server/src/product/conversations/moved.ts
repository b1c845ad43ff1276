import { Type } from 'typebox'
import { Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import {
  Fields,
  Large,
  MaybeFields,
  MaybeId,
  MaybeSomeone,
  MaybeTime,
  type MovedTable,
  Someone,
  Whole,
} from '../../kernel/moving/table.ts'
import { EVENT_KINDS, ORIGINS, TOOL_STATUSES } from './conversation.ts'
import { DEED_STATUSES } from './deeds/deed.ts'

const Name = Text(1_000)
const Output = Type.String({ maxLength: 20_000_000 })

/** Without the turns that are going on. */
export const movedConversations: MovedTable[] = [
  {
    name: 'conversations',
    row: Type.Object({
      id: Uuid,
      owner_id: Someone,
      origin: OneOf(ORIGINS),
      parent_id: MaybeId,
      title: Text(10_000),
      model: Nullable(Name),
      tool_kit: Fields,
      integration_ids: Type.Array(Text(200)),
      integration_tools: Fields,
      automation_id: MaybeId,
      automation_name: Nullable(Name),
      run_id: MaybeId,
      last_event_number: Whole,
      is_shared: Type.Optional(Type.Boolean()),
      asks_first: Type.Optional(Type.Boolean()),
      input_tokens: Type.Optional(Large),
      output_tokens: Type.Optional(Large),
      cost: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
      branch_of: Type.Optional(MaybeId),
      branch_number: Type.Optional(Nullable(Whole)),
      created_at: Time,
      updated_at: Time,
    }),
    order: 't.id',
  },
  {
    name: 'conversation_events',
    row: Type.Object({
      conversation_id: Uuid,
      number: Whole,
      id: Uuid,
      turn_id: Uuid,
      kind: OneOf(EVENT_KINDS),
      text: Output,
      is_final: Type.Boolean(),
      tool_name: Nullable(Name),
      tool_call_id: Nullable(Name),
      tool_status: Nullable(OneOf(TOOL_STATUSES)),
      created_at: Time,
    }),
    order: 't.conversation_id, t.number',
  },
  {
    name: 'model_usage',
    row: Type.Object({
      day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
      automation_id: Uuid,
      payer_ids: Type.Optional(Type.Array(Uuid, { maxItems: 10_000 })),
      model: Name,
      input_tokens: Large,
      output_tokens: Large,
      cost: Type.Number({ minimum: 0 }),
    }),
    order: 't.day, t.automation_id, t.model, t.payer_ids',
  },
  {
    name: 'agent_deeds',
    row: Type.Object({
      id: Uuid,
      run_id: Uuid,
      tool: Name,
      input: Fields,
      status: OneOf(DEED_STATUSES),
      resource_type: Nullable(Name),
      resource_id: MaybeId,
      before: MaybeFields,
      after: MaybeFields,
      depends_on: Type.Optional(Type.Array(Uuid, { maxItems: 10_000 })),
      reason: Type.Optional(Nullable(Text(10_000))),
      decided_by: MaybeSomeone,
      decided_at: MaybeTime,
      created_at: Time,
    }),
    order: 't.number',
  },
]
