import { Type } from 'typebox'
import { ExpectedTitle } from '../../../kernel/expected.ts'
import { Data, Kind, Nullable, named, OneOf, Text, Time, Title, Uuid } from '../../../kernel/http/schema.ts'
import { DEED_STATUSES } from '../deeds/deed.ts'
import { ActiveTurn, ChangedSinceShape, Message, summaryFields } from '../schema.ts'

const { object: _object, ...fields } = summaryFields

const rowFields = {
  ...fields,
  owner: Type.Object({ id: Uuid, name: Type.String({ examples: ['Ada Lovelace'] }) }),
  is_own: Type.Boolean({ description: 'Only the owner talks in it.', examples: [true] }),
  shared: Type.Boolean({ description: 'Every member of the project may read it.', examples: [false] }),
  is_active: Type.Boolean({ description: 'The agent is answering.', examples: [false] }),
  message_count: Type.Integer({ examples: [6] }),
}

const Row = named('AgentConversationRow', Type.Object({ object: Kind('agent_conversation_row'), ...rowFields }))

export const Rows = Type.Object({
  items: Type.Array(Row),
  next_cursor: Nullable(Type.String({ examples: [null] })),
})

export const RowsQuery = Type.Object({
  query: Type.Optional(
    Text(1_000, { description: 'Regular expression, in any case, over titles, what was said, and names of tools.' }),
  ),
  origin: Type.Optional(OneOf(['user', 'automation'])),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before, with the same values.' })),
})

const Proposal = named(
  'AgentConversationProposal',
  Type.Object({
    object: Kind('agent_conversation_proposal'),
    id: Uuid,
    tool: Type.String({ examples: ['update_work_order'] }),
    input: Type.Object({}, { additionalProperties: true }),
    status: OneOf(DEED_STATUSES),
    resource_type: Nullable(Type.String({ examples: ['work_order'] })),
    resource_id: Nullable(Uuid),
    before: Nullable(Type.Object({}, { additionalProperties: true })),
    after: Nullable(Type.Object({}, { additionalProperties: true })),
    changed_since: ChangedSinceShape,
    depends_on: Type.Array(Uuid, { description: 'The proposals that must be accepted before it.' }),
    reason: Nullable(Type.String({ examples: [null] })),
    decided_at: Nullable(Time),
  }),
)

const Entry = named(
  'AgentConversationEntry',
  Type.Object({
    ...Message.properties,
    number: Type.Integer({ description: 'Its place. Streams continue after it.', examples: [1] }),
  }),
)

const Transcript = named(
  'AgentConversationTranscript',
  Type.Object({
    object: Kind('agent_conversation_transcript'),
    ...rowFields,
    active_turn: ActiveTurn,
    asks_first: Type.Boolean({ description: 'Its agent only proposes what it would change.', examples: [true] }),
    model: Nullable(Type.String({ examples: [null] }), { description: 'Null for the one that is recommended.' }),
    usage: Type.Object({
      input_tokens: Type.Number({ examples: [1200] }),
      output_tokens: Type.Number({ examples: [340] }),
      cost: Nullable(Type.Number({ description: 'Null if the model has no price.', examples: [0.004] })),
    }),
    queued: Type.Array(Type.Object({ id: Uuid, text: Type.String({ examples: ['And the tests?'] }) }), {
      description: 'Messages that are sent when the agent has answered.',
    }),
    proposals: Type.Array(Proposal),
    branches: Type.Array(Type.Object({ id: Uuid, number: Type.Integer({ examples: [3] }) }), {
      description: 'The versions of a message, by its number, the oldest first.',
    }),
    entries: Type.Array(Entry),
    before: Nullable(Type.Integer({ examples: [null] }), {
      description: 'Leads to earlier entries. Null at the start.',
    }),
  }),
)

export const TranscriptData = Data(Transcript)
export const TranscriptQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: '`before` of the page after.' }),
  ),
})

export const AgentModel = Data(
  named(
    'AgentModel',
    Type.Object({
      is_configured: Type.Boolean({ description: 'False if no model is set up, so agents cannot answer.' }),
      name: Nullable(Type.String({ examples: ['small'] }), { description: 'The one that is recommended.' }),
      known: Type.Array(Type.String(), {
        description: 'The models to choose from: those with a price. Others can be named.',
        examples: [['small', 'large']],
      }),
    }),
  ),
)

export const ChangeBody = Type.Object({
  title: Type.Optional(Title()),
  expected_title: ExpectedTitle,
  shared: Type.Optional(Type.Boolean({ description: 'True lets every member of the project read it.' })),
  model: Type.Optional(Nullable(Text(200), { description: 'Of the answers that begin from now on.' })),
})
export const ProposalParams = Type.Object({ conversation_id: Uuid, proposal_id: Uuid })
export const QueuedParams = Type.Object({ conversation_id: Uuid, message_id: Uuid })
export const QueuedData = Data(
  Nullable(Type.Object({ id: Uuid, text: Type.String() }), { description: 'Null if it was sent already.' }),
)
