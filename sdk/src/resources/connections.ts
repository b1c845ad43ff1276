import * as op from '../generated/operations/session.ts'
import type { Body, Call, Options, Schemas } from '../operation.ts'

export type Connection = Schemas['Connection']

export const connections = (call: Call) => ({
  /** List what something is connected to, and whether it still fits. */
  list: (id: string, options?: Options) => call(op.listConnections, { path: { resource_id: id } }, options),
  /** Connect two things. */
  connect: (id: string, otherId: string, body: Body<'connectResources'> = {}, options?: Options) =>
    call(op.connectResources, { path: { resource_id: id, other_id: otherId }, body }, options),
  /** Disconnect two things. */
  disconnect: (id: string, otherId: string, options?: Options) =>
    call(op.disconnectResources, { path: { resource_id: id, other_id: otherId } }, options),
  /** Confirm that a connection still fits. */
  confirm: (id: string, otherId: string, body: Body<'confirmConnection'>, options?: Options) =>
    call(op.confirmConnection, { path: { resource_id: id, other_id: otherId }, body }, options),
})
