import type { Invitation, Member, OwnSession } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { onChange } from '../lib/changes.ts'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'

export type { Invitation, Member, OwnSession }
export type Role = Member['role']

/** From the least to the most. `does` is what a key with that role may do. */
export const ROLES: { value: Role; label: string; may: string; does: string }[] = [
  {
    value: 'viewer',
    label: 'Viewer',
    may: 'reads everything, changes nothing',
    does: 'read everything, change nothing',
  },
  { value: 'editor', label: 'Editor', may: 'writes everything, makes own keys', does: 'read and write everything' },
  {
    value: 'admin',
    label: 'Admin',
    may: 'also members and invite links, revokes keys',
    does: 'do whatever an admin may',
  },
]
export const roleName = (role: Role) => ROLES.find(({ value }) => value === role)!.label

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'access', 'members'],
    queryFn: async ({ signal }) => (await api.access(callOf(projectId)).listMembers({ signal })).items,
  })

export const invitationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'access', 'invitations'],
    queryFn: async ({ signal }) => (await api.access(callOf(projectId)).listInvitations({ signal })).items,
  })

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await api.account(callOf()).get({ signal })).data,
})

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async ({ signal }) => (await api.account(callOf()).listSessions({ signal })).items,
})

export const connectedAppsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: async ({ signal }) => (await api.account(callOf()).listApps({ signal })).items,
})

const KINDS = new Set(['user', 'invitation', 'api_key', 'connected_app'])

/** Reads again what others changed. */
export const followAccess = () =>
  onChange(({ subject_type }, projectId) => {
    if (KINDS.has(subject_type)) void queryClient.invalidateQueries({ queryKey: [projectId, 'access'] })
  })
