import * as op from '../generated/operations/automations.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type ConnectedIntegration = Schemas['ConnectedIntegration']
export type ShownIntegration = Schemas['ShownIntegration']
export type TestedIntegration = Schemas['TestedIntegration']

export const integrations = (call: Call) => ({
  /** List connected integrations. */
  list: (query: Query<'listIntegrations'> = {}, options?: Options) => call(op.listIntegrations, { query }, options),
})

/** With what only people who are signed in can do. */
export const ownIntegrations = (call: Call) => ({
  ...integrations(call),
  /** List integrations with their tools, health and grants. */
  listShown: (options?: Options) => call(op.listConnectedIntegrations, {}, options),
  /** Connect an integration of your own. */
  connect: (body: Body<'connectIntegration'>, options?: Options) => call(op.connectIntegration, { body }, options),
  /** Call an integration of your own and list its tools. */
  test: (id: string, options?: Options) => call(op.testIntegration, { path: { integration_id: id } }, options),
  /** Reconnect an integration of your own with another token. */
  reconnect: (id: string, body: Body<'reconnectIntegration'>, options?: Options) =>
    call(op.reconnectIntegration, { path: { integration_id: id }, body }, options),
  /** Disconnect an integration. */
  remove: (id: string, options?: Options) => call(op.removeIntegration, { path: { integration_id: id } }, options),
})
