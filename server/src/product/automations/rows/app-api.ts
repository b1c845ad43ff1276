import { Type } from 'typebox'
import type { Ctx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Nullable, named, OneOf, Text, Time, Uuid } from '../../../kernel/http/schema.ts'
import { describeModels } from '../../conversations/index.ts'
import { presentAutomation } from '../automation.ts'
import { readClock } from '../queries.ts'
import { RUN_STATUSES } from '../runs/run.ts'
import * as schema from '../schema.ts'
import { nextFireAt, PRESETS, resolveSchedule } from '../triggers/schedule.ts'
import { type AutomationRow, listAutomationRows, type May } from './rows.ts'

const tags = ['Automations']
const Count = Type.Integer({ examples: [3] })
const NEXT_FIRES = 5

export const MayShape = named(
  'AutomationRights',
  Type.Object({
    edit: Type.Boolean({ description: 'Change it, start it and switch it on.' }),
    switch_off: Type.Boolean(),
    review: Type.Boolean({ description: 'Decide about what its runs propose, undo and cancel them.' }),
  }),
)
export const presentMay = ({ edit, switchOff, review }: May) => ({ edit, switch_off: switchOff, review })

/** Prompts are long, and no list shows them. */
const { user_prompt: _prompt, ...listedFields } = schema.Automation.properties

const Row = named(
  'AutomationRow',
  Type.Object({
    ...listedFields,
    last_run: Nullable(
      Type.Object({
        id: Uuid,
        status: OneOf(RUN_STATUSES),
        created_at: Time,
        started_at: Nullable(Time),
        completed_at: Nullable(Time),
        change_count: Count,
        first_title: Nullable(Type.String({ description: 'What it changed first.', examples: ['Round the total'] })),
        error: Nullable(Type.String({ examples: [null] })),
      }),
    ),
    days: Type.Array(Type.Object({ day: Type.String({ examples: ['2026-11-18'] }), succeeded: Count, failed: Count }), {
      description: 'How the runs of the last 30 days ended, by UTC. Days without any are left out.',
    }),
    waiting: Type.Array(Type.Object({ run_id: Uuid, count: Count }), {
      description: 'Runs whose proposals wait for a person, the newest first.',
    }),
    month: Type.Object(
      { tokens: Type.Number({ examples: [120_000] }), cost: Type.Number({ examples: [0.9] }) },
      { description: 'What it has used since the first of the month, by UTC.' },
    ),
    may: MayShape,
  }),
)

const Rows = named(
  'AutomationRows',
  Type.Object({
    items: Type.Array(Row),
    model: Type.Object({
      name: Nullable(Type.String({ examples: ['qwen3:32b'] }), {
        description: 'The one of the project, or else of the operator.',
      }),
      is_set: Type.Boolean({ description: 'False if no model is configured, so that agents cannot run.' }),
      priced: Type.Array(Type.String(), { description: 'The models whose price is known.', examples: [['qwen3:32b']] }),
      max_steps: Type.Integer({ examples: [50] }),
      max_seconds: Type.Integer({ examples: [600] }),
    }),
  }),
)

function presentRow({ automation, lastRun, days, waiting, month, may }: AutomationRow) {
  const { user_prompt: _, ...shown } = presentAutomation(automation)
  return {
    ...shown,
    last_run: lastRun
      ? {
          id: lastRun.id,
          status: lastRun.status,
          created_at: lastRun.createdAt,
          started_at: lastRun.startedAt,
          completed_at: lastRun.completedAt,
          change_count: lastRun.changeCount,
          first_title: lastRun.firstTitle,
          error: lastRun.error,
        }
      : null,
    days: days.map(({ day, succeeded, failed }) => ({ day, succeeded, failed })),
    waiting: waiting.map(({ runId, count }) => ({ run_id: runId, count })),
    month: { tokens: month.tokens, cost: month.cost },
    may: presentMay(may),
  }
}

async function presentModel(ctx: Ctx) {
  const { isSet, name, priced, limits } = await describeModels(ctx, ctx.actor.projectId)
  return { name, is_set: isSet, priced, max_steps: limits.steps, max_seconds: limits.wallMs / 1_000 }
}

const ScheduleQuery = Type.Object({
  cron_expression: Type.Optional(Text(200, { examples: ['30 7 * * 1-5'] })),
  preset: Type.Optional(OneOf(PRESETS)),
  timezone: Text(100, { default: 'UTC', examples: ['Europe/Berlin'] }),
})

const FIELDS = { cronExpression: '/cron_expression', timezone: '/timezone', preset: '/preset' }

/** What the list and the editor of automations show. */
export function registerAutomationRowRoutes(face: Face) {
  face.get(
    '/automations/rows',
    operation({
      id: 'listAutomationRows',
      summary: 'List automations with their last run, 30 days of runs, what waits for a person and what they used',
      tags,
      answer: Rows,
    }),
    async (req) => ({ items: (await listAutomationRows(req.ctx)).map(presentRow), model: await presentModel(req.ctx) }),
  )

  face.get(
    '/automations/schedule',
    operation({
      id: 'previewSchedule',
      summary: 'Read when a schedule would fire next',
      description: 'The next five times. A schedule that is wrong is a 422 that names the field.',
      tags,
      query: ScheduleQuery,
      answer: Data(
        Type.Object({
          cron_expression: Type.String({ examples: ['30 7 * * 1-5'] }),
          timezone: Type.String({ examples: ['Europe/Berlin'] }),
          fires: Type.Array(Time),
        }),
      ),
    }),
    async (req) => {
      const { cron_expression, preset, timezone } = req.query
      const schedule = resolveSchedule({ cronExpression: cron_expression, preset, timezone })
      if ('faults' in schedule)
        throw invalid(schedule.faults.map(({ field, detail }) => ({ pointer: FIELDS[field], detail })))
      const fires: string[] = []
      for (let after = await readClock(req.ctx.db); fires.length < NEXT_FIRES; ) {
        after = nextFireAt(schedule, after)
        fires.push(after.toISOString())
      }
      return { data: { cron_expression: schedule.cronExpression, timezone: schedule.timezone, fires } }
    },
  )
}
