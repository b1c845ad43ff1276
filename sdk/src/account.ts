import type { Body, Call, Options, Schemas } from './operation.ts'

export type Account = Schemas['Account']
export type OwnSession = Schemas['OwnSession']

/** What people change about themselves. */
export const account = (call: Call) => ({
  /** Say how you sign in. */
  get: (options?: Options) => call('getAccount', {}, options),
  /** Change your name. */
  rename: (body: Body<'renameAccount'>, options?: Options) => call('renameAccount', { body }, options),
  /** Change your password. */
  changePassword: (body: Body<'changePassword'>, options?: Options) => call('changePassword', { body }, options),
  /** List where you are signed in. */
  listSessions: (options?: Options) => call('listSessions', {}, options),
  /** Sign out one session. */
  endSession: (id: string, options?: Options) => call('endSession', { path: { session_id: id } }, options),
  /** Sign out everywhere. */
  endSessions: (options?: Options) => call('endSessions', {}, options),
})
