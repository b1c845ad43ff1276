import type { Assignee } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { onChange } from '../lib/changes.ts'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { noteAgents } from './Avatar.tsx'

const isMember = (people: Assignee[]) => people.filter(({ is_member }) => is_member)

const isFormer = (people: Assignee[]) => people.filter(({ is_member }) => !is_member)

/** Whom work can be assigned to. */
export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'members'],
    queryFn: async ({ signal }) => {
      const { items } = await api.workOrders(callOf(projectId)).listAssignees({ signal })
      noteAgents(items)
      return items
    },
    select: isMember,
  })

/** Who left with work still assigned to them. */
export const formerMembersQuery = (projectId: string) => ({ ...membersQuery(projectId), select: isFormer })

/** Reads again who is a member when that changes. */
export const followMembers = () =>
  onChange(({ subject_type }, projectId) => {
    if (subject_type === 'user') void queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey })
  })
