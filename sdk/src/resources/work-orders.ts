import * as op from '../generated/operations/work-orders.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type WorkOrder = Schemas['WorkOrder']
export type WorkOrderSummary = Schemas['WorkOrderSummary']
export type WorkOrderComment = Schemas['WorkOrderComment']
export type WorkOrderValues = Schemas['WorkOrderValues']
export type BatchResult = Schemas['BatchResult']
export type Label = Schemas['Label']
export type Phase = Schemas['Phase']
export type WorkOrderClaim = Schemas['WorkOrderClaim']
export type WorkOrderContext = Schemas['WorkOrderContext']
export type WorkOrderView = Schemas['WorkOrderView']
export type LeanWorkOrder = Schemas['WorkOrderRow']
export type Assignee = Schemas['Assignee']

export const workOrders = (call: Call) => ({
  /** List work orders. */
  list: (query: Query<'listWorkOrders'> = {}, options?: Options) => call(op.listWorkOrders, { query }, options),
  /** Search by text or exact number. */
  search: (body: Body<'searchWorkOrders'>, options?: Options) => call(op.searchWorkOrders, { body }, options),
  /** Read a work order. */
  get: (id: string, query: Query<'getWorkOrder'> = {}, options?: Options) =>
    call(op.getWorkOrder, { path: { work_order_id: id }, query }, options),
  /** Read a work order by its number. */
  getByNumber: (number: number, query: Query<'getWorkOrderByNumber'> = {}, options?: Options) =>
    call(op.getWorkOrderByNumber, { path: { work_order_number: number }, query }, options),
  /** Create many work orders. */
  batchCreate: (body: Body<'batchCreateWorkOrders'>, options?: Options) =>
    call(op.batchCreateWorkOrders, { body }, options),
  /** Change or delete many work orders. */
  batchUpdate: (body: Body<'batchUpdateWorkOrders'>, options?: Options) =>
    call(op.batchUpdateWorkOrders, { body }, options),
  /** Overwrite the whole description. */
  setDescription: (id: string, body: Body<'setWorkOrderDescription'>, options?: Options) =>
    call(op.setWorkOrderDescription, { path: { work_order_id: id }, body }, options),
  /** Delete a work order. */
  delete: (id: string, options?: Options) => call(op.deleteWorkOrder, { path: { work_order_id: id } }, options),
  /** List comments. */
  listComments: (id: string, options?: Options) =>
    call(op.listWorkOrderComments, { path: { work_order_id: id } }, options),
  /** Comment on a work order. */
  addComment: (id: string, body: Body<'addWorkOrderComment'>, options?: Options) =>
    call(op.addWorkOrderComment, { path: { work_order_id: id }, body }, options),
  /** Change a comment. */
  updateComment: (id: string, commentId: string, body: Body<'updateWorkOrderComment'>, options?: Options) =>
    call(op.updateWorkOrderComment, { path: { work_order_id: id, comment_id: commentId }, body }, options),
  /** Delete a comment. */
  deleteComment: (id: string, commentId: string, options?: Options) =>
    call(op.deleteWorkOrderComment, { path: { work_order_id: id, comment_id: commentId } }, options),
  /** Claim the most urgent work order that is ready. */
  claimNext: (body: Body<'claimNextWorkOrder'> = {}, options?: Options) =>
    call(op.claimNextWorkOrder, { body }, options),
  /** Claim a work order. */
  claim: (id: string, body: Body<'claimWorkOrder'> = {}, options?: Options) =>
    call(op.claimWorkOrder, { path: { work_order_id: id }, body }, options),
  /** Read who has claimed a work order. */
  getClaim: (id: string, options?: Options) => call(op.getWorkOrderClaim, { path: { work_order_id: id } }, options),
  /** Renew a claim. */
  renewClaim: (id: string, body: Body<'renewWorkOrderClaim'>, options?: Options) =>
    call(op.renewWorkOrderClaim, { path: { work_order_id: id }, body }, options),
  /** Give a work order back, or hand it in. */
  releaseClaim: (id: string, body: Body<'releaseWorkOrderClaim'>, options?: Options) =>
    call(op.releaseWorkOrderClaim, { path: { work_order_id: id }, body }, options),
  /** Read what one needs to know to do a work order. */
  getContext: (id: string, query: Query<'getWorkOrderContext'> = {}, options?: Options) =>
    call(op.getWorkOrderContext, { path: { work_order_id: id }, query }, options),
  /** List labels. */
  listLabels: (query: Query<'listLabels'> = {}, options?: Options) => call(op.listLabels, { query }, options),
  /** List phases. */
  listPhases: (options?: Options) => call(op.listPhases, {}, options),
})

/** With what only people who are signed in can do. */
export const ownWorkOrders = (call: Call) => ({
  ...workOrders(call),
  /** List the claims that hold now. */
  listClaims: (options?: Options) => call(op.listWorkOrderClaims, {}, options),
  /** List work orders in short, newest first, or those that changed since. */
  listRows: (query: Query<'listWorkOrderRows'> = {}, options?: Options) =>
    call(op.listWorkOrderRows, { query }, options),
  /** List the people and agents that work is or can be assigned to. */
  listAssignees: (options?: Options) => call(op.listAssignees, {}, options),
  /** List your saved views and those that are shared. */
  listViews: (options?: Options) => call(op.listWorkOrderViews, {}, options),
  /** Save a view. */
  addView: (body: Body<'addWorkOrderView'>, options?: Options) => call(op.addWorkOrderView, { body }, options),
  /** Rename, share or overwrite a view. */
  updateView: (id: string, body: Body<'updateWorkOrderView'>, options?: Options) =>
    call(op.updateWorkOrderView, { path: { view_id: id }, body }, options),
  /** Delete a view. */
  deleteView: (id: string, options?: Options) => call(op.deleteWorkOrderView, { path: { view_id: id } }, options),
  /** Change a work order. Null clears a field. */
  update: (id: string, body: Body<'updateWorkOrder'>, options?: Options) =>
    call(op.updateWorkOrder, { path: { work_order_id: id }, body }, options),
  /** Add a phase, as the last one. */
  addPhase: (body: Body<'addPhase'>, options?: Options) => call(op.addPhase, { body }, options),
  /** Rename a phase. */
  renamePhase: (id: string, body: Body<'renamePhase'>, options?: Options) =>
    call(op.renamePhase, { path: { phase_id: id }, body }, options),
  /** Number the phases in this order. */
  reorderPhases: (body: Body<'reorderPhases'>, options?: Options) => call(op.reorderPhases, { body }, options),
  /** Delete a phase. */
  deletePhase: (id: string, query: Query<'deletePhase'> = {}, options?: Options) =>
    call(op.deletePhase, { path: { phase_id: id }, query }, options),
  /** Add a label. */
  addLabel: (body: Body<'addLabel'>, options?: Options) => call(op.addLabel, { body }, options),
  /** Rename, recolor or archive a label. */
  updateLabel: (id: string, body: Body<'updateLabel'>, options?: Options) =>
    call(op.updateLabel, { path: { label_id: id }, body }, options),
  /** Delete a label and take it off every work order. */
  deleteLabel: (id: string, options?: Options) => call(op.deleteLabel, { path: { label_id: id } }, options),
})
