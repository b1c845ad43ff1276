import type { AnchoredThread, CommentAnchor } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isNew, temporaryId } from '../../lib/ids.ts'
import { discardWrite, type Outcome, type Write, writes } from '../../lib/outbox/index.ts'
import { isFinal } from '../../lib/outbox/write.ts'
import { useStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { reviewQuery } from '../api.ts'
import type { Kind } from '../kind.ts'
import {
  deleteMessage,
  editMessage,
  type Message,
  markThread,
  reloadComments,
  replyToThread,
  startThread,
} from './comment-edits.ts'

export type { Message }

export interface Comments {
  documentId: string
  threads: AnchoredThread[]
  isLoaded: boolean
  /** Return true once it is saved, or waits in the outbox. What was typed stays in its field until then. */
  start(message: string, anchor?: CommentAnchor): Promise<boolean>
  reply(thread: AnchoredThread, message: string): Promise<boolean>
  edit(thread: AnchoredThread, message: Message, text: string): void
  remove(thread: AnchoredThread, message: Message): void
  change(thread: AnchoredThread, marks: { is_resolved?: boolean; is_flagged?: boolean }): void
}

const NONE: AnchoredThread[] = []

export function useComments(projectId: string, kind: Kind, id: string): Comments {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data } = useQuery(reviewQuery(projectId, kind, id))
  const threads = useShown(data?.threads ?? NONE)
  const place = { kind, id }
  const newMessage = (message: string): Message => ({
    id: temporaryId(),
    message,
    created_at: new Date().toISOString(),
    created_by_name: session.user.display_name,
    created_by_id: session.user.id,
    origin: 'user',
    is_edited: false,
  })
  const finish = async (what: string, outcome: Outcome<unknown>): Promise<boolean> => {
    if (outcome.state === 'saved') await reloadComments(projectId, place)
    if (outcome.state !== 'failed') return true
    const { fault, retry } = outcome
    const problem = { text: what, detail: fault.message, tone: 'error' as const }
    if (!isFinal(fault)) {
      showToast({ ...problem, action: { label: 'Retry', run: () => void retry().then((next) => finish(what, next)) } })
      return true
    }
    // What is wrong with it can be changed in its field.
    discardWrite(outcome.id)
    showToast({ ...problem, text: `${what}. It is still in its field.` })
    return false
  }
  return {
    documentId: id,
    threads,
    isLoaded: data !== undefined,
    async start(message, anchor) {
      const threadId = temporaryId()
      const thread: AnchoredThread = {
        object: 'document_comment_thread',
        id: threadId,
        thread_id: threadId,
        messages: [newMessage(message)],
        is_resolved: false,
        is_flagged: false,
        anchor: anchor ?? null,
      }
      return finish('The comment was not sent', await startThread(projectId, { ...place, thread }))
    },
    async reply(thread, message) {
      if (!isSaved(thread)) return false
      const reply = { ...place, threadId: thread.id, message: newMessage(message) }
      return finish('The reply was not sent', await replyToThread(projectId, reply))
    },
    edit: (thread, message, text) => void editMessage(projectId, { ...place, threadId: thread.id, message, text }),
    remove(thread, message) {
      if (isSaved(thread, message)) void deleteMessage(projectId, { ...place, thread, message })
    },
    change(thread, marks) {
      if (!isSaved(thread)) return
      const { is_resolved, is_flagged } = thread
      const before = 'is_resolved' in marks ? { is_resolved } : { is_flagged }
      void markThread(projectId, { ...place, threadId: thread.id, marks, before })
    },
  }
}

function isSaved(...ones: { id: string }[]): boolean {
  const isYes = !ones.some(isNew)
  if (!isYes) showToast({ text: 'This comment is not saved yet.' })
  return isYes
}

/** Without what is on its way: that is still in its field. */
function useShown(threads: AnchoredThread[]): AnchoredThread[] {
  const all = useStore(writes)
  return useMemo(() => {
    const inFields = new Set(all.filter(({ state }) => state === 'sending').flatMap(idOf))
    if (inFields.size === 0) return threads
    return threads
      .filter(({ id }) => !inFields.has(id))
      .map((one) => ({ ...one, messages: one.messages.filter(({ id }) => !inFields.has(id)) }))
  }, [threads, all])
}

function idOf({ kind, input, attempts }: Write): string[] {
  // One that was tried before has left its field.
  if (attempts > 1) return []
  const { thread, message } = input as { thread?: AnchoredThread; message?: Message }
  return kind === 'documents.comment' ? [thread!.id] : kind === 'documents.reply' ? [message!.id] : []
}
