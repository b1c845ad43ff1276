import { type Db, likeSubstring } from '../kernel/database.ts'
import type { Link } from '../links/index.ts'
import type {
  ImplementationPlan,
  Label,
  Priority,
  Sort,
  Status,
  Type,
  WorkOrder,
  WorkOrderSummary,
} from './work-order.ts'

export interface ListFilters {
  status?: Status[]
  priority?: Priority[]
  type?: Type[]
  phase_id?: string[]
  phase_number?: number[]
  assignee_id?: string[]
  assignee_name?: string[]
  title?: string[]
  label_id?: string[]
}

const summaryColumns = (db: Db) => db`
  w.id, w.work_order_number, w.title, w.status, w.priority, w.type, w.description_snippet,
  p.id as phase_id, p.phase_number, p.title as phase_title,
  u.id as assignee_id, u.name as assignee_name, u.email as assignee_email,
  (select json_agg(json_build_object('id', l.id, 'title', l.title, 'color', l.color, 'archived', l.archived)
      order by lower(l.title), l.id)
    from work_order_labels wl join labels l on l.project_id = wl.project_id and l.id = wl.label_id
    where wl.project_id = w.project_id and wl.work_order_id = w.id) as labels`

const detailColumns = (db: Db) => db`${summaryColumns(db)},
  w.markdown_content, w.implementation_plan, w.created_at, w.updated_at,
  (select json_agg(json_build_object('resourceType', c.to_type, 'resourceId', c.to_id) order by c.position)
    from context_links c where c.project_id = w.project_id and c.from_id = w.id) as context`

const joins = (db: Db) => db`
  left join phases p on p.project_id = w.project_id and p.id = w.phase_id
  left join users u on u.id = w.assignee_id`

export async function findWorkOrder(db: Db, projectId: string, id: string): Promise<WorkOrder | undefined> {
  const [row] = await db<DetailRow[]>`
    select ${detailColumns(db)} from work_orders w ${joins(db)} where w.project_id = ${projectId} and w.id = ${id}`
  return row && toWorkOrder(row)
}

export async function findWorkOrderByNumber(db: Db, projectId: string, number: number): Promise<WorkOrder | undefined> {
  const [row] = await db<DetailRow[]>`
    select ${detailColumns(db)} from work_orders w ${joins(db)}
    where w.project_id = ${projectId} and w.work_order_number = ${number}::bigint`
  return row && toWorkOrder(row)
}

/** Locked in the order of their ids, so that two writers of the same ones never wait for each other in a circle. */
export async function lockWorkOrders(
  db: Db,
  projectId: string,
  ids: string[],
  numbers: number[],
): Promise<WorkOrder[]> {
  const locked = await db<{ id: string }[]>`
    select id from work_orders
    where project_id = ${projectId} and (id = any(${ids}::uuid[]) or work_order_number = any(${numbers}::bigint[]))
    order by id for update`
  if (locked.length === 0) return []
  // Read after the wait: a statement that waited for a row sees that row as it is, but what it joins as it was.
  const rows = await db<DetailRow[]>`
    select ${detailColumns(db)} from work_orders w ${joins(db)}
    where w.project_id = ${projectId} and w.id = any(${locked.map((one) => one.id)}::uuid[])`
  return rows.map(toWorkOrder)
}

export async function listWorkOrders(
  db: Db,
  projectId: string,
  filters: ListFilters,
  sort: Sort,
  limit: number,
  offset: number,
): Promise<{ rows: WorkOrderSummary[]; total: number }> {
  const { conditions, filtered } = filterConditions(db, projectId, filters)
  // The count of all is kept beside the counter; only a filter makes us count.
  const total = filtered
    ? db`(select count(*)::int from work_orders w where ${conditions})`
    : db`(select coalesce(max(live), 0) from counters where project_id = ${projectId} and name = 'work_order')`
  const rows = await db<(SummaryRow & { total: number })[]>`
    select ${summaryColumns(db)}, w.total
    from (select w.*, ${total} as total from work_orders w where ${conditions}
      order by ${orderBy(db, sort)} limit ${limit} offset ${offset}) w
    ${joins(db)} order by ${orderBy(db, sort)}`
  if (rows.length > 0 || offset === 0) return { rows: rows.map(toSummary), total: rows[0]?.total ?? 0 }
  const [counted] = await db<{ total: number }[]>`select ${total} as total`
  return { rows: [], total: counted!.total }
}

export async function searchWorkOrders(
  db: Db,
  projectId: string,
  terms: string[],
  limit: number,
): Promise<WorkOrderSummary[]> {
  const matches = terms
    .map(likeSubstring)
    .map((term) => db`and (w.title ilike ${term} or w.markdown_content ilike ${term})`)
  const rows = await db<SummaryRow[]>`
    select ${summaryColumns(db)} from work_orders w ${joins(db)}
    where w.project_id = ${projectId} ${matches} order by w.work_order_number limit ${limit}`
  return rows.map(toSummary)
}

export const readWorkOrderTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string }[]
>`select id, title, markdown_content as "markdownContent" from work_orders
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

function filterConditions(db: Db, projectId: string, filters: ListFilters) {
  const { status, priority, type, phase_id, phase_number, assignee_id, assignee_name, title, label_id } = filters
  const some = [
    status && db`and w.status = any(${status})`,
    priority && db`and w.priority = any(${priority})`,
    type && db`and w.type = any(${type})`,
    phase_id && db`and w.phase_id = any(${phase_id}::uuid[])`,
    phase_number &&
      db`and w.phase_id in (select id from phases where project_id = ${projectId} and phase_number = any(${phase_number}::int[]))`,
    assignee_id && db`and w.assignee_id = any(${assignee_id}::uuid[])`,
    assignee_name &&
      db`and w.assignee_id in (select id from users where name ilike any(${assignee_name.map(likeSubstring)}))`,
    title && db`and w.title ilike any(${title.map(likeSubstring)})`,
    label_id &&
      db`and w.id in (select work_order_id from work_order_labels where project_id = ${projectId} and label_id = any(${label_id}::uuid[]))`,
  ].filter((one) => one !== undefined)
  const filtered = some.length > 0
  return { conditions: db`w.project_id = ${projectId} ${filtered ? some : db``}`, filtered }
}

function orderBy(db: Db, sort: Sort) {
  switch (sort) {
    case 'number':
      return db`w.work_order_number`
    case '-number':
      return db`w.work_order_number desc`
    case 'updated':
      return db`w.updated_at, w.work_order_number`
    case '-updated':
      return db`w.updated_at desc, w.work_order_number desc`
    case 'priority':
      return db`array_position(array['urgent', 'high', 'medium', 'low', 'no_priority'], w.priority), w.work_order_number`
  }
}

interface SummaryRow {
  id: string
  work_order_number: number
  title: string
  status: Status
  priority: Priority
  type: Type
  description_snippet: string
  phase_id: string | null
  phase_number: number
  phase_title: string
  assignee_id: string | null
  assignee_name: string
  assignee_email: string
  labels: Label[] | null
}

interface DetailRow extends SummaryRow {
  markdown_content: string
  implementation_plan: ImplementationPlan | null
  created_at: string
  updated_at: string
  context: Link[] | null
}

const toSummary = (row: SummaryRow): WorkOrderSummary => ({
  id: row.id,
  workOrderNumber: row.work_order_number,
  title: row.title,
  status: row.status,
  priority: row.priority,
  type: row.type,
  phase: row.phase_id === null ? null : { id: row.phase_id, phaseNumber: row.phase_number, title: row.phase_title },
  assignee:
    row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name, email: row.assignee_email },
  labels: row.labels ?? [],
  descriptionSnippet: row.description_snippet,
})

const toWorkOrder = (row: DetailRow): WorkOrder => ({
  ...toSummary(row),
  markdownContent: row.markdown_content,
  implementationPlan: row.implementation_plan,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  context: row.context ?? [],
})
