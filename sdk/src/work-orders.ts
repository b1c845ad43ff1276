import type { Body, Call, Options, Query, Schemas } from './operation.ts'

export type WorkOrder = Schemas['WorkOrder']
export type WorkOrderSummary = Schemas['WorkOrderSummary']
export type WorkOrderComment = Schemas['WorkOrderComment']
export type WorkOrderValues = Schemas['WorkOrderValues']
export type BatchResult = Schemas['BatchResult']
export type Label = Schemas['Label']
export type Phase = Schemas['Phase']

export const workOrders = (call: Call) => ({
  /** List work orders. */
  list: (query: Query<'listWorkOrders'> = {}, options?: Options) => call('listWorkOrders', { query }, options),
  /** Search by text or exact number. */
  search: (body: Body<'searchWorkOrders'>, options?: Options) => call('searchWorkOrders', { body }, options),
  /** Read a work order. */
  get: (id: string, query: Query<'getWorkOrder'> = {}, options?: Options) =>
    call('getWorkOrder', { path: { work_order_id: id }, query }, options),
  /** Read a work order by its number. */
  getByNumber: (number: number, query: Query<'getWorkOrderByNumber'> = {}, options?: Options) =>
    call('getWorkOrderByNumber', { path: { work_order_number: number }, query }, options),
  /** Create many work orders. */
  batchCreate: (body: Body<'batchCreateWorkOrders'>, options?: Options) =>
    call('batchCreateWorkOrders', { body }, options),
  /** Change or delete many work orders. */
  batchUpdate: (body: Body<'batchUpdateWorkOrders'>, options?: Options) =>
    call('batchUpdateWorkOrders', { body }, options),
  /** Overwrite the whole description. */
  setDescription: (id: string, body: Body<'setWorkOrderDescription'>, options?: Options) =>
    call('setWorkOrderDescription', { path: { work_order_id: id }, body }, options),
  /** Delete a work order. */
  delete: (id: string, options?: Options) => call('deleteWorkOrder', { path: { work_order_id: id } }, options),
  /** List comments. */
  listComments: (id: string, options?: Options) =>
    call('listWorkOrderComments', { path: { work_order_id: id } }, options),
  /** Comment on a work order. */
  addComment: (id: string, body: Body<'addWorkOrderComment'>, options?: Options) =>
    call('addWorkOrderComment', { path: { work_order_id: id }, body }, options),
  /** Change a comment. */
  updateComment: (id: string, commentId: string, body: Body<'updateWorkOrderComment'>, options?: Options) =>
    call('updateWorkOrderComment', { path: { work_order_id: id, comment_id: commentId }, body }, options),
  /** Delete a comment. */
  deleteComment: (id: string, commentId: string, options?: Options) =>
    call('deleteWorkOrderComment', { path: { work_order_id: id, comment_id: commentId } }, options),
  /** List labels. */
  listLabels: (query: Query<'listLabels'> = {}, options?: Options) => call('listLabels', { query }, options),
  /** List phases. */
  listPhases: (options?: Options) => call('listPhases', {}, options),
})

/** What only a signed-in person can do. */
export const ownWorkOrders = (call: Call) => ({
  /** Change a work order. Null clears a field. */
  update: (id: string, body: Body<'updateWorkOrder'>, options?: Options) =>
    call('updateWorkOrder', { path: { work_order_id: id }, body }, options),
  /** Say when each work order changed last and how many comments it has. */
  listSigns: (options?: Options) => call('listWorkOrderSigns', {}, options),
  /** Add a phase, as the last one. */
  addPhase: (body: Body<'addPhase'>, options?: Options) => call('addPhase', { body }, options),
  /** Add a label. */
  addLabel: (body: Body<'addLabel'>, options?: Options) => call('addLabel', { body }, options),
})
