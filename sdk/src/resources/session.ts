import type { Body, Call, Options, Schemas } from '../operation.ts'

export type Session = Schemas['Session']
export type OpenedInvitation = Schemas['OpenedInvitation']

export const session = (call: Call) => ({
  /** Say how people can sign in here. */
  getOptions: (options?: Options) => call('getSignInOptions', {}, options),
  /** Say who is signed in, and their projects. */
  get: (options?: Options) => call('getSession', {}, options),
  /** Sign in. */
  signIn: (body: Body<'signIn'>, options?: Options) => call('signIn', { body }, options),
  /** Sign in at the identity provider. */
  startSingleSignOn: (body: Body<'startSingleSignOn'> = {}, options?: Options) =>
    call('startSingleSignOn', { body }, options),
  /** Say what an invite link is for. */
  openInvitation: (body: Body<'openInvitation'>, options?: Options) => call('openInvitation', { body }, options),
  /** Accept an invitation. */
  acceptInvitation: (body: Body<'acceptInvitation'>, options?: Options) => call('acceptInvitation', { body }, options),
  /** Sign out. */
  signOut: (options?: Options) => call('signOut', {}, options),
})
