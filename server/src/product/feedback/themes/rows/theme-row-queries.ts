import { type Db, likeSubstring, raw, type SqlPart } from '../../../../kernel/database/index.ts'
import type { Person } from '../../../work-orders/index.ts'
import type { ThemeStatus, ThemeSummary, ThemeType } from '../theme.ts'
import { LINKED_WORK_ORDERS } from '../theme-queries.ts'

/** The trend of a theme covers this many weeks, each of seven days. The last one ends now. */
export const TREND_WEEKS = 12
/** How many quotes a row shows. */
const LAST_QUOTES = 3
/** How many work orders a row names. Its count says how many there are. */
const NAMED_WORK_ORDERS = 20

export const THEME_SORTS = ['people', 'quotes', 'newest', 'updated'] as const
export type ThemeSort = (typeof THEME_SORTS)[number]
export const NONE = 'none'

export interface ThemeFilter {
  numbers?: number[] | undefined
  statuses?: ThemeStatus[] | undefined
  types?: ThemeType[] | undefined
  priorities?: string[] | undefined
  /** Ids of people, or `none`. */
  assignees?: string[] | undefined
  /** Ids of features, or `none`. */
  features?: string[] | undefined
  words?: string[] | undefined
}

export interface LastQuote {
  id: string
  feedbackItemId: string
  feedbackNumber: number
  endUserEmail: string
  textExcerpt: string
  reportedAt: string
}

export interface LinkedWorkOrder {
  id: string
  workOrderNumber: number
  title: string
  status: string
  assignee: Person | null
}

export interface ThemeRow extends ThemeSummary {
  description: string
  peopleCount: number
  trend: number[]
  firstReportedAt: string | null
  lastQuotes: LastQuote[]
  feature: { id: string; title: string } | null
  workOrders: LinkedWorkOrder[]
  updatedAt: string
}

export async function listThemeRows(
  db: Db,
  projectId: string,
  filter: ThemeFilter,
  { sort, limit, offset }: { sort: ThemeSort; limit: number; offset: number },
): Promise<{ rows: ThemeRow[]; total: number }> {
  const chosen = conditionOf(db, projectId, filter)
  const rows = await db<(ThemeRow & { total: number })[]>`
    with page as materialized (
      select t.*, row_number() over (order by ${orderOf(db, sort)}) as place, count(*) over ()::int as total
      from themes t where ${chosen} order by place limit ${limit} offset ${offset}
    )
    select ${columns(db)}, t.total from page t ${joins(db)} order by t.place`
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 }
  const [counted] = await db<{ total: number }[]>`select count(*)::int as total from themes t where ${chosen}`
  return { rows, total: counted!.total }
}

function conditionOf(db: Db, projectId: string, filter: ThemeFilter): SqlPart {
  const { numbers, statuses, types, priorities, assignees, features, words } = filter
  return db`t.project_id = ${projectId}
    ${numbers ? db`and t.theme_number = any(${numbers}::int[])` : db``}
    ${statuses ? db`and t.status = any(${statuses}::text[])` : db``}
    ${types ? db`and t.type = any(${types}::text[])` : db``}
    ${priorities ? db`and t.priority = any(${priorities}::text[])` : db``}
    ${assignees ? db`and coalesce(t.assignee_id::text, ${NONE}) = any(${assignees}::text[])` : db``}
    ${features ? db`and coalesce(t.feature_id::text, ${NONE}) = any(${features}::text[])` : db``}
    ${words?.length ? db`and (t.title || E'\n' || t.description) ilike all(${words.map(likeSubstring)}::text[])` : db``}`
}

/** The number comes last, so that the order is the same on every page. */
function orderOf(db: Db, sort: ThemeSort): SqlPart {
  if (sort === 'people') return db`t.people_count desc, t.quote_count desc, t.theme_number`
  if (sort === 'quotes') return db`t.quote_count desc, t.people_count desc, t.theme_number`
  if (sort === 'updated') return db`t.updated_at desc, t.theme_number desc`
  return db`t.theme_number desc`
}

const columns = (db: Db) => db`
  t.id, t.theme_number as "themeNumber", t.title, t.description, t.status, t.type, t.priority,
  t.quote_count as "quoteCount", t.people_count as "peopleCount", ${raw(LINKED_WORK_ORDERS)} as "linkedWorkOrderCount",
  t.feature_id as "featureId", t.updated_at as "updatedAt",
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as assignee,
  case when d.id is not null then json_build_object('id', d.id, 'title', d.title) end as feature,
  (select q.reported_at from quotes q where q.project_id = t.project_id and q.theme_id = t.id
    order by q.reported_at limit 1) as "firstReportedAt",
  ${trendOf(db)} as trend, ${lastQuotesOf(db)} as "lastQuotes", ${workOrdersOf(db)} as "workOrders"`

const joins = (db: Db) => db`
  left join users u on u.id = t.assignee_id
  left join documents d on d.project_id = t.project_id and d.id = t.feature_id`

/** Quotes by the week in which their report came, oldest first. */
const trendOf = (db: Db) => db`array(
  select coalesce(counted.quotes, 0)::int from generate_series(${TREND_WEEKS}::int - 1, 0, -1) as ago (weeks)
  left join (
    select floor(extract(epoch from now() - q.reported_at) / 604800)::int as weeks, count(*) as quotes from quotes q
    where q.project_id = t.project_id and q.theme_id = t.id
      and q.reported_at > now() - make_interval(weeks => ${TREND_WEEKS}::int)
    group by 1
  ) counted using (weeks) order by weeks desc)`

const lastQuotesOf = (db: Db) => db`coalesce((
  select json_agg(json_build_object('id', q.id, 'feedbackItemId', i.id, 'feedbackNumber', i.feedback_number,
    'endUserEmail', i.end_user_email, 'textExcerpt', left(q.text_excerpt, 500), 'reportedAt', q.reported_at)
    order by q.reported_at desc, q.id desc)
  from (select * from quotes q where q.project_id = t.project_id and q.theme_id = t.id
    order by q.reported_at desc, q.id desc limit ${LAST_QUOTES}) q
  join feedback_items i on i.project_id = q.project_id and i.id = q.feedback_item_id), '[]')`

const workOrdersOf = (db: Db) => db`coalesce((
  select json_agg(json_build_object('id', w.id, 'workOrderNumber', w.work_order_number, 'title', w.title,
    'status', w.status, 'assignee', case when a.id is not null
      then json_build_object('id', a.id, 'name', a.name, 'email', a.email) end) order by l.position)
  from (select * from context_links l where l.project_id = t.project_id and l.from_id = t.id and l.to_type = 'work_order'
    order by l.position limit ${NAMED_WORK_ORDERS}) l
  join work_orders w on w.project_id = l.project_id and w.id = l.to_id
  left join users a on a.id = w.assignee_id), '[]')`

export interface ThemeCounts {
  statuses: Record<ThemeStatus, number>
  assignedToMe: number
  features: { id: string | null; title: string | null; count: number }[]
}

/** Counts what the sidebar lists. Only open themes count for a person and for a feature. */
export async function countThemes(db: Db, projectId: string, userId: string | null): Promise<ThemeCounts> {
  const [row] = await db<(Omit<ThemeCounts, 'statuses'> & { statuses: Partial<ThemeCounts['statuses']> })[]>`
    with counted as materialized (
      select t.status, t.feature_id, t.status in ('unresolved', 'in_progress') as is_open,
        count(*)::int as count, count(*) filter (where t.assignee_id = ${userId}::uuid)::int as mine
      from themes t where t.project_id = ${projectId} group by 1, 2
    )
    select (select coalesce(json_object_agg(status, count), '{}') from
        (select status, sum(count)::int as count from counted group by status) s) as statuses,
      (select coalesce(sum(mine) filter (where is_open), 0)::int from counted) as "assignedToMe",
      (select coalesce(json_agg(f order by f.count desc, f.title), '[]') from (
        select c.feature_id as id, d.title, sum(c.count)::int as count from counted c
        left join documents d on d.project_id = ${projectId} and d.id = c.feature_id
        where c.is_open group by 1, 2 order by 3 desc, 2 limit 50) f) as features`
  const { statuses, ...rest } = row!
  return { ...rest, statuses: { unresolved: 0, in_progress: 0, resolved: 0, dismissed: 0, ...statuses } }
}

export interface QuotedReport extends LastQuote {
  /** The beginning of the report. */
  content: string
  attachmentCount: number
  source: string
  isByHand: boolean
  isByPerson: boolean
  reason: string | null
}

/** Newest report first, below the one that the page before ended with. */
export const listQuotedReports = (
  db: Db,
  projectId: string,
  themeId: string,
  { limit, before, contentLength }: { limit: number; before: Before | undefined; contentLength: number },
) => db<QuotedReport[]>`
  select q.id, i.id as "feedbackItemId", i.feedback_number as "feedbackNumber", i.end_user_email as "endUserEmail",
    q.text_excerpt as "textExcerpt", q.reported_at as "reportedAt", left(i.markdown_content, ${contentLength}) as content,
    (select count(*)::int from feedback_attachments a
      where a.project_id = i.project_id and a.feedback_item_id = i.id) as "attachmentCount",
    i.source, i.added_by is not null as "isByHand", q.pinned_at is not null as "isByPerson", q.reason
  from quotes q join feedback_items i on i.project_id = q.project_id and i.id = q.feedback_item_id
  where q.project_id = ${projectId} and q.theme_id = ${themeId}
    ${before ? db`and (q.reported_at, q.id) < (${before.reportedAt}::timestamptz, ${before.id}::uuid)` : db``}
  order by q.reported_at desc, q.id desc limit ${limit}`

export interface Before {
  reportedAt: string
  id: string
}
