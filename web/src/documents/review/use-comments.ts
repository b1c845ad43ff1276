import type { CommentThread } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { showToast } from '../../app/toasts.tsx'
import { queryClient } from '../../lib/query-client.ts'
import { commentsQuery, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'

export interface Comments {
  threads: CommentThread[]
  /** Return true once the server has it. What was typed stays in its field until then. */
  start(message: string): Promise<boolean>
  reply(thread: CommentThread, message: string): Promise<boolean>
  change(thread: CommentThread, patch: { is_resolved?: boolean; is_flagged?: boolean }): void
}

export function useComments(projectId: string, kind: Kind, id: string): Comments {
  const query = commentsQuery(projectId, kind, id)
  const threads = useQuery(query).data ?? []
  const client = documentsOf(projectId, kind)

  const attempt = async (what: string, send: () => Promise<unknown>): Promise<boolean> => {
    try {
      await send()
      return true
    } catch (err) {
      const run = () => void attempt(what, send)
      showToast({ text: what, detail: (err as Error).message, tone: 'error', action: { label: 'Retry', run } })
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: query.queryKey })
      void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
    }
  }

  return {
    threads,
    start: (message) => attempt('The comment was not sent', () => client.comment(id, { message })),
    reply: (thread, message) => attempt('The reply was not sent', () => client.reply(id, thread.id, { message })),
    async change(thread, patch) {
      await queryClient.cancelQueries({ queryKey: query.queryKey })
      queryClient.setQueryData(query.queryKey, (before) =>
        before?.map((one) => (one.id === thread.id ? { ...one, ...patch } : one)),
      )
      const done = await attempt('The thread was not changed', () => client.updateThread(id, thread.id, patch))
      if (!done || !patch.is_resolved) return
      const run = () => this.change(thread, { is_resolved: false })
      showToast({ text: 'Thread resolved', action: { label: 'Undo', run } })
    },
  }
}
