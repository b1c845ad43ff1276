import { useEffect } from 'react'
import { followAgent, sayingOf } from '../agents/follow.ts'
import { queryClient } from '../lib/query-client.ts'
import { addEntry, type Entry, rowsKey, transcriptKey } from './api.ts'

const pathOf = (id: string) => `agent_conversations/${id}/stream`

/** What the agent of a conversation is saying right now. */
export const sayingIn = (id: string) => sayingOf(pathOf(id))

/** Follows a conversation while its agent answers. */
export function useStream(projectId: string, id: string, turnStartedAt: string | null, lastNumber: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream itself goes on from where it was opened.
  useEffect(() => {
    if (turnStartedAt === null) return
    return followAgent<Entry>({
      path: pathOf(id),
      projectId,
      after: lastNumber,
      onEntry(entry) {
        addEntry(projectId, id, entry)
        return entry.role !== 'user'
      },
      onEnd() {
        void queryClient.invalidateQueries({ queryKey: rowsKey(projectId) })
        return queryClient.invalidateQueries({ queryKey: transcriptKey(projectId, id) })
      },
    })
  }, [projectId, id, turnStartedAt])
}
