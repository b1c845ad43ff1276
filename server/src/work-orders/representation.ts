import { representationOf } from '../kernel/http/representation.ts'
import { WorkOrder as WorkOrderShape } from './schema.ts'
import { presentWorkOrder, type WorkOrder } from './work-order.ts'

const represent = representationOf<ReturnType<typeof presentWorkOrder>>(WorkOrderShape)

/** What a caller sees of a work order, and the tag that stands for it. */
export const representWorkOrder = (workOrder: WorkOrder, context?: object[]) =>
  represent(presentWorkOrder(workOrder, context))
