import { Type } from 'typebox'
import { Paged, PageQuery } from '../../../kernel/http/paging.ts'
import {
  Data,
  FilledText,
  Filter,
  Kind,
  Nullable,
  named,
  OneOf,
  Text,
  Time,
  Uuid,
} from '../../../kernel/http/schema.ts'
import { DEED_STATUSES } from '../../conversations/index.ts'
import { ContextLink } from '../../links/index.ts'
import { TRIGGER_TYPES } from '../automation.ts'
import { RUN_STATUSES } from './run.ts'

const RunChange = Type.Object({
  action: Type.String({ examples: ['created'] }),
  resource_type: Type.String({ examples: ['work_order'] }),
  resource_id: Type.String({ examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] }),
  title: Type.String({ examples: ['Round the total once'] }),
})

const RunSubject = Type.Object({ resourceType: Type.String({ examples: ['work_order'] }), resourceId: Uuid })

export const AutomationRun = named(
  'AutomationRun',
  Type.Object({
    object: Kind('automation_run'),
    id: Uuid,
    automation_id: Uuid,
    status: OneOf(RUN_STATUSES),
    trigger_type: OneOf(TRIGGER_TYPES),
    trigger_id: Nullable(Uuid),
    scheduled_for: Nullable(Time),
    subject: Nullable(RunSubject),
    retry_of: Nullable(Uuid),
    chain_id: Uuid,
    input: Nullable(Type.String({ examples: [null] }), { description: 'What the person who started it added.' }),
    dry_run: Type.Boolean({ examples: [false] }),
    cost: Nullable(Type.Number({ examples: [0.42] })),
    cancel_requested: Type.Boolean({ examples: [false] }),
    conversation_id: Nullable(Uuid),
    model: Nullable(Type.String({ examples: ['qwen3:32b'] })),
    input_tokens: Nullable(Type.Integer({ examples: [1200] })),
    output_tokens: Nullable(Type.Integer({ examples: [340] })),
    changes: Type.Array(RunChange),
    error: Nullable(Type.String({ examples: [null] })),
    created_at: Time,
    started_at: Nullable(Time),
    completed_at: Nullable(Time),
  }),
)

export const RunData = Data(AutomationRun)
export const RunPage = Paged(AutomationRun)
export const RunParams = Type.Object({ automation_id: Uuid, run_id: Uuid })
export const RunQuery = Type.Object({ status: Filter(OneOf(RUN_STATUSES), 'Any of these statuses.'), ...PageQuery })
type Fields = Record<string, unknown>
export const Values = (description: string) =>
  Nullable(Type.Unsafe<Fields>(Type.Object({}, { additionalProperties: true })), {
    description,
  })

export const RunWrite = named(
  'AutomationRunWrite',
  Type.Object({
    object: Kind('automation_run_write'),
    id: Uuid,
    tool: Type.String({ examples: ['update_work_order'] }),
    status: OneOf(DEED_STATUSES, {
      description: '`begun`: it goes on, or the server stopped before it knew the end.',
    }),
    input: Values('What the tool was called with.'),
    resource_type: Nullable(Type.String({ examples: ['work_order'] })),
    resource_id: Nullable(Uuid),
    before: Values('The values that it changed, as they were. Null if there was nothing before.'),
    after: Values('The same values, as they became. Null if nothing is left.'),
    depends_on: Type.Array(Uuid, {
      description: 'The proposals of this run whose results it refers to. They have to be accepted first.',
    }),
    reason: Nullable(Type.String({ examples: [null] }), { description: 'Why it was rejected, if no person did.' }),
    decided_by: Nullable(Uuid, { description: 'Who accepted, rejected or undid it.' }),
    decided_at: Nullable(Time),
    created_at: Time,
  }),
)

export const AutomationRunDetail = named(
  'AutomationRunDetail',
  Type.Object({
    ...AutomationRun.properties,
    text: Nullable(Type.String({ examples: ['I made one work order.'] }), { description: 'What the agent said last.' }),
    progress: Type.Object({
      tool_calls: Type.Integer({ examples: [4] }),
      last_tool: Nullable(Type.String({ examples: ['get_work_order'] })),
      last_at: Nullable(Time),
    }),
    writes: Type.Array(RunWrite),
  }),
)

export const RunDetailData = Data(AutomationRunDetail)
export const WriteParams = Type.Object({ automation_id: Uuid, run_id: Uuid, write_id: Uuid })
export const UndoData = Data(
  named(
    'AutomationRunUndo',
    Type.Object({
      object: Kind('automation_run_undo'),
      undone: Type.Array(RunWrite),
      kept: Type.Array(
        Type.Object({
          action: Type.String({ examples: ['update_work_order'] }),
          resource_type: Nullable(Type.String({ examples: ['work_order'] })),
          resource_id: Nullable(Type.String({ examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] })),
          reason: Type.String({ examples: ['It was changed since.'] }),
        }),
      ),
    }),
  ),
)

export const NewRunBody = Type.Object({
  input: Type.Optional(
    Nullable(Text(100_000, { minLength: 1, examples: [null] }), {
      description: 'What the agent should know besides the prompt.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({ examples: [false], description: 'Keeps what it would change as proposals, and changes nothing.' }),
  ),
  subject: Type.Optional(Nullable(ContextLink, { description: 'What the run is about.' })),
})

const Commit = Type.Object({
  id: FilledText(100, { examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'] }),
  message: Text(10_000, { default: '', examples: ['Round the total once'] }),
  author: Nullable(Text(500, { examples: ['Ada Lovelace'] }), { default: null }),
  paths: Type.Optional(
    Type.Array(Text(1_000, { minLength: 1 }), { maxItems: 1_000, description: 'What it changed.', examples: [[]] }),
  ),
})

export const CodePushBody = Type.Object({
  repository: FilledText(500, { examples: ['shop/checkout'] }),
  ref: FilledText(500, { examples: ['refs/heads/main'] }),
  commit_id: FilledText(100, { description: 'Where the ref points now.', examples: ['9fceb02d0ae598e95dc970b7'] }),
  pushed_by: Nullable(Text(500, { examples: ['Ada Lovelace'] }), { default: null }),
  commits: Type.Array(Commit, { maxItems: 100, default: [] }),
})

export const CodePushData = Data(
  named(
    'CodePush',
    Type.Object({
      object: Kind('code_push'),
      id: Uuid,
      repository: Type.String({ examples: ['shop/checkout'] }),
      ref: Type.String({ examples: ['refs/heads/main'] }),
      commit_id: Type.String({ examples: ['9fceb02d0ae598e95dc970b7'] }),
    }),
  ),
)

export const BacklogData = Data(
  named('FeedbackBacklog', Type.Object({ object: Kind('feedback_backlog'), feedback_count: Type.Integer() })),
)
