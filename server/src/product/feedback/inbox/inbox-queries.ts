import { type Db, likeSubstring, query, Values } from '../../../kernel/database/index.ts'
import type { ItemStatus } from '../items/feedback-item.ts'
import type { InboxItem } from './inbox-item.ts'

export interface InboxFilter {
  status?: ItemStatus | undefined
  source?: string | undefined
  themeNumber?: number | undefined
  endUserEmail?: string | undefined
  from?: string | undefined
  before?: string | undefined
  words?: string[] | undefined
}

export interface InboxPage extends InboxFilter {
  /** Only these. */
  ids?: string[] | undefined
  /** Begins after the item with this number. */
  after?: number | undefined
  oldestFirst: boolean
  limit: number
}

/** What is counted is counted no further. */
export const MAX_COUNTED = 1_000

const mark = (alias: string) => `json_build_object('id', ${alias}.id, 'number', ${alias}.theme_number,
  'title', ${alias}.title, 'status', ${alias}.status)`

/** An older one may lack a theme that was opened since. */
const IS_COMPUTED = `s.computed_at >= coalesce((select max(created_at) from themes where project_id = $1), '-infinity')`

const COLUMNS = `i.id, i.feedback_number as "feedbackNumber", i.title, i.status, i.end_user_email as "endUserEmail",
  i.source, i.added_by is not null as "isByHand", i.created_at as "createdAt",
  (select count(*)::int from feedback_attachments a where a.project_id = i.project_id and a.feedback_item_id = i.id)
    as "attachmentCount",
  coalesce((select json_agg(${mark('t')} order by q.id) from quotes q
    join themes t on t.project_id = q.project_id and t.id = q.theme_id
    where q.project_id = i.project_id and q.feedback_item_id = i.id), '[]') as themes,
  (select ${mark('t')} from themes t where i.status = 'to_process' and t.project_id = i.project_id
    and t.id = (select (c.one->>'theme_id')::uuid from jsonb_array_elements(s.themes) as c (one)
      where (c.one->>'is_near')::boolean limit 1)) as suggested,
  i.status = 'to_process' and ${IS_COMPUTED} is not true as "isSuggestionDue"`

const JOINED = `left join feedback_suggestions s on s.project_id = i.project_id and s.feedback_item_id = i.id`

interface Matching {
  values: Values
  tables: string
  conditions: string[]
  /** The column that says when the report came. */
  time: string
}

/**
 * Which reports a list has. Those of a theme are read from its quotes, which repeat the time of their report; its id is a
 * value of the statement, so that PostgreSQL knows whether the theme is a large one. Undefined if there is no such theme.
 */
async function matchingOf(db: Db, projectId: string, filter: InboxFilter): Promise<Matching | undefined> {
  const values = new Values()
  const conditions = [`i.project_id = ${values.add(projectId)}`]
  const { status, source, themeNumber, endUserEmail, from, before, words = [] } = filter
  let [tables, time] = ['feedback_items i', 'i.created_at']
  if (themeNumber !== undefined) {
    const [theme] = await db<{ id: string }[]>`select id from themes
      where project_id = ${projectId} and theme_number = ${themeNumber}`
    if (!theme) return undefined
    tables = 'quotes q join feedback_items i on i.project_id = q.project_id and i.id = q.feedback_item_id'
    time = 'q.reported_at'
    conditions.push(`q.project_id = $1 and q.theme_id = ${values.add(theme.id)}`)
  }
  if (status !== undefined) conditions.push(`i.status = ${values.add(status)}`)
  if (source !== undefined) conditions.push(`i.source = ${values.add(source)}`)
  if (endUserEmail !== undefined) conditions.push(`lower(i.end_user_email) = lower(${values.add(endUserEmail)})`)
  if (from !== undefined) conditions.push(`${time} >= ${values.add(from)}`)
  if (before !== undefined) conditions.push(`${time} < ${values.add(before)}`)
  // One condition per word: an index cannot be used for `ilike all`.
  for (const word of words) conditions.push(`i.markdown_content ilike ${values.add(likeSubstring(word))}`)
  return { values, tables, conditions, time }
}

// The best plan depends on the values, such as how rare a word is, so these statements are planned each time.
const PLANNED_EACH_TIME = { prepare: false }

/**
 * One page. A range of time and the reports of a theme are read in the order of time, because PostgreSQL would look for them
 * from the newest number on; otherwise by number, which every other index has.
 */
export async function listInbox(db: Db, projectId: string, page: InboxPage): Promise<InboxItem[]> {
  const matching = await matchingOf(db, projectId, page)
  if (!matching) return []
  const { values, tables, conditions, time } = matching
  const { ids, after, oldestFirst, limit, from, before, themeNumber } = page
  const [beyond, direction] = oldestFirst ? ['>', 'asc'] : ['<', 'desc']
  const isTimed = from !== undefined || before !== undefined || themeNumber !== undefined
  if (ids !== undefined) conditions.push(`i.id = any(${values.add(ids)}::uuid[])`)
  if (after !== undefined) {
    const number = values.add(after)
    const then = `(select created_at from feedback_items where project_id = $1 and feedback_number = ${number})`
    conditions.push(
      isTimed
        ? `${time} ${beyond}= ${then} and (${time}, i.feedback_number) ${beyond} (${then}, ${number})`
        : `i.feedback_number ${beyond} ${number}`,
    )
  }
  const order = (column: string) => `${isTimed ? `${column} ${direction}, ` : ''}i.feedback_number ${direction}`
  const text = `select ${COLUMNS} from (
      select i.* from ${tables} where ${conditions.join(' and ')} order by ${order(time)} limit ${limit}
    ) i ${JOINED} order by ${order('i.created_at')}`
  return query<InboxItem>(db, text, values.all, PLANNED_EACH_TIME)
}

/** How many match, up to `MAX_COUNTED`. */
export async function countInbox(db: Db, projectId: string, filter: InboxFilter): Promise<number> {
  const matching = await matchingOf(db, projectId, filter)
  if (!matching) return 0
  const { values, tables, conditions } = matching
  const text = `select count(*)::int as count from (
    select 1 from ${tables} where ${conditions.join(' and ')} limit ${MAX_COUNTED}) as matching`
  const [row] = await query<{ count: number }>(db, text, values.all, PLANNED_EACH_TIME)
  return row!.count
}

const FIND = `select ${COLUMNS} from feedback_items i ${JOINED} where i.project_id = $1 and i.feedback_number = $2`

export const findInboxItem = (db: Db, projectId: string, number: number) =>
  query<InboxItem>(db, FIND, [projectId, number]).map(([row]) => row)

export interface SourceReports {
  name: string
  recent: number
  lastAt: string
}

/**
 * How many reports came through each source in the last 30 days, and when the last one came. The days begin at a number,
 * because the index of sources has no times.
 */
export const countSourceReports = (db: Db, projectId: string, names: string[]) => db<SourceReports[]>`
  with first as materialized (select feedback_number as number from feedback_items
    where project_id = ${projectId} and created_at > now() - interval '30 days' order by created_at, feedback_number limit 1)
  select n.name, counted.recent, last.created_at as "lastAt"
  from unnest(${names}::text[]) as n (name)
    cross join lateral (select count(i.feedback_number)::int as recent
      from unnest(array['to_process', 'processed']) as s (status) join feedback_items i on i.project_id = ${projectId}
        and i.source = n.name and i.status = s.status and i.feedback_number >= (select number from first)) counted
    cross join lateral (select max(i.created_at) as created_at from unnest(array['to_process', 'processed']) as s (status),
      lateral (select created_at from feedback_items where project_id = ${projectId} and source = n.name
        and status = s.status order by feedback_number desc limit 1) i) last
  where last.created_at is not null`

export interface Source {
  name: string
  isByHand: boolean
  /** Up to `MAX_COUNTED`. */
  toProcess: number
}

/** Goes from one name to the next in the index, so it takes as long as there are sources, not reports. */
export const listSources = (db: Db, projectId: string) => db<Source[]>`
  with recursive names as (
    (select source from feedback_items where project_id = ${projectId} order by source limit 1)
    union all
    select (select i.source from feedback_items i where i.project_id = ${projectId} and i.source > n.source
      order by i.source limit 1)
    from names n where n.source is not null
  )
  select n.source as name,
    (select i.added_by is not null from feedback_items i where i.project_id = ${projectId} and i.source = n.source limit 1)
      as "isByHand",
    (select count(*)::int from (select 1 from feedback_items i where i.project_id = ${projectId} and i.source = n.source
      and i.status = 'to_process' limit ${MAX_COUNTED}) as counted) as "toProcess"
  from names n where n.source <> '' order by "toProcess" desc, n.source limit 50`
