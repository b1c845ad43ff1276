import { type Db, likeSubstring, listOf, query, selectByIds, Values } from '../../kernel/database/index.ts'
import { contextOf, linksIn } from '../links/index.ts'
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

/** All filters must match. Each accepts any of its values. */
export interface ListFilters {
  statuses?: Status[] | undefined
  priorities?: Priority[] | undefined
  types?: Type[] | undefined
  phaseIds?: string[] | undefined
  phaseNumbers?: number[] | undefined
  assigneeIds?: string[] | undefined
  /** Substrings of names. */
  assigneeNames?: string[] | undefined
  /** Substrings of titles. */
  titles?: string[] | undefined
  labelIds?: string[] | undefined
}

/** The names that it refers to are joined by `NAMES`. */
export const SUMMARY_COLUMNS = `w.id, w.work_order_number, w.title, w.status, w.priority, w.type, w.description_snippet,
  w.phase_id, p.phase_number, p.title as phase_title, w.assignee_id, u.name as assignee_name, u.email as assignee_email,
  case when w.label_ids <> '{}' then (
    select json_agg(json_build_object('id', l.id, 'title', l.title, 'color', l.color, 'archived', l.archived))
    from labels l where l.project_id = w.project_id and l.id = any(w.label_ids)) end as labels`
export const NAMES = `left join phases p on p.project_id = w.project_id and p.id = w.phase_id
  left join users u on u.id = w.assignee_id`

const selectDetails = selectByIds<DetailRow>(
  `select ${SUMMARY_COLUMNS}, w.markdown_content, w.implementation_plan, w.created_at, w.updated_at,
    ${contextOf('w')} as context from work_orders w ${NAMES} where w.project_id = $1 and w.id =`,
)

/** Reads everything that a detail shows. Skips ids that do not exist. */
export const readWorkOrders = (db: Db, projectId: string, ids: string[]) =>
  selectDetails(db, projectId, ids).map((rows) => rows.map(toWorkOrder))

export async function findWorkOrder(db: Db, projectId: string, id: string): Promise<WorkOrder | undefined> {
  const [first] = await readWorkOrders(db, projectId, [id])
  return first
}

export async function findWorkOrderByNumber(db: Db, projectId: string, number: number): Promise<WorkOrder | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from work_orders where project_id = ${projectId} and work_order_number = ${number}::bigint`
  return row && findWorkOrder(db, projectId, row.id)
}

/** Those whose description or plan contains `part`. */
export const listTextsWith = (db: Db, projectId: string, part: string) => db<{ id: string }[]>`
  select id from work_orders where project_id = ${projectId} and (position(${part} in markdown_content) > 0
    or position(${part} in implementation_plan->>'markdown_content') > 0) order by id`

/** Returns whether it exists, and keeps it from being deleted until the transaction ends. */
export async function holdWorkOrder(db: Db, projectId: string, id: string): Promise<boolean> {
  const [found] = await db`select 1 from work_orders where project_id = ${projectId} and id = ${id} for key share`
  return found !== undefined
}

/** Locks in the order of ids, so two writers of the same work orders cannot deadlock. */
export async function lockWorkOrders(
  db: Db,
  projectId: string,
  ids: string[],
  numbers: number[],
): Promise<WorkOrder[]> {
  const locked = await db<{ id: string }[]>`
    select id from work_orders
    where project_id = ${projectId} and (id = any(${listOf(ids, 'uuid')})
      or work_order_number = any(${listOf(numbers, 'bigint')}))
    order by id for update`
  if (locked.length === 0) return []
  // Read after the wait, because a statement that waited for a row lock sees joined rows as they were before.
  return readWorkOrders(
    db,
    projectId,
    locked.map((one) => one.id),
  )
}

interface List {
  filters: ListFilters
  sort: Sort
  limit: number
  offset: number
}

export async function listWorkOrders(
  db: Db,
  projectId: string,
  { filters, sort, limit, offset }: List,
): Promise<{ rows: WorkOrderSummary[]; total: number }> {
  const values = new Values()
  const project = values.add(projectId)
  const filtering = filterConditions(values, project, filters)
  const conditions = [`w.project_id = ${project}`, ...filtering].join(' and ')
  // `counters` holds the total of all. Only a filter requires counting.
  const total =
    filtering.length > 0
      ? `(select count(*)::int from work_orders w where ${conditions})`
      : `(select coalesce(max(live), 0) from counters where project_id = ${project} and name = 'work_order')`
  const counting = { text: `select ${total} as total`, values: values.all.slice() }
  const rows = await query<SummaryRow & { total: number }>(
    db,
    `select ${SUMMARY_COLUMNS}, ${total} as total from work_orders w ${NAMES}
    where w.project_id = ${project} and w.work_order_number = any(array(
      select w.work_order_number from work_orders w where ${conditions}
      order by ${ORDER_BY[sort]} limit ${Math.trunc(limit)} offset (select ${values.add(offset)}::bigint)))
    order by ${ORDER_BY[sort]}`,
    values.all,
  )
  if (rows.length > 0 || offset === 0) return { rows: rows.map(toSummary), total: rows[0]?.total ?? 0 }
  const [counted] = await query<{ total: number }>(db, counting.text, counting.values)
  return { rows: [], total: counted!.total }
}

export const readWorkOrderTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string }[]
>`select id, title, markdown_content as "markdownContent" from work_orders
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

function filterConditions(values: Values, project: string, filters: ListFilters): string[] {
  const { statuses, priorities, types, phaseIds, phaseNumbers, assigneeIds, assigneeNames, titles, labelIds } = filters
  const some = [
    statuses && `w.status = any(${values.add(statuses)})`,
    priorities && `w.priority = any(${values.add(priorities)})`,
    types && `w.type = any(${values.add(types)})`,
    phaseIds && `w.phase_id = any(${values.add(phaseIds)}::uuid[])`,
    phaseNumbers &&
      `w.phase_id in (select id from phases where project_id = ${project} and phase_number = any(${values.add(phaseNumbers)}::int[]))`,
    assigneeIds && `w.assignee_id = any(${values.add(assigneeIds)}::uuid[])`,
    assigneeNames &&
      `w.assignee_id in (select id from users where name ilike any(${values.add(assigneeNames.map(likeSubstring))}))`,
    titles && `w.title ilike any(${values.add(titles.map(likeSubstring))})`,
    labelIds && `w.label_ids && ${values.add(labelIds)}::uuid[]`,
  ]
  return some.filter((one) => one !== undefined)
}

const ORDER_BY: Record<Sort, string> = {
  number: 'w.work_order_number',
  '-number': 'w.work_order_number desc',
  updated: 'w.updated_at, w.work_order_number',
  '-updated': 'w.updated_at desc, w.work_order_number desc',
  priority: `array_position(array['urgent', 'high', 'medium', 'low', 'no_priority'], w.priority), w.work_order_number`,
}

export interface SummaryRow {
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
  implementation_plan: { files: ImplementationPlan['files']; markdown_content: string } | null
  created_at: string
  updated_at: string
  context: string[]
}

const phaseOf = (row: SummaryRow) =>
  row.phase_id === null ? null : { id: row.phase_id, phaseNumber: row.phase_number, title: row.phase_title }

const assigneeOf = (row: SummaryRow) =>
  row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name, email: row.assignee_email }

/** By title, like the list of labels. */
const sortLabels = (labels: Label[]) => (labels.length < 2 ? labels : labels.sort(byTitle))

function byTitle(one: Label, other: Label): number {
  const [first, second] = [one.title.toLowerCase(), other.title.toLowerCase()]
  if (first !== second) return first < second ? -1 : 1
  return one.id < other.id ? -1 : 1
}

// Names each field, because spreading objects costs ten times as much on the path of every read.
export const toSummary = (row: SummaryRow): WorkOrderSummary => ({
  id: row.id,
  workOrderNumber: row.work_order_number,
  title: row.title,
  status: row.status,
  priority: row.priority,
  type: row.type,
  phase: phaseOf(row),
  assignee: assigneeOf(row),
  labels: sortLabels(row.labels ?? []),
  descriptionSnippet: row.description_snippet,
})

const toPlan = (row: NonNullable<DetailRow['implementation_plan']>): ImplementationPlan => ({
  files: row.files,
  markdownContent: row.markdown_content,
})

const toWorkOrder = (row: DetailRow): WorkOrder => ({
  id: row.id,
  workOrderNumber: row.work_order_number,
  title: row.title,
  status: row.status,
  priority: row.priority,
  type: row.type,
  phase: phaseOf(row),
  assignee: assigneeOf(row),
  labels: sortLabels(row.labels ?? []),
  descriptionSnippet: row.description_snippet,
  markdownContent: row.markdown_content,
  implementationPlan: row.implementation_plan && toPlan(row.implementation_plan),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  context: linksIn(row.context),
})
