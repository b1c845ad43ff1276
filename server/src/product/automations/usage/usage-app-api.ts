import { Type } from 'typebox'
import { invalid, quoted } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Kind, Nullable, named, Uuid } from '../../../kernel/http/schema.ts'
import { WHOLE_PROJECT } from '../../conversations/index.ts'
import { type DayUse, listAutomationUses, listPersonUses, monthNow } from './usage-queries.ts'

const Tokens = Type.Integer({ examples: [1_900_000] })
const Cost = Type.Number({ examples: [7.4], description: 'By the prices of the models at that time; 0 without one.' })
const Days = Type.Array(Type.Object({ day: Type.String({ examples: ['2026-11-18'] }), tokens: Tokens, cost: Cost }), {
  description: 'By UTC. Only days on which something was used.',
})

const UsageShape = named(
  'ModelUsage',
  Type.Object({
    object: Kind('model_usage'),
    month: Type.String({ examples: ['2026-11'] }),
    tokens: Tokens,
    cost: Cost,
    automations: Type.Array(
      Type.Object({
        automation_id: Nullable(Uuid, { description: 'Null for conversations of people.' }),
        name: Nullable(Type.String({ examples: ['Blueprint drift watch'] }), {
          description: 'Null for conversations, and for an automation that was deleted.',
        }),
        runs: Type.Integer({ examples: [29] }),
        tokens: Tokens,
        cost: Cost,
        cost_per_month: Nullable(Type.Number({ examples: [20] }), { description: 'Its own budget.' }),
        accepted: Type.Integer({
          examples: [24],
          description: 'Changes that a person accepted or left as they are.',
        }),
        decided: Type.Integer({ examples: [29], description: 'The same with what was rejected or undone.' }),
        days: Days,
      }),
    ),
    people: Type.Array(
      Type.Object({
        user_id: Uuid,
        display_name: Type.String({ examples: ['Ada Lovelace'] }),
        tokens: Tokens,
        cost: Cost,
        days: Days,
      }),
      { description: 'What the automations and conversations of each person used.' },
    ),
  }),
)

/** The 29th of February is one in some years. */
const isDay = (text: string) => {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

const sumOf = (days: DayUse[]) => ({
  tokens: days.reduce((sum, one) => sum + one.tokens, 0),
  cost: days.reduce((sum, one) => sum + one.cost, 0),
})

/** What agents used, and what came of it. */
export function registerUsageRoute(face: Face) {
  face.get(
    '/model_usage',
    operation({
      id: 'getModelUsage',
      summary: 'Read what agents used in a month or on a day, by day, automation and person',
      tags: ['Automations'],
      query: Type.Object({
        month: Type.Optional(
          Type.String({
            pattern: '^20\\d\\d-(0[1-9]|1[0-2])$',
            description: 'This month if left out.',
            examples: ['2026-11'],
          }),
        ),
        day: Type.Optional(
          Type.String({
            pattern: '^20\\d\\d-\\d\\d-\\d\\d$',
            description: 'Only this day, by UTC.',
            examples: ['2026-11-18'],
          }),
        ),
      }),
      answer: Data(UsageShape),
    }),
    async ({ ctx: { db, actor }, query }) => {
      if (query.day !== undefined && !isDay(query.day))
        throw invalid([{ pointer: '/day', detail: `${quoted(query.day)} is not a day of the calendar.` }])
      const month = query.day?.slice(0, 7) ?? query.month ?? (await monthNow(db))
      const period = query.day ?? month
      const automations = await listAutomationUses(db, actor.projectId, period)
      const people = await listPersonUses(db, actor.projectId, period)
      return {
        data: {
          object: 'model_usage' as const,
          month,
          ...sumOf(automations.flatMap(({ days }) => days)),
          automations: automations.map(({ id, name, days, runs, accepted, decided, costPerMonth }) => ({
            automation_id: id === WHOLE_PROJECT ? null : id,
            name,
            runs,
            ...sumOf(days),
            cost_per_month: costPerMonth,
            accepted,
            decided,
            days,
          })),
          people: people.map(({ id, name, days }) => ({ user_id: id, display_name: name, ...sumOf(days), days })),
        },
      }
    },
  )
}
