import type { Db } from '../../../kernel/database/index.ts'
import type { Priority, Status, Type } from '../work-order.ts'

/** A work order as a list of thousands holds it: what it refers to stands there by id. */
export interface LeanRow {
  id: string
  work_order_number: number
  title: string
  status: Status
  priority: Priority
  type: Type
  phase_id: string | null
  assignee_id: string | null
  label_ids: string[]
  updated_at: string
  comment_count: number
}

interface Wanted {
  /** Only these. */
  ids?: string[] | undefined
  /** Only those with a smaller number. */
  below?: number | undefined
  limit: number
}

/** Newest first. */
export const listLeanRows = (db: Db, projectId: string, { ids, below, limit }: Wanted) => db<LeanRow[]>`
  with w as (
    select * from work_orders where project_id = ${projectId}
      and ${ids ? db`id = any(${ids}::uuid[])` : db`true`}
      and ${below === undefined ? db`true` : db`work_order_number < ${below}`}
    order by work_order_number desc limit ${limit}
  )
  select w.id, w.work_order_number, w.title, w.status, w.priority, w.type, w.phase_id, w.assignee_id, w.label_ids,
    w.updated_at, coalesce(c.count, 0) as comment_count
  from w left join (
    select work_order_id, count(*)::int from work_order_comments
    where project_id = ${projectId} and work_order_id in (select id from w) group by work_order_id
  ) c on c.work_order_id = w.id
  order by w.work_order_number desc`

const UNSETTLED = '30 seconds'
const MOST_RECENT = 5_000

/**
 * The last event before those of the last seconds. Transactions that began in these seconds may still commit with a
 * number below events that can be seen, so a reader that starts here misses nothing and reads a few things twice.
 */
export async function findRowPosition(db: Db, projectId: string): Promise<string> {
  const [row] = await db<{ position: string | null }[]>`
    select coalesce(min(id) filter (where created_at > now() - ${UNSETTLED}::interval) - 1, max(id))::text as position
    from (select id, created_at from events where project_id = ${projectId} order by id desc limit ${MOST_RECENT}) as e`
  return row?.position ?? '0'
}

/** The work orders that something happened to. Undefined if it was too much to look through. */
export async function findTouched(db: Db, projectId: string, after: string): Promise<string[] | undefined> {
  const rows = await db<{ subject_id: string; subject_type: string }[]>`
    select subject_id, subject_type from events where project_id = ${projectId} and id > ${after}::bigint
    order by id limit ${MOST_RECENT}`
  if (rows.length === MOST_RECENT) return undefined
  return [...new Set(rows.flatMap((row) => (row.subject_type === 'work_order' ? [row.subject_id] : [])))]
}

/**
 * The members that work can be assigned to, and those who left with work still assigned to them. An account that cannot
 * sign in, but has a key or has acted as an agent, is one that agents work under.
 */
export const listAssignees = (db: Db, projectId: string) => db<
  { id: string; name: string; email: string; is_member: boolean; is_agent: boolean }[]
>`select u.id, u.name, u.email, bool_or(p.is_member) as is_member,
    not exists (select from credentials c where c.user_id = u.id)
    and (exists (select from api_keys k where k.project_id = ${projectId} and k.user_id = u.id)
      or exists (select from events e where e.project_id = ${projectId} and e.user_id = u.id and e.origin = 'agent'))
    as is_agent
  from (
    select user_id as id, true as is_member from project_members where project_id = ${projectId}
    union all
    select distinct assignee_id, false from work_orders where project_id = ${projectId} and assignee_id is not null
  ) p join users u on u.id = p.id
  group by u.id order by lower(u.name), u.id`
