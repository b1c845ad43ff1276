import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import {
  Fields,
  MaybeFields,
  MaybeId,
  MaybeSomeone,
  MaybeTime,
  type MovedTable,
  type Row,
  Whole,
} from '../../kernel/moving/table.ts'
import { APPROVALS, CONCURRENCIES, NAME_LENGTH, TRIGGER_TYPES } from './automation.ts'
import { RUN_STATUSES } from './runs/run.ts'
import { PRESETS } from './triggers/schedule.ts'

const Name = Text(1_000)
const Ids = Type.Array(Uuid)

export const SWITCHED_OFF = 'It came with an import. Look it over, then switch it on.'
const LEFT_BEHIND = 'The project was exported before this run had ended.'

/** The events that runs belong to get new numbers, so the old numbers must never meet a new one. */
const FAR_BELOW = 4_000_000_000_000_000

/**
 * Prompts that came with a file must not run before somebody has read them, so what people made arrives switched off.
 * Schedules are set when it is switched on.
 */
const arriveOff = (row: Row): Row =>
  row.built_in === null && row.enabled ? { ...row, enabled: false, paused_reason: SWITCHED_OFF } : row

const arriveEnded = (row: Row): Row =>
  row.status === 'scheduled' || row.status === 'running'
    ? { ...row, status: 'cancelled', error: LEFT_BEHIND, completed_at: row.completed_at ?? new Date().toISOString() }
    : row

export const movedAutomations: MovedTable[] = [
  {
    name: 'automations',
    row: Type.Object({
      id: Uuid,
      name: Text(NAME_LENGTH),
      enabled: Type.Boolean(),
      built_in: Nullable(OneOf(['feedback_triage'])),
      user_prompt: Markdown(),
      tool_kit: Fields,
      model: Nullable(Name),
      owner_id: MaybeSomeone,
      run_count: Whole,
      created_at: Time,
      updated_at: Time,
      chain_id: MaybeId,
      chain_depth: Whole,
      concurrency: Nullable(OneOf(CONCURRENCIES)),
      paused_reason: Nullable(Name),
      approval: OneOf(APPROVALS),
      payer_ids: Type.Optional(Type.Array(Uuid, { maxItems: 10_000 })),
    }),
    order: 't.created_at, t.id',
    arrive: arriveOff,
  },
  {
    name: 'automation_triggers',
    row: Type.Object({
      id: Uuid,
      automation_id: Uuid,
      position: Whole,
      trigger_type: OneOf(TRIGGER_TYPES),
      cron_expression: Nullable(Name),
      timezone: Nullable(Name),
      preset: Nullable(OneOf(PRESETS)),
      filter: MaybeFields,
    }),
    order: 't.automation_id, t.position',
  },
  {
    name: 'automation_grants',
    row: Type.Object({
      automation_id: Uuid,
      integration_id: Text(200),
      position: Whole,
      tools: Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: Name }),
    }),
    order: 't.automation_id, t.position',
  },
  {
    name: 'automation_budgets',
    row: Type.Object({
      automation_id: Uuid,
      limits: Fields,
      warned_for: Type.Array(Name),
      paused_reason: Nullable(Name),
      paused_until: MaybeTime,
    }),
    order: 't.automation_id',
  },
  {
    name: 'automation_runs',
    row: Type.Object({
      id: Uuid,
      automation_id: Uuid,
      status: OneOf(RUN_STATUSES),
      trigger_type: OneOf(TRIGGER_TYPES),
      trigger_id: MaybeId,
      scheduled_for: MaybeTime,
      subject_type: Nullable(Name),
      subject_id: MaybeId,
      cause: Fields,
      lineage: Ids,
      retry_of: MaybeId,
      conversation_id: MaybeId,
      model: Nullable(Name),
      input_tokens: Nullable(Whole),
      output_tokens: Nullable(Whole),
      changes: Type.Array(Type.Unknown()),
      error: Nullable(Text(100_000)),
      cancel_requested_at: MaybeTime,
      created_at: Time,
      started_at: MaybeTime,
      completed_at: MaybeTime,
      chain_id: Uuid,
      chain_depth: Whole,
      bounds: MaybeFields,
      parallel: Type.Boolean(),
      cost: Nullable(Type.Number({ minimum: 0 })),
      proposes: Type.Boolean(),
      input: Nullable(Markdown()),
    }),
    order: 't.id',
    arrive: arriveEnded,
  },
  {
    name: 'automation_run_items',
    row: Type.Object({
      run_id: Uuid,
      automation_id: Uuid,
      event_id: Type.Integer({ minimum: -FAR_BELOW, maximum: FAR_BELOW }),
      item_id: Uuid,
    }),
    order: 't.run_id, t.event_id',
    arrive: (row) => ({ ...row, event_id: below(row.event_id as number) }),
  },
  {
    name: 'stopped_chains',
    row: Type.Object({ chain_id: Uuid, stopped_at: Time }),
    order: 't.chain_id',
  },
]

const below = (eventId: number) => (eventId > 0 ? eventId - FAR_BELOW : eventId)
