import type { Body, Call, Options, Schemas } from './operation.ts'

export type Session = Schemas['Session']

export const session = (call: Call) => ({
  /** Say who is signed in, and their projects. */
  get: (options?: Options) => call('getSession', {}, options),
  /** Sign in. */
  signIn: (body: Body<'signIn'>, options?: Options) => call('signIn', { body }, options),
  /** Sign out. */
  signOut: (options?: Options) => call('signOut', {}, options),
})
