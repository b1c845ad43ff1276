import * as op from '../generated/operations/account.ts'
import type { Body, Call, Options, Schemas } from '../operation.ts'

export type Account = Schemas['Account']
export type OwnSession = Schemas['OwnSession']
export type ConnectedApp = Schemas['ConnectedApp']
export type ConnectionRequest = Schemas['ConnectionRequest']

/** What people change about themselves. */
export const account = (call: Call) => ({
  /** Say how you sign in. */
  get: (options?: Options) => call(op.getAccount, {}, options),
  /** Change your name. */
  rename: (body: Body<'renameAccount'>, options?: Options) => call(op.renameAccount, { body }, options),
  /** Change your password. */
  changePassword: (body: Body<'changePassword'>, options?: Options) => call(op.changePassword, { body }, options),
  /** List where you are signed in. */
  listSessions: (options?: Options) => call(op.listSessions, {}, options),
  /** Sign out one session. */
  endSession: (id: string, options?: Options) => call(op.endSession, { path: { session_id: id } }, options),
  /** Sign out everywhere. */
  endSessions: (options?: Options) => call(op.endSessions, {}, options),
  /** List the programs that act as you. */
  listApps: (options?: Options) => call(op.listConnectedApps, {}, options),
  /** Say what a program asks for. */
  readAppRequest: (query: string, options?: Options) => call(op.readConnectionRequest, { query: { query } }, options),
  /** Let a program act as you in the project of the client. */
  connectApp: (body: Body<'connectApp'>, options?: Options) => call(op.connectApp, { body }, options),
  /** End the access of a program. */
  disconnectApp: (id: string, options?: Options) => call(op.disconnectApp, { path: { app_id: id } }, options),
})
