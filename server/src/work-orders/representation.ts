import { represent } from '../kernel/http/representation.ts'
import { presentWorkOrder, type WorkOrder } from './work-order.ts'

/** What a caller sees of a work order, and the tag that stands for it. */
export const representWorkOrder = (workOrder: WorkOrder, context?: object[]) =>
  represent(presentWorkOrder(workOrder, context))
