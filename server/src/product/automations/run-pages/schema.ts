import { Type } from 'typebox'
import { Data, Filter, Kind, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { ChangedSinceShape } from '../../conversations/index.ts'
import { MayShape } from '../rows/app-api.ts'
import { RUN_STATUSES } from '../runs/run.ts'
import { AutomationRun, AutomationRunDetail, RunWrite } from '../runs/run-schema.ts'
import { AutomationTrigger } from '../schema.ts'

const Count = Type.Integer({ examples: [3] })

export const RunsQuery = Type.Object({
  status: Filter(OneOf(RUN_STATUSES), 'Any of these statuses.'),
  automation_id: Filter(Uuid, 'Of any of these automations.'),
  changed: Type.Optional(Type.Boolean({ description: 'Only those that changed something, or nothing.' })),
  waiting: Type.Optional(Type.Boolean({ description: 'Only those whose proposals wait for a person.' })),
  min_cost: Type.Optional(
    Type.String({
      pattern: '^\\d{1,7}(\\.\\d{1,4})?$',
      description: 'Only those that cost as much.',
      examples: ['0.25'],
    }),
  ),
  before: Type.Optional(Type.String({ format: 'uuid', description: 'The `next_before` of the answer before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})

const ListedRun = named(
  'ListedAutomationRun',
  Type.Object({
    ...AutomationRun.properties,
    automation_name: Type.String({ examples: ['Morning report'] }),
    change_count: { ...Count, description: 'Of all changes; `changes` has the first three.' },
    proposed_count: { ...Count, description: 'Proposals that nobody has decided about.' },
    accepted_count: Count,
  }),
)

export const RunsPage = Type.Object({
  items: Type.Array(ListedRun),
  total: Nullable(Count, { description: 'Of all pages. Only on the first one.' }),
  next_before: Nullable(Uuid, { description: 'Null at the end.' }),
})

const Person = Type.Object({ id: Uuid, name: Type.String({ examples: ['Ada Lovelace'] }) })

export const PageWrite = named(
  'AutomationRunPageWrite',
  Type.Object({
    ...RunWrite.properties,
    title: Nullable(Type.String({ examples: ['Round the total once'] })),
    number: Nullable(Type.Integer({ examples: [33] })),
    decider: Nullable(Person),
    changed_since: ChangedSinceShape,
  }),
)

export const RunPageData = Data(
  named(
    'AutomationRunPage',
    Type.Object({
      ...AutomationRunDetail.properties,
      writes: Type.Array(PageWrite),
      automation: Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['Morning report'] }),
        enabled: Type.Boolean(),
        is_built_in: Type.Boolean(),
        owner: Nullable(Person),
        grants: Type.Array(Type.String({ examples: ['GitHub'] })),
      }),
      trigger: Nullable(AutomationTrigger, { description: 'Null if it was started by hand, or the trigger is gone.' }),
      retries: Type.Array(Type.Object({ id: Uuid, status: OneOf(RUN_STATUSES), created_at: Time }), {
        description: 'The runs that did it again, the newest first.',
      }),
      may: MayShape,
      is_own: Type.Boolean({ description: 'You own the automation, so you can open its conversation.' }),
    }),
  ),
)

export const ActivityQuery = Type.Object({
  after: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'The `last` of the answer before.',
  }),
})

const RunEvent = named(
  'AutomationRunEvent',
  Type.Object({
    object: Kind('automation_run_event'),
    number: Type.Integer({ examples: [7] }),
    kind: OneOf(['user', 'assistant', 'tool_call', 'tool_result']),
    text: Nullable(Type.String({ examples: ['{"title": "Round the total"}'] }), {
      description: 'Null if only those who look after the automation may see it.',
    }),
    is_cut: Type.Boolean({ description: 'Only the beginning of the text is here.' }),
    tool: Nullable(Type.String({ examples: ['create_work_order'] })),
    call_id: Nullable(Type.String({ examples: ['call_1'] })),
    status: Nullable(Type.String({ examples: ['succeeded'] })),
    created_at: Time,
  }),
)

export const ActivityData = Type.Object({
  items: Type.Array(RunEvent),
  last: Type.Integer({ examples: [7] }),
  is_whole: Type.Boolean({ description: 'False if there is more after `last` already.' }),
})

/** What following a run sends. */
export const RunStream = {
  message: RunEvent,
  text: Type.Object({ text: Type.String() }),
  status: Type.Object({ status: OneOf(RUN_STATUSES) }),
  end: Type.Object({ status: OneOf(RUN_STATUSES) }),
}

export const RunParams = Type.Object({ run_id: Uuid })

export const DecisionBody = Type.Object({ decision: OneOf(['accept', 'reject']) })
export const DecisionData = Data(
  named(
    'AutomationRunDecision',
    Type.Object({
      decided: { ...Count, description: 'How many proposals were accepted, or rejected.' },
      left_out: Type.Array(
        Type.Object({ write_id: Uuid, reason: Type.String({ examples: ['It was changed since.'] }) }),
      ),
    }),
  ),
)
