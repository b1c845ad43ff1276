import { readTogether } from '../../kernel/database/read-together.ts'
import { representing } from '../../kernel/http/answers/representation.ts'
import type { Link } from '../links/index.ts'
import { readWorkOrders } from './queries.ts'
import { WorkOrderData } from './schema.ts'
import { presentWorkOrder, type WorkOrder } from './work-order.ts'

const represent = representing(WorkOrderData)

/** The response for a work order, with its entity tag. */
export const representWorkOrder = (workOrder: WorkOrder, context?: Link[]) =>
  represent(presentWorkOrder(workOrder, context))

/** The same by id. */
export const findRepresentation = readTogether(async (db, projectId, ids) => {
  const workOrders = await readWorkOrders(db, projectId, ids)
  return new Map(workOrders.map((workOrder) => [workOrder.id, representWorkOrder(workOrder)]))
})
