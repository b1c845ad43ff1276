import type { AnchoredThread, CommentAnchor, DocumentReview } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { reviewQuery, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import { sendOnce } from './send-once.ts'

export interface Comments {
  documentId: string
  threads: AnchoredThread[]
  isLoaded: boolean
  /** Return true once the server has it. What was typed stays in its field until then. */
  start(message: string, anchor?: CommentAnchor): Promise<boolean>
  reply(thread: AnchoredThread, message: string): Promise<boolean>
  edit(thread: AnchoredThread, message: Message, text: string): Promise<boolean>
  remove(thread: AnchoredThread, message: Message): void
  change(thread: AnchoredThread, patch: { is_resolved?: boolean; is_flagged?: boolean }): void
}

export type Message = AnchoredThread['messages'][number]

const NONE: AnchoredThread[] = []
const AGAIN = 'It is still in its field: press Enter to send it again.'

export function useComments(projectId: string, kind: Kind, id: string): Comments {
  const query = reviewQuery(projectId, kind, id)
  const { data } = useQuery(query)
  const client = documentsOf(projectId, kind)
  const show = (change: (threads: AnchoredThread[]) => AnchoredThread[]) =>
    queryClient.setQueryData(query.queryKey, (before: DocumentReview | undefined) =>
      before ? { ...before, threads: change(before.threads) } : before,
    )

  const attempt = async (what: string, send: () => Promise<unknown>, canRetry = false): Promise<boolean> => {
    try {
      await send()
      return true
    } catch (err) {
      const retry = { label: 'Retry', run: () => void attempt(what, send, canRetry) }
      showToast({ text: what, detail: (err as Error).message, tone: 'error', ...(canRetry && { action: retry }) })
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: query.queryKey })
      void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
    }
  }

  return {
    documentId: id,
    threads: data?.threads ?? NONE,
    isLoaded: data !== undefined,
    start: (message, anchor) =>
      attempt(`The comment was not sent. ${AGAIN}`, () =>
        sendOnce({ place: id, message, anchor }, ({ key, anchor }) =>
          client.startThread(id, { message, is_flagged: false, anchor }, { idempotencyKey: key }),
        ),
      ),
    reply: (thread, message) =>
      attempt(`The reply was not sent. ${AGAIN}`, () =>
        sendOnce({ place: thread.id, message }, ({ key }) =>
          client.reply(id, thread.id, { message }, { idempotencyKey: key }),
        ),
      ),
    async edit(thread, message, text) {
      if (text === message.message) return true
      const send = (words: string) => () => client.editComment(id, thread.id, message.id, { message: words })
      const done = await attempt(`The comment was not changed. ${AGAIN}`, send(text))
      const run = () => void attempt('The comment was not changed back', send(message.message), true)
      if (done) showToast({ text: 'Comment edited', undo: run })
      return done
    },
    async remove(thread, message) {
      await queryClient.cancelQueries({ queryKey: query.queryKey })
      show((threads) =>
        threads
          .map((one) => ({ ...one, messages: one.messages.filter((other) => other.id !== message.id) }))
          .filter((one) => one.messages.length > 0),
      )
      const remove = () => client.deleteComment(id, thread.id, message.id)
      if (!(await attempt('The comment was not deleted', remove, true))) return
      const restore = () => client.restoreComment(id, thread.id, message.id)
      const run = () => void attempt('The comment was not brought back', restore, true)
      showToast({ text: 'Comment deleted', undo: run })
    },
    async change(thread, patch) {
      await queryClient.cancelQueries({ queryKey: query.queryKey })
      show((threads) => threads.map((one) => (one.id === thread.id ? { ...one, ...patch } : one)))
      const done = await attempt('The thread was not changed', () => client.updateThread(id, thread.id, patch), true)
      if (!done || !patch.is_resolved) return
      const run = () => this.change(thread, { is_resolved: false })
      showToast({ text: 'Thread resolved', undo: run })
    },
  }
}
