import { type Db, sendTogether } from '../../../kernel/database/index.ts'
import type { Priority } from '../../work-orders/index.ts'
import type { ItemStatus } from '../items/feedback-item.ts'
import type { ThemeStatus, ThemeType } from '../themes/theme.ts'
import { MAX_COUNTED } from './inbox-queries.ts'

/** A theme that a report may belong to. */
export interface Candidate {
  id: string
  number: number
  title: string
  status: ThemeStatus
  type: ThemeType
  priority: Priority
  quoteCount: number
  peopleCount: number
  workOrderNumbers: number[]
  score: number
  /** Near enough to be suggested. The others are only the nearest. */
  isNear: boolean
  shared: string[]
  excerpt: string
}

export interface Similar {
  number: number
  title: string
  endUserEmail: string
  themeNumbers: number[]
  score: number
}

export interface OtherReport {
  number: number
  title: string
  status: ItemStatus
  createdAt: string
}

export interface Reporter {
  /** With this one, up to 1,000. */
  total: number
  /** How many came before this one, and this one. */
  place: number
  /** This one is the first of its month. */
  isFirstOfMonth: boolean
  member: { id: string; name: string } | null
  others: OtherReport[]
}

const MAX_OTHERS = 5

const themeNumbersOf = (db: Db) => db`
  coalesce((select json_agg(t.theme_number order by q.id) from quotes q join themes t
    on t.project_id = q.project_id and t.id = q.theme_id
    where q.project_id = i.project_id and q.feedback_item_id = i.id), '[]') as "themeNumbers"`

const listCandidates = (db: Db, projectId: string, itemId: string) => db<Candidate[]>`
  select t.id, t.theme_number as number, t.title, t.status, t.type, t.priority, t.quote_count as "quoteCount",
    t.people_count as "peopleCount",
    coalesce((select json_agg(w.work_order_number order by w.work_order_number) from context_links l
      join work_orders w on w.project_id = l.project_id and w.id = l.to_id
      where l.project_id = t.project_id and l.from_id = t.id and l.to_type = 'work_order'), '[]') as "workOrderNumbers",
    c.score, c.is_near as "isNear", c.shared, c.excerpt
  from feedback_suggestions s, rows from (jsonb_to_recordset(s.themes)
      as (theme_id uuid, score float8, is_near boolean, shared text[], excerpt text))
    with ordinality as c (theme_id, score, is_near, shared, excerpt, place)
    join themes t on t.project_id = ${projectId} and t.id = c.theme_id
  where s.project_id = ${projectId} and s.feedback_item_id = ${itemId} order by c.place`

const listSimilar = (db: Db, projectId: string, itemId: string) => db<Similar[]>`
  select i.feedback_number as number, i.title, i.end_user_email as "endUserEmail", ${themeNumbersOf(db)}, c.score
  from feedback_suggestions s, rows from (jsonb_to_recordset(s.similar_items) as (item_id uuid, score float8))
    with ordinality as c (item_id, score, place)
    join feedback_items i on i.project_id = ${projectId} and i.id = c.item_id
  where s.project_id = ${projectId} and s.feedback_item_id = ${itemId} order by c.place`

/** Who has the address of the reporter: their other reports, and their account if they are a member. */
const findReporter = (db: Db, projectId: string, itemId: string) =>
  db<Reporter[]>`
  with this as (select feedback_number, lower(end_user_email) as email, created_at from feedback_items
    where project_id = ${projectId} and id = ${itemId}),
  theirs as (select i.feedback_number, i.title, i.status, i.created_at from feedback_items i, this
    where i.project_id = ${projectId} and lower(i.end_user_email) = this.email
    order by i.feedback_number desc limit ${MAX_COUNTED})
  select (select count(*)::int from theirs) as total,
    (select count(*)::int from theirs where feedback_number <= this.feedback_number) as place,
    not exists (select 1 from theirs where feedback_number < this.feedback_number
      and date_trunc('month', created_at) = date_trunc('month', this.created_at)) as "isFirstOfMonth",
    (select json_build_object('id', u.id, 'name', u.name) from users u join project_members m on m.user_id = u.id
      where m.project_id = ${projectId} and lower(u.email) = this.email limit 1) as member,
    coalesce((select json_agg(o) from (select feedback_number as number, title, status, created_at as "createdAt"
      from theirs where feedback_number <> this.feedback_number limit ${MAX_OTHERS}) as o), '[]') as others
  from this`.map(([row]) => row!)

/** Who added it by hand, and whether a person said that it is not feedback. */
export const findHandling = (db: Db, projectId: string, itemId: string) =>
  db<{ addedBy: { id: string; name: string } | null; isNotFeedback: boolean }[]>`
  select (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = i.added_by) as "addedBy",
    exists (select 1 from triage_lessons l where l.project_id = i.project_id and l.feedback_item_id = i.id
      and l.theme_id is null) as "isNotFeedback"
  from feedback_items i where i.project_id = ${projectId} and i.id = ${itemId}`.map(([row]) => row!)

export async function readSurroundings(db: Db, projectId: string, itemId: string) {
  const [candidates, similar, reporter] = await sendTogether([
    listCandidates(db, projectId, itemId),
    listSimilar(db, projectId, itemId),
    findReporter(db, projectId, itemId),
  ])
  return { candidates, similar, reporter }
}
