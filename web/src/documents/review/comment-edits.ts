import type { AnchoredThread } from '@slipway/sdk'
import { defineWrite, type Write } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { reviewQuery, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'

export type Message = AnchoredThread['messages'][number]

/** A document. */
interface Place {
  kind: Kind
  id: string
}

function setThreads(projectId: string, { kind, id }: Place, next: (all: AnchoredThread[]) => AnchoredThread[]): void {
  const { queryKey } = reviewQuery(projectId, kind, id)
  queryClient.setQueryData(queryKey, (review) => review && { ...review, threads: next(review.threads) })
}

const setThread = (projectId: string, place: Place, threadId: string, next: (one: AnchoredThread) => AnchoredThread) =>
  setThreads(projectId, place, (all) => all.map((one) => (one.id === threadId ? next(one) : one)))

const setMessages = (projectId: string, place: Place, threadId: string, next: (all: Message[]) => Message[]) =>
  setThread(projectId, place, threadId, (one) => ({ ...one, messages: next(one.messages) }))

export async function reloadComments(projectId: string, { kind, id }: Place): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
  await queryClient.invalidateQueries({ queryKey: reviewQuery(projectId, kind, id).queryKey })
}

const saved = (_: unknown, input: Place, { projectId }: { projectId: string }) => void reloadComments(projectId, input)

/** An attempt whose answer was lost may have saved it under another id. */
const isSame = (one: AnchoredThread, mine: AnchoredThread) =>
  one.id === mine.id ||
  (one.messages[0]?.message === mine.messages[0]!.message &&
    one.messages[0].created_by_id === mine.messages[0]!.created_by_id &&
    JSON.stringify(one.anchor) === JSON.stringify(mine.anchor))

/** The thread has a temporary id until the server has given it one. */
export const startThread = defineWrite<Place & { thread: AnchoredThread }, AnchoredThread>({
  name: 'documents.comment',
  waits: true,
  words: ({ thread }) => [thread.messages[0]!.message],
  about: ({ thread }) => ({ text: 'Comment on a document', subjects: [thread.id], part: 'comment' }),
  async send({ kind, id, thread: { messages, anchor } }, { projectId, key }) {
    const body = { message: messages[0]!.message, is_flagged: false, anchor }
    return (await documentsOf(projectId, kind).startThread(id, body, { idempotencyKey: key })).data
  },
  show: ({ thread, ...place }, projectId) =>
    setThreads(projectId, place, (all) => (all.some((one) => isSame(one, thread)) ? all : [...all, thread])),
  hide: ({ thread, ...place }, projectId) =>
    setThreads(projectId, place, (all) => all.filter(({ id }) => id !== thread.id)),
  saved(answer, { thread, ...place }, { projectId }) {
    setThread(projectId, place, thread.id, () => answer)
    void reloadComments(projectId, place)
  },
})

export const replyToThread = defineWrite<Place & { threadId: string; message: Message }, unknown>({
  name: 'documents.reply',
  waits: true,
  words: ({ message }) => [message.message],
  about: ({ threadId }) => ({ text: 'Reply to a comment', subjects: [threadId], part: 'comment' }),
  send: ({ kind, id, threadId, message: { message } }, { projectId, key }) =>
    documentsOf(projectId, kind).reply(id, threadId, { message }, { idempotencyKey: key }),
  show: ({ threadId, message, ...place }, projectId) =>
    setMessages(projectId, place, threadId, (all) =>
      all.some(({ id }) => id === message.id) ? all : [...all, message],
    ),
  hide: ({ threadId, message, ...place }, projectId) =>
    setMessages(projectId, place, threadId, (all) => all.filter(({ id }) => id !== message.id)),
  saved,
})

interface Edit extends Place {
  threadId: string
  /** As it was. */
  message: Message
  text: string
  isUndo?: boolean
}

export const editMessage = defineWrite<Edit, unknown>({
  name: 'documents.edit-comment',
  waits: true,
  words: ({ text }) => [text],
  about: ({ threadId }) => ({ text: 'Edited comment on a document', subjects: [threadId], part: 'comment' }),
  send: ({ kind, id, threadId, message, text }, { projectId }) =>
    documentsOf(projectId, kind).editComment(id, threadId, message.id, { message: text }),
  show: ({ threadId, message, text, ...place }, projectId) =>
    setMessage(projectId, place, threadId, { ...message, message: text, is_edited: true }),
  hide: ({ threadId, message, ...place }, projectId) => setMessage(projectId, place, threadId, message),
  saved(_, edit, { projectId }) {
    void reloadComments(projectId, edit)
    const { message, text, isUndo } = edit
    const back = { ...edit, message: { ...message, message: text }, text: message.message, isUndo: true }
    if (!isUndo) showToast({ text: 'Comment edited', undo: () => void editMessage(projectId, back) })
  },
})

/** The edit that a write holds. */
export const editOfWrite = (write: Write) => write.input as Edit

const setMessage = (projectId: string, place: Place, threadId: string, message: Message) =>
  setMessages(projectId, place, threadId, (all) => all.map((one) => (one.id === message.id ? message : one)))

interface Deletion extends Place {
  /** As it was with the message. */
  thread: AnchoredThread
  message: Message
}

function hideMessage({ thread, message, ...place }: Deletion, projectId: string): void {
  setMessages(projectId, place, thread.id, (all) => all.filter(({ id }) => id !== message.id))
  setThreads(projectId, place, (all) => all.filter(({ messages }) => messages.length > 0))
}

function showMessage({ thread, message, ...place }: Deletion, projectId: string): void {
  setThreads(projectId, place, (all) =>
    all.some(({ id }) => id === thread.id) ? all : [...all, { ...thread, messages: [] }],
  )
  setMessages(projectId, place, thread.id, (all) =>
    [...all.filter(({ id }) => id !== message.id), message].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
  )
}

export const deleteMessage = defineWrite<Deletion, unknown>({
  name: 'documents.delete-comment',
  waits: true,
  about: ({ thread }) => ({ text: 'Delete a comment on a document', subjects: [thread.id], part: 'comment' }),
  send: ({ kind, id, thread, message }, { projectId }) =>
    sendDeletion(() => documentsOf(projectId, kind).deleteComment(id, thread.id, message.id)),
  show: hideMessage,
  hide: showMessage,
  saved(_, deletion, { projectId }) {
    void reloadComments(projectId, deletion)
    showToast({ text: 'Comment deleted', undo: () => void restoreMessage(projectId, deletion) })
  },
  failure: () => 'The comment was not deleted',
})

const restoreMessage = defineWrite<Deletion, unknown>({
  name: 'documents.restore-comment',
  waits: true,
  about: ({ thread }) => ({ text: 'Bring back a comment on a document', subjects: [thread.id], part: 'comment' }),
  send: ({ kind, id, thread, message }, { projectId, key }) =>
    documentsOf(projectId, kind).restoreComment(id, thread.id, message.id, { idempotencyKey: key }),
  show: showMessage,
  hide: hideMessage,
  saved,
  failure: () => 'The comment was not brought back',
})

type Marks = Partial<Pick<AnchoredThread, 'is_resolved' | 'is_flagged'>>

export const markThread = defineWrite<Place & { threadId: string; marks: Marks; before: Marks }, unknown>({
  name: 'documents.thread',
  waits: true,
  about: ({ threadId }) => ({ text: 'Comment on a document', subjects: [threadId], part: 'thread' }),
  send: ({ kind, id, threadId, marks }, { projectId }) =>
    documentsOf(projectId, kind).updateThread(id, threadId, marks),
  show: ({ threadId, marks, ...place }, projectId) =>
    setThread(projectId, place, threadId, (one) => ({ ...one, ...marks })),
  hide: ({ threadId, before, ...place }, projectId) =>
    setThread(projectId, place, threadId, (one) => ({ ...one, ...before })),
  saved(_, { marks, before, ...rest }, { projectId }) {
    void reloadComments(projectId, rest)
    const undo = () => void markThread(projectId, { ...rest, marks: before, before: marks })
    if (marks.is_resolved) showToast({ text: 'Thread resolved', undo })
  },
  failure: () => 'The thread was not changed',
})
