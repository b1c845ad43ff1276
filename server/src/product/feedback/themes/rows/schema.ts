import { Type } from 'typebox'
import { Paged, PageQuery } from '../../../../kernel/http/paging.ts'
import { Data, Filter, Nullable, named, OneOf, Text, Time, Uuid } from '../../../../kernel/http/schema.ts'
import { PersonShape, STATUSES } from '../../../work-orders/index.ts'
import { ThemeSummary } from '../../schema.ts'
import { THEME_PRIORITIES, THEME_STATUSES, THEME_TYPES } from '../theme.ts'
import { NONE, THEME_SORTS, TREND_WEEKS } from './theme-row-queries.ts'

const quoteFields = {
  id: Uuid,
  feedback_item_id: Uuid,
  display_id: Type.String({ examples: ['FB-7'] }),
  end_user_email: Type.String({ examples: ['customer@example.org'] }),
  text_excerpt: Type.String({ examples: ['off by a cent when I use a coupon'] }),
  reported_at: Time,
}

const LinkedWorkOrder = named(
  'LinkedWorkOrder',
  Type.Object({
    id: Uuid,
    display_id: Type.String({ examples: ['WO-35'] }),
    title: Type.String({ examples: ['Round the total once'] }),
    status: OneOf(STATUSES),
    assignee: Nullable(PersonShape),
  }),
)

export const ThemeRow = named(
  'ThemeRow',
  Type.Object({
    ...ThemeSummary.properties,
    description: Type.String({ examples: ['Rounding happens once for each line.'] }),
    people_count: Type.Integer({ description: 'How many addresses its reports came from.', examples: [3] }),
    trend: Type.Array(Type.Integer(), {
      description: `How many of its reports came in each of the last ${TREND_WEEKS} weeks, oldest first.`,
      examples: [[0, 0, 1, 0, 0, 2, 1, 0, 3, 2, 4, 5]],
    }),
    first_reported_at: Nullable(Time),
    last_quotes: Type.Array(named('LastQuote', Type.Object(quoteFields)), { description: 'The newest three.' }),
    feature: Nullable(Type.Object({ id: Uuid, title: Type.String({ examples: ['Pay by card'] }) })),
    work_orders: Type.Array(LinkedWorkOrder, { description: 'At most 20.' }),
    updated_at: Time,
  }),
)

const IdOrNone = Type.String({ pattern: `^(${NONE}|[0-9a-fA-F-]{36})$`, examples: [NONE] })

export const RowQuery = Type.Object({
  number: Filter(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), 'Only the themes with these numbers.'),
  status: Filter(OneOf(THEME_STATUSES), 'Only themes with one of these statuses.'),
  type: Filter(OneOf(THEME_TYPES), 'Only themes of one of these types.'),
  priority: Filter(OneOf(THEME_PRIORITIES), 'Only themes with one of these priorities.'),
  assignee: Filter(IdOrNone, 'Only themes that are assigned to one of these people; `none` for those without one.'),
  feature: Filter(IdOrNone, 'Only themes of one of these features; `none` for those without one.'),
  search: Type.Optional(Text(500, { description: 'Words that the title or the description contains.' })),
  sort: OneOf(THEME_SORTS, { default: 'people', description: 'The most of it first.' }),
  ...PageQuery,
})
export const RowPage = Paged(ThemeRow)

export const Counts = Data(
  named(
    'ThemeCounts',
    Type.Object({
      statuses: Type.Object(Object.fromEntries(THEME_STATUSES.map((status) => [status, Type.Integer()]))),
      assigned_to_me: Type.Integer({ description: 'Open themes that are assigned to you.', examples: [3] }),
      features: Type.Array(
        Type.Object({
          id: Nullable(Uuid),
          title: Nullable(Type.String({ examples: ['Pay by card'] })),
          count: Type.Integer({ examples: [4] }),
        }),
        { description: 'Open themes by feature; null for those without one.' },
      ),
    }),
  ),
)

export const CONTENT_LENGTH = 2_000
export const QuotedReport = named(
  'QuotedReport',
  Type.Object({
    ...quoteFields,
    content: Type.String({
      description: `The first ${CONTENT_LENGTH} characters of the report.`,
      examples: ['The total is off by a cent when I use a coupon.'],
    }),
    attachment_count: Type.Integer({ examples: [1] }),
    source: Type.String({
      examples: ['Web shop'],
      description: 'The name of the reporting key, or how the member who added it by hand heard of it.',
    }),
    is_by_hand: Type.Boolean({ examples: [false] }),
    is_by_person: Type.Boolean({ description: 'A person put it there, not triage.', examples: [true] }),
    reason: Nullable(Type.String(), { description: 'Why triage put it there.' }),
  }),
)
const CURSOR = '^[0-9TZ:.+-]{20,35}_[0-9a-f-]{36}$'
export const ReportQuery = Type.Object({
  before: Type.Optional(Type.String({ pattern: CURSOR, description: 'The `next_before` of the answer before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
})
export const ReportPage = Type.Object({
  items: Type.Array(QuotedReport),
  next_before: Nullable(Type.String({ description: 'Null at the end.' })),
})
