import * as op from '../generated/operations/session.ts'
import type { Body, Call, Options, Schemas } from '../operation.ts'

export type Session = Schemas['Session']
export type OpenedInvitation = Schemas['OpenedInvitation']

export const session = (call: Call) => ({
  /** Say how people can sign in here. */
  getOptions: (options?: Options) => call(op.getSignInOptions, {}, options),
  /** Say who is signed in, and their projects. */
  get: (options?: Options) => call(op.getSession, {}, options),
  /** Sign in. */
  signIn: (body: Body<'signIn'>, options?: Options) => call(op.signIn, { body }, options),
  /** Sign in at the identity provider. */
  startSingleSignOn: (body: Body<'startSingleSignOn'> = {}, options?: Options) =>
    call(op.startSingleSignOn, { body }, options),
  /** Say what an invite link is for. */
  openInvitation: (body: Body<'openInvitation'>, options?: Options) => call(op.openInvitation, { body }, options),
  /** Accept an invitation. */
  acceptInvitation: (body: Body<'acceptInvitation'>, options?: Options) => call(op.acceptInvitation, { body }, options),
  /** Sign out. */
  signOut: (options?: Options) => call(op.signOut, {}, options),
})
