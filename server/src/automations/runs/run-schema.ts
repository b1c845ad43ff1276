import { Type } from 'typebox'
import { Paged, PageQuery } from '../../kernel/http/paging.ts'
import { Data, FilledText, Filter, Kind, Nullable, named, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
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
export const NewRunBody = Type.Object({
  subject: Type.Optional(Nullable(ContextLink, { description: 'What the run is about.' })),
})

const Commit = Type.Object({
  id: FilledText(100, { examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'] }),
  message: Text(10_000, { default: '', examples: ['Round the total once'] }),
  author: Nullable(Text(500, { examples: ['Ada Lovelace'] }), { default: null }),
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
