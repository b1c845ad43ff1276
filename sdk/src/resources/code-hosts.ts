import * as op from '../generated/operations/code-hosts.ts'
import type { Body, Call, Options, Schemas } from '../operation.ts'

export type CodeHost = Schemas['CodeHost']
export type WorkOrderCode = Schemas['WorkOrderCode']

export const codeHosts = (call: Call) => ({
  /** List code hosts. */
  list: (options?: Options) => call(op.listCodeHosts, {}, options),
  /** Listen to a repository on GitHub or GitLab. The secret is shown once. */
  add: (body: Body<'addCodeHost'>, options?: Options) => call(op.addCodeHost, { body }, options),
  /** Change a code host. */
  update: (id: string, body: Body<'updateCodeHost'>, options?: Options) =>
    call(op.updateCodeHost, { path: { code_host_id: id }, body }, options),
  /** Replace the secret. The old one stops at once. */
  rotateSecret: (id: string, options?: Options) =>
    call(op.rotateCodeHostSecret, { path: { code_host_id: id } }, options),
  /** Stop listening to a code host. */
  delete: (id: string, options?: Options) => call(op.deleteCodeHost, { path: { code_host_id: id } }, options),
  /** List the commits and pull requests that name a work order. */
  listOfWorkOrder: (workOrderId: string, options?: Options) =>
    call(op.listWorkOrderCode, { path: { work_order_id: workOrderId } }, options),
})
