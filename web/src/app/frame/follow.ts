import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { followConnections } from '../../connections/api.ts'
import { onChange } from '../../lib/changes.ts'
import { countsQuery } from '../../lib/counts.ts'
import { isKind } from '../../lib/kinds.ts'
import { leaveProject } from '../../lib/leave-project.ts'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { readSessionAgain } from '../../lib/session.ts'
import { followMembers } from '../../people/members.ts'

const COUNTED = /\.(created|deleted|restored|submitted)$/

/** Keeps the numbers beside the names of the modules current, also of those that are not loaded. */
const followCounts = () =>
  onChange(({ kind, subject_type }, projectId) => {
    if (isKind(subject_type) && COUNTED.test(kind)) void refreshSoon([countsQuery(projectId).queryKey])
  })

/** Keeps what every screen shows current. Modules follow what they show themselves, once they are loaded. */
export function useFollowed(userId: string): void {
  useEffect(followMembers, [])
  useEffect(followCounts, [])
  useEffect(followConnections, [])
  useFreshSession(userId)
}

/** Shows the new name of the project, and what a new role allows, when somebody else changes them. */
function useFreshSession(userId: string): void {
  const router = useRouter()
  useEffect(() => {
    return onChange(({ kind, subject_type, subject_id, actor, payload }, projectId, isOwn) => {
      if (kind === 'project.deleted') {
        const text = `${actor.name} deleted ${payload.name}.`
        if (!isOwn) void leaveProject(router, { projectId, text, isDeleted: true })
      } else if (kind === 'project.renamed' || (subject_type === 'user' && subject_id === userId))
        void readSessionAgain().then(() => router.invalidate())
    })
  }, [router, userId])
}
