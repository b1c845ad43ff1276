import { labelEvents, phaseEvents, viewEvents, workOrderEvents } from './events.ts'

export { workOrderEvents } from './events.ts'

import type { Slice } from '../../kernel/slice.ts'
import { registerOwnWorkOrderRoutes } from './app-api.ts'
import { RETURN_EXPIRED_CLAIM, returnExpiredClaim } from './claims/claims.ts'
import { registerEditRoute } from './edit-app-api.ts'
import { registerWorkOrderRoutes } from './external-api.ts'
import { readWorkOrderTexts } from './queries.ts'
import { restorableWorkOrder } from './restoring.ts'
import { workOrderTools } from './tools.ts'

/**
 * Planned work: work orders with their status, phase, labels, plan and comments. `links` owns what a work order is
 * connected to; `projects` knows who can be assigned.
 */
export const workOrders: Slice = {
  name: 'work-orders',
  events: [workOrderEvents, phaseEvents, labelEvents, viewEvents],
  externalApi: registerWorkOrderRoutes,
  appApi(face) {
    registerOwnWorkOrderRoutes(face)
    registerEditRoute(face)
  },
  tools: workOrderTools,
  jobs: { [RETURN_EXPIRED_CLAIM]: { run: returnExpiredClaim } },
  resources: { work_order: readWorkOrderTexts },
  restorable: { work_order: restorableWorkOrder },
}

export { changeWorkOrder } from './change.ts'
export { releaseClaimsOf } from './claims/claims.ts'
export { codingTools } from './coding-tools.ts'
export { addComment, takeBackComment } from './comments/comments.ts'
export { readWorkContext } from './context/markdown.ts'
export { storedWorkOrderTexts } from './context/stored-texts.ts'
export { createWorkOrder, createWorkOrders } from './create.ts'
export { movedWorkOrders } from './moved.ts'
export { listLabels } from './planning/label-queries.ts'
export { addLabel, changeLabel } from './planning/labels.ts'
export { listPhases } from './planning/phase-queries.ts'
export { addPhase, renamePhase, reorderPhases } from './planning/phases.ts'
export { Person as PersonShape } from './schema.ts'
export { WORK_ORDER_WORDS } from './search-queries.ts'
export {
  type ImplementationPlan,
  LABEL_COLORS,
  type LabelColor,
  type Person,
  PRIORITIES,
  type Priority,
  STATUSES,
  type Status as WorkOrderStatus,
  TYPES as WORK_ORDER_TYPES,
  type Type as WorkOrderType,
  toDescription,
} from './work-order.ts'
