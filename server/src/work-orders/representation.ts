import { readTogether } from '../kernel/database/read-together.ts'
import { rememberReads } from '../kernel/database/remembered-reads.ts'
import { represent } from '../kernel/http/answers/representation.ts'
import { readStatedWorkOrders, readWorkOrderStates } from './queries.ts'
import { presentWorkOrder, type WorkOrder } from './work-order.ts'

/** What a caller sees of a work order, and the tag that stands for it. */
export const representWorkOrder = (workOrder: WorkOrder, context?: object[]) =>
  represent(presentWorkOrder(workOrder, context))

/** The same, by id. */
export const findRepresentation = readTogether(
  rememberReads({
    readStates: readWorkOrderStates,
    async readStated(db, projectId, ids) {
      const stated = await readStatedWorkOrders(db, projectId, ids)
      return stated.map(({ state, workOrder }) => ({ id: workOrder.id, state, ...representWorkOrder(workOrder) }))
    },
  }),
)
