import * as op from '../generated/operations/access.ts'
import type { Body, Call, Options, Schemas } from '../operation.ts'

export type Member = Schemas['Member']
export type Invitation = Schemas['Invitation']
export type ApiKey = Schemas['ApiKey']
export type ConnectedAgent = Schemas['ConnectedAgent']

/** Members, invite links and keys of a project. */
export const access = (call: Call) => ({
  /** List members with their roles and what acts for them. */
  listMembers: (options?: Options) => call(op.listMembers, {}, options),
  /** Change the role of a member. */
  setMemberRole: (userId: string, body: Body<'setMemberRole'>, options?: Options) =>
    call(op.setMemberRole, { path: { user_id: userId }, body }, options),
  /** Remove a member. */
  removeMember: (userId: string, options?: Options) => call(op.removeMember, { path: { user_id: userId } }, options),
  /** List the invite links that can still be used. */
  listInvitations: (options?: Options) => call(op.listInvitations, {}, options),
  /** Create an invite link. */
  addInvitation: (body: Body<'addInvitation'>, options?: Options) => call(op.addInvitation, { body }, options),
  /** Revoke an invite link. */
  revokeInvitation: (id: string, options?: Options) =>
    call(op.revokeInvitation, { path: { invitation_id: id } }, options),
  /** List keys. */
  listKeys: (options?: Options) => call(op.listApiKeys, {}, options),
  /** Create a key that acts as you. */
  addKey: (body: Body<'addApiKey'>, options?: Options) => call(op.addApiKey, { body }, options),
  /** Replace a key by a new one. */
  rotateKey: (id: string, options?: Options) => call(op.rotateApiKey, { path: { key_id: id } }, options),
  /** Set which pages may use a reporting key. */
  setKeyOrigins: (id: string, body: Body<'setApiKeyOrigins'>, options?: Options) =>
    call(op.setApiKeyOrigins, { path: { key_id: id }, body }, options),
  /** Revoke a key. */
  revokeKey: (id: string, options?: Options) => call(op.revokeApiKey, { path: { key_id: id } }, options),
  /** List connected apps and keys with their calls and claims. */
  listAgents: (options?: Options) => call(op.listAgents, {}, options),
  /** End the access of a connected app or a key. */
  revokeAgent: (id: string, options?: Options) => call(op.revokeAgent, { path: { agent_id: id } }, options),
})
