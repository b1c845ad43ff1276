import type { ConnectedApp } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { shownList } from '../lib/shown-list.ts'
import { leaveForSignIn } from '../lib/sign-in-again.ts'
import {
  connectedAppsQuery,
  type Invitation,
  invitationsQuery,
  type Member,
  membersQuery,
  type OwnSession,
  ownSessionsQuery,
  type Role,
} from './api.ts'
import { assignAll, type Handover } from './hand-over.ts'

/*
 * Who may do what never waits for a connection: access that changes hours later would surprise everyone.
 */

const members = shownList<Member>(
  (projectId) => membersQuery(projectId).queryKey,
  ({ user }) => user.id,
)
const invitations = shownList<Invitation>(
  (projectId) => invitationsQuery(projectId).queryKey,
  ({ id }) => id,
)
const sessions = shownList<OwnSession>(
  () => ownSessionsQuery.queryKey,
  ({ id }) => id,
)
const apps = shownList<ConnectedApp>(
  () => connectedAppsQuery.queryKey,
  ({ id }) => id,
)

export const setMemberRole = defineWrite<{ member: Member; role: Role }, unknown>({
  name: 'access.role',
  waits: false,
  about: ({ member }) => ({ subjects: [member.user.id] }),
  send: ({ member, role }, { projectId }) => api.access(callOf(projectId)).setMemberRole(member.user.id, { role }),
  ...members.change<{ member: Member; role: Role }>(
    ({ member }) => member,
    ({ member, role }) => ({ ...member, role }),
  ),
  failure: ({ member }) => `The role of ${member.user.display_name} could not be changed.`,
})

/** Their open work is given away first, if that is wanted. */
export const removeMember = defineWrite<{ member: Member; work: Handover | undefined }, unknown>({
  name: 'access.remove-member',
  waits: false,
  about: ({ member }) => ({ subjects: [member.user.id] }),
  async send({ member, work }, { projectId, key }) {
    if (work) await assignAll(projectId, work, key)
    await api.access(callOf(projectId)).removeMember(member.user.id)
  },
  ...members.change<{ member: Member }>(
    ({ member }) => member,
    () => null,
  ),
  failure: ({ member }) => `${member.user.display_name} is still a member.`,
})

type NewInvitation = Parameters<ReturnType<typeof api.access>['addInvitation']>[0]

export const addInvitation = defineWrite<NewInvitation, { invitation: Invitation; url: string }>({
  name: 'access.invite',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (body, { projectId, key }) =>
    (await api.access(callOf(projectId)).addInvitation(body, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => invitations.reload(projectId),
})

export const revokeInvitation = defineWrite<Invitation, unknown>({
  name: 'access.revoke-invitation',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.access(callOf(projectId)).revokeInvitation(id),
  ...invitations.change<Invitation>(
    (one) => one,
    () => null,
  ),
  failure: () => 'The invite link still works.',
})

export const endSession = defineWrite<OwnSession, unknown>({
  name: 'account.end-session',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }) => api.account(callOf()).endSession(id),
  ...sessions.change<OwnSession>(
    (one) => one,
    () => null,
  ),
  failure: () => 'The session goes on.',
})

export const endSessions = defineWrite<null, unknown>({
  name: 'account.end-sessions',
  waits: false,
  about: () => ({ subjects: ['sessions'] }),
  send: () => api.account(callOf()).endSessions(),
  saved() {
    queryClient.clear()
    leaveForSignIn()
  },
  failure: () => 'You are still signed in.',
})

export const disconnectApp = defineWrite<ConnectedApp, unknown>({
  name: 'account.disconnect-app',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }) => api.account(callOf()).disconnectApp(id),
  ...apps.change<ConnectedApp>(
    (one) => one,
    () => null,
  ),
  failure: ({ name }) => `${name} is still connected.`,
})

export const renameAccount = defineWrite<{ display_name: string }, { display_name: string }>({
  name: 'account.rename',
  waits: false,
  about: () => ({ subjects: ['account'] }),
  send: async (body) => (await api.account(callOf()).rename(body)).data,
})

interface Passwords {
  current_password: string
  password: string
}

export const changePassword = defineWrite<Passwords, { sessions_ended: number }>({
  name: 'account.password',
  waits: false,
  about: () => ({ subjects: ['account'] }),
  send: async (body) => (await api.account(callOf()).changePassword(body)).data,
  saved: () => sessions.reload(''),
})

export const renameProject = defineWrite<{ name: string }, { name: string }>({
  name: 'project.rename',
  waits: false,
  about: () => ({ subjects: ['project'] }),
  send: async (body, { projectId }) => (await api.projects(callOf(projectId)).rename(body)).data,
})

export const deleteProject = defineWrite<{ name: string }, unknown>({
  name: 'project.delete',
  waits: false,
  about: () => ({ subjects: ['project'] }),
  send: (query, { projectId }) => api.projects(callOf(projectId)).delete(query),
})
