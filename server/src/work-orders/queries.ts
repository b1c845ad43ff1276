import { type Db, likeSubstring, literalLimit } from '../kernel/database.ts'
import { readTogether } from '../kernel/read-together.ts'
import type { Link } from '../links/index.ts'
import { labelsOf, type Referring, type Vocabulary, vocabularyOf } from './vocabulary.ts'
import type { ImplementationPlan, Priority, Sort, Status, Type, WorkOrder, WorkOrderSummary } from './work-order.ts'

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

/** All that a detail shows, for some of a project's work orders; those that do not exist are left out. */
async function readWorkOrders(db: Db, projectId: string, ids: string[]): Promise<Map<string, WorkOrder>> {
  // Written as a sub-select, the list of ids does not make PostgreSQL plan anew for every list.
  const rows = await db<DetailRow[]>`
    select w.id, w.work_order_number, w.title, w.status, w.priority, w.type, w.description_snippet, w.phase_id,
      w.assignee_id, w.markdown_content, w.implementation_plan, w.created_at, w.updated_at,
      array(select l.label_id from work_order_labels l
        where l.project_id = w.project_id and l.work_order_id = w.id) as label_ids,
      (select json_agg(json_build_object('resourceType', c.to_type, 'resourceId', c.to_id) order by c.position)
        from context_links c where c.project_id = w.project_id and c.from_id = w.id) as context,
      (select revision from vocabulary_revision) as vocabulary
    from work_orders w
    where w.project_id = ${projectId} and w.id = any(array(select unnest(${ids}::uuid[])))`
  const vocabulary = await vocabularyOf(db, projectId, rows)
  const found = new Map<string, WorkOrder>()
  for (const row of rows) found.set(row.id, toWorkOrder(row, vocabulary))
  return found
}

export const findWorkOrder = readTogether(readWorkOrders)

export async function findWorkOrderByNumber(db: Db, projectId: string, number: number): Promise<WorkOrder | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from work_orders where project_id = ${projectId} and work_order_number = ${number}::bigint`
  return row && findWorkOrder(db, projectId, row.id)
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
  const found = await readWorkOrders(
    db,
    projectId,
    locked.map((one) => one.id),
  )
  return [...found.values()]
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
    select ${summaryColumns(db)}, ${total} as total from work_orders w
    where w.project_id = ${projectId} and w.work_order_number = any(array(
      select w.work_order_number from work_orders w where ${conditions}
      order by ${orderBy(db, sort)} limit ${literalLimit(db, limit)} offset (select ${offset}::bigint)))
    order by ${orderBy(db, sort)}`
  if (rows.length > 0 || offset === 0)
    return { rows: await toSummaries(db, projectId, rows), total: rows[0]?.total ?? 0 }
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
    select ${summaryColumns(db)} from work_orders w
    where w.project_id = ${projectId} ${matches} order by w.work_order_number limit ${limit}`
  return toSummaries(db, projectId, rows)
}

const summaryColumns = (db: Db) => db`
  w.id, w.work_order_number, w.title, w.status, w.priority, w.type, w.description_snippet, w.phase_id, w.assignee_id,
  array(select l.label_id from work_order_labels l
    where l.project_id = w.project_id and l.work_order_id = w.id) as label_ids,
  (select revision from vocabulary_revision) as vocabulary`

async function toSummaries(db: Db, projectId: string, rows: SummaryRow[]): Promise<WorkOrderSummary[]> {
  const vocabulary = await vocabularyOf(db, projectId, rows)
  return rows.map((row) => toSummary(row, vocabulary))
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

interface SummaryRow extends Referring {
  id: string
  work_order_number: number
  title: string
  status: Status
  priority: Priority
  type: Type
  description_snippet: string
}

interface DetailRow extends SummaryRow {
  markdown_content: string
  implementation_plan: ImplementationPlan | null
  created_at: string
  updated_at: string
  context: Link[] | null
}

// Each field by name: spreading objects costs ten times as much on the path of every read.
const toSummary = (row: SummaryRow, vocabulary: Vocabulary): WorkOrderSummary => ({
  id: row.id,
  workOrderNumber: row.work_order_number,
  title: row.title,
  status: row.status,
  priority: row.priority,
  type: row.type,
  phase: row.phase_id === null ? null : (vocabulary.phases.get(row.phase_id) ?? null),
  assignee: row.assignee_id === null ? null : (vocabulary.people.get(row.assignee_id) ?? null),
  labels: labelsOf(vocabulary, row.label_ids),
  descriptionSnippet: row.description_snippet,
})

const toWorkOrder = (row: DetailRow, vocabulary: Vocabulary): WorkOrder => ({
  id: row.id,
  workOrderNumber: row.work_order_number,
  title: row.title,
  status: row.status,
  priority: row.priority,
  type: row.type,
  phase: row.phase_id === null ? null : (vocabulary.phases.get(row.phase_id) ?? null),
  assignee: row.assignee_id === null ? null : (vocabulary.people.get(row.assignee_id) ?? null),
  labels: labelsOf(vocabulary, row.label_ids),
  descriptionSnippet: row.description_snippet,
  markdownContent: row.markdown_content,
  implementationPlan: row.implementation_plan,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  context: row.context ?? [],
})
