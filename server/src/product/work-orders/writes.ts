import { type Db, json } from '../../kernel/database/index.ts'
import { registerResources } from '../links/index.ts'
import type { ImplementationPlan, Priority, Status, Type } from './work-order.ts'

/** The columns of a work order that can be set. */
export interface WorkOrderColumns {
  title: string
  status: Status
  priority: Priority
  type: Type
  phaseId: string | null
  assigneeId: string | null
  labelIds: string[]
  markdownContent: string
  descriptionSnippet: string
  implementationPlan: ImplementationPlan | null
}

/** Converts to the form that the database takes. */
export const toRow = (id: string, columns: WorkOrderColumns) => ({
  id,
  title: columns.title,
  status: columns.status,
  priority: columns.priority,
  type: columns.type,
  phase_id: columns.phaseId,
  assignee_id: columns.assigneeId,
  label_ids: columns.labelIds,
  markdown_content: columns.markdownContent,
  description_snippet: columns.descriptionSnippet,
  implementation_plan: columns.implementationPlan && planToRow(columns.implementationPlan),
})

const planToRow = ({ files, markdownContent }: ImplementationPlan) => ({ files, markdown_content: markdownContent })

const rowTypes = (db: Db) => db`(id uuid, work_order_number int, title text, status text, priority text, type text,
  phase_id uuid, assignee_id uuid, label_ids uuid[], markdown_content text, description_snippet text, implementation_plan jsonb)`

/** Numbers them from `first` in the given order, and registers them as resources. */
export function insertWorkOrders(db: Db, projectId: string, first: number, workOrders: ReturnType<typeof toRow>[]) {
  const rows = workOrders.map((row, index) => ({ ...row, work_order_number: first + index }))
  const ids = workOrders.map((row) => row.id)
  return db`
    with registered as (${registerResources(db, projectId, 'work_order', ids)})
    insert into work_orders (project_id, id, work_order_number, title, status, priority, type, phase_id, assignee_id,
      label_ids, markdown_content, description_snippet, implementation_plan, created_at, updated_at)
    select ${projectId}, r.id, r.work_order_number, r.title, r.status, r.priority, r.type, r.phase_id, r.assignee_id,
      r.label_ids, r.markdown_content, r.description_snippet, nullif(r.implementation_plan, 'null'), now(), now()
    from jsonb_to_recordset(${json(rows)}) as r ${rowTypes(db)}`
}

/** `updated_at` always increases, even within one millisecond, so "changed since" never misses a change. */
export async function updateWorkOrders(
  db: Db,
  projectId: string,
  workOrders: { id: string; columns: WorkOrderColumns }[],
): Promise<void> {
  if (workOrders.length === 0) return
  const rows = workOrders.map((one) => toRow(one.id, one.columns))
  await db`
    update work_orders w set title = r.title, status = r.status, priority = r.priority, type = r.type,
      phase_id = r.phase_id, assignee_id = r.assignee_id, label_ids = r.label_ids,
      markdown_content = r.markdown_content, description_snippet = r.description_snippet, implementation_plan = nullif(r.implementation_plan, 'null'),
      updated_at = greatest(now(), w.updated_at + interval '1 millisecond')
    from jsonb_to_recordset(${json(rows)}) as r ${rowTypes(db)}
    where w.project_id = ${projectId} and w.id = r.id`
}

export async function deleteWorkOrders(db: Db, projectId: string, ids: string[]): Promise<void> {
  await db`delete from work_orders where project_id = ${projectId} and id = any(${ids}::uuid[])`
}

/** Labels may have been deleted while a work order was gone. */
export async function dropLostLabels(db: Db, projectId: string, ids: string[]): Promise<void> {
  await db`update work_orders w set label_ids = array(
      select l.id from unnest(w.label_ids) with ordinality as u (id, place)
      join labels l on l.project_id = w.project_id and l.id = u.id order by u.place)
    where w.project_id = ${projectId} and w.id = any(${ids}::uuid[])`
}
