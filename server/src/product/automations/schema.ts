import { Type } from 'typebox'
import { Data, FilledText, Items, Kind, Nullable, named, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { BudgetBody, BudgetShape, ToolKitBody, ToolKitShape } from '../conversations/index.ts'
import { APPROVALS, CONCURRENCIES, NAME_LENGTH, TRIGGER_TYPES } from './automation.ts'
import { TriggerFilterBody, TriggerFilterShape } from './triggers/filter.ts'
import { PRESETS } from './triggers/schedule.ts'

const configFields = {
  cron_expression: Nullable(Text(200, { examples: ['0 9 * * 1-5'] })),
  timezone: Nullable(Text(100, { examples: ['Europe/Berlin'] })),
  preset: Nullable(OneOf(PRESETS, { examples: ['weekdays'] })),
}

export const AutomationTrigger = named(
  'AutomationTrigger',
  Type.Object({
    object: Kind('automation_trigger'),
    id: Uuid,
    trigger_type: OneOf(TRIGGER_TYPES),
    config: Type.Object(configFields),
    filter: Nullable(TriggerFilterShape, { description: 'Which events start it. Null for all.' }),
    next_fire_at: Nullable(Time),
  }),
)

const IntegrationGrant = named(
  'ConnectedIntegrationGrant',
  Type.Object({
    object: Kind('connected_integration_grant'),
    id: Type.String({ examples: ['int_2f4f5f6f7a81'] }),
    display_name: Type.String({ examples: ['Issue tracker'] }),
    is_connected: Type.Boolean({ examples: [true] }),
    tools: Nullable(Type.Array(Type.String({ examples: ['find_ticket'] })), {
      description: 'The tools that may be used. Null for all.',
    }),
  }),
)

const Owner = named(
  'AutomationOwner',
  Type.Object({
    object: Kind('user'),
    id: Uuid,
    display_name: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ examples: ['ada@example.org'] }),
  }),
)

const Count = Type.Integer({ examples: [3] })

export const Automation = named(
  'Automation',
  Type.Object({
    object: Kind('automation'),
    id: Uuid,
    name: Type.String({ examples: ['Morning report'] }),
    enabled: Type.Boolean({ examples: [true] }),
    is_built_in: Type.Boolean({ examples: [false] }),
    triggers: Type.Array(AutomationTrigger),
    user_prompt: Type.String({ examples: ['Summarise what changed since yesterday.'] }),
    tool_kit: ToolKitShape,
    integration_grants: Type.Array(IntegrationGrant),
    model: Nullable(Type.String({ examples: ['qwen3:32b'] })),
    concurrency: Nullable(OneOf(CONCURRENCIES)),
    approval: OneOf(APPROVALS),
    budget: BudgetShape,
    paused: Nullable(
      Type.Object({
        reason: Type.String({ examples: ['Five runs in a row have failed.'] }),
        until: Nullable(Time),
      }),
      { examples: [null], description: 'Why its runs wait, or do not start until it is enabled again.' },
    ),
    owner: Nullable(Owner),
    total_runs_30d: Count,
    successful_runs_30d: Count,
    failed_runs_30d: Count,
    created_at: Time,
    updated_at: Time,
  }),
)

const NewTrigger = Type.Object({
  trigger_type: OneOf(TRIGGER_TYPES),
  filter: Type.Optional(
    Nullable(TriggerFilterBody, { description: 'Which events start it: all conditions must hold.' }),
  ),
  config: Type.Optional(
    Nullable(Type.Partial(Type.Object(configFields)), {
      description: 'Only for a `schedule`: `cron_expression` (five fields) or `preset`, and `timezone` (UTC).',
    }),
  ),
})

const GrantId = Text(200, { minLength: 1, examples: ['int_2f4f5f6f7a81'] })
const GrantedTools = Type.Optional(
  Nullable(Type.Array(Text(200, { minLength: 1 }), { maxItems: 200 }), {
    description: 'The tools of it that may be used. Null, or left out, for all.',
    examples: [null],
  }),
)
const NewGrants = Type.Array(Type.Union([GrantId, Type.Object({ id: GrantId, tools: GrantedTools })]), {
  maxItems: 100,
  description: 'Ids from `GET /integrations`, as strings or as `{id, tools}`.',
  examples: [[]],
})

const values = {
  name: FilledText(NAME_LENGTH, { examples: ['Morning report'] }),
  user_prompt: FilledText(100_000, { examples: ['Summarise what changed since yesterday.'] }),
  triggers: Type.Array(NewTrigger, { maxItems: 50 }),
}
const optionalValues = {
  tool_kit: ToolKitBody,
  integration_grants: NewGrants,
  model: Nullable(Text(10_000, { examples: [null] }), { description: 'Null for the one the operator has chosen.' }),
  concurrency: Nullable(OneOf(CONCURRENCIES), {
    description: 'What happens to a run while another one goes on. Null: schedules skip it, everything else queues it.',
    examples: [null],
  }),
  approval: OneOf(APPROVALS, {
    description: '`required`: what its runs would change is kept for a person to accept or reject.',
  }),
  budget: BudgetBody,
}

const switched = { enabled: Type.Boolean({ examples: [false] }) }

export const NewAutomationBody = Type.Object({
  ...values,
  ...Type.Partial(Type.Object(optionalValues)).properties,
  enabled: Type.Optional(
    Type.Boolean({ examples: [true], description: 'False to try it with dry runs before it is switched on.' }),
  ),
})
export const AutomationBody = Type.Partial(Type.Object({ ...values, ...optionalValues, ...switched }))

export const AutomationData = Data(Automation)
export const AutomationItems = Items(Automation)
export const AutomationParams = Type.Object({ automation_id: Uuid })
export const ListQuery = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Only those that are on, or off.' })),
  name: Type.Optional(Text(NAME_LENGTH, { description: 'Part of the name, in any case.' })),
})
