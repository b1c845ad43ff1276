import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { deleteWithUndo } from '../lib/delete-with-undo.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { conversationsKey, type Row, rowsKey, type Transcript, transcriptKey } from './api.ts'

const of = (projectId: string) => api.conversations(callOf(projectId))
const readAgain = (projectId: string) => queryClient.invalidateQueries({ queryKey: conversationsKey(projectId) })

/** What is said is sent now or stays in the field: an answer that comes hours later helps nobody. */
export const startChat = defineWrite<{ message: string; asksFirst: boolean; model: string | null }, { id: string }>({
  name: 'conversations.start',
  waits: false,
  about: () => ({ subjects: ['new-conversation'] }),
  send: async ({ message, asksFirst, model }, { projectId, key }) =>
    (await of(projectId).start({ message, asks_first: asksFirst, model }, { idempotencyKey: key })).data,
  saved: (_answer, _input, { projectId }) => void queryClient.invalidateQueries({ queryKey: rowsKey(projectId) }),
})

/** While the agent answers, the message waits at the server. */
export const sendMessage = defineWrite<{ id: string; message: string }, unknown>({
  name: 'conversations.send',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id, message }, { projectId, key }) =>
    of(projectId).send(id, { message, queue: true }, { idempotencyKey: key }),
})

export const askAgain = defineWrite<{ id: string; number: number; message: string }, { id: string }>({
  name: 'conversations.branch',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, number, message }, { projectId, key }) =>
    (await of(projectId).branch(id, { number, message }, { idempotencyKey: key })).data,
  saved: (_answer, _input, { projectId }) => void readAgain(projectId),
  failure: () => 'The question could not be asked again',
})

export const stopAnswer = defineWrite<{ id: string }, unknown>({
  name: 'conversations.stop',
  waits: false,
  about: ({ id }) => ({ subjects: [`${id} stop`] }),
  send: ({ id }, { projectId, key }) => of(projectId).stop(id, { idempotencyKey: key }),
  failure: () => 'The agent could not be stopped',
})

export const takeQueued = defineWrite<{ id: string; messageId: string }, { text: string } | null>({
  name: 'conversations.take-queued',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, messageId }, { projectId, key }) =>
    (await of(projectId).takeQueued(id, messageId, { idempotencyKey: key })).data,
  saved: (_answer, { id }, { projectId }) =>
    void queryClient.invalidateQueries({ queryKey: transcriptKey(projectId, id) }),
  failure: () => 'The message could not be taken back',
})

type Change = { title?: string; shared?: boolean; model?: string | null }

const change = defineWrite<{ id: string; change: Change; before: Change }, unknown>({
  name: 'conversations.change',
  waits: true,
  words: ({ change }) => [change.title],
  about: ({ id, change }) => ({
    text:
      change.title !== undefined
        ? `Conversation “${change.title}”`
        : change.model !== undefined
          ? 'The model of a conversation'
          : 'Who may read a conversation',
    subjects: [id],
    part: change.title !== undefined ? 'title' : change.model !== undefined ? 'model' : 'access',
  }),
  send: ({ id, change, before }, { projectId, key }) => {
    const expected = change.title !== undefined && before.title !== undefined && { expected_title: before.title }
    return of(projectId).change(id, { ...change, ...expected }, { idempotencyKey: key })
  },
  show: ({ id, change }, projectId) => showChange(projectId, id, change),
  hide: ({ id, before }, projectId) => showChange(projectId, id, before),
  saved: (_answer, _input, { projectId }) => void readAgain(projectId),
  failure: () => 'The conversation could not be changed',
})

/** Renames a conversation, shares it or keeps it private again, or chooses its model. */
export const changeChat = (projectId: string, { id, title, shared, model }: Transcript, next: Change) =>
  change(projectId, { id, change: next, before: { title, shared, model } })

function showChange(projectId: string, id: string, shown: Change): void {
  queryClient.setQueryData<Transcript>(transcriptKey(projectId, id), (old) => old && { ...old, ...shown })
}

const remove = defineWrite<{ id: string; title: string }, unknown>({
  name: 'conversations.delete',
  waits: true,
  about: ({ id, title }) => ({ text: `Delete the conversation “${title}”`, subjects: [id], part: 'conversation' }),
  send: ({ id }, { projectId, key }) => of(projectId).delete(id, { idempotencyKey: key }),
  saved: (_answer, { id }, { projectId }) => {
    queryClient.removeQueries({ queryKey: transcriptKey(projectId, id) })
    void queryClient.invalidateQueries({ queryKey: rowsKey(projectId) })
  },
  failure: ({ title }) => `“${title}” could not be deleted`,
})

/** Hides a conversation at once, and deletes it when Undo is no longer offered. */
export const deleteChat = (projectId: string, { id, title }: Row | Transcript) =>
  deleteWithUndo(id, `“${title}” deleted`, () => void remove(projectId, { id, title }))

export const decide = defineWrite<{ id: string; proposalId: string; verb: 'accept' | 'reject' }, unknown>({
  name: 'conversations.decide',
  waits: false,
  about: ({ proposalId }) => ({ subjects: [proposalId] }),
  send: ({ id, proposalId, verb }, { projectId, key }) => of(projectId)[verb](id, proposalId, { idempotencyKey: key }),
  saved: (_answer, { id }, { projectId }) =>
    void queryClient.invalidateQueries({ queryKey: transcriptKey(projectId, id) }),
})
