import { enqueue, findWrite, hide, kinds, ownerOf, remove, setOwner, showWrites, showWritesOf, store } from './queue.ts'
import { adopt, retryOnce, sendAll, submit } from './sending.ts'
import type { Outcome, Write, WriteKind } from './write.ts'

export { comparisonOf, keepMerge, resolveConflict, takeTheirs } from './conflicts.ts'
export { loadKindsBy } from './load-kinds.ts'
export { showWrites, useWrites, wordsOf, writes } from './queue.ts'
export { tryNow } from './sending.ts'
export type { Fault, Outcome, Theirs, Write, WriteKind } from './write.ts'

/*
 * The outbox: every write of the web goes through it. Writes on the same thing are sent one after the other, in the order
 * in which they were made. Writes on different things do not wait for each other.
 *
 * A module describes each kind of write once, in a file that its `writes.ts` imports. A write that waited through a
 * reload has its module loaded before it is sent:
 *
 *   const saveTitle = defineWrite<{ id: string; title: string; before: string }, void>({
 *     name: 'things.title',
 *     waits: true,
 *     about: ({ id, title }) => ({ text: `Title to ${title}`, subjects: [id], part: 'title' }),
 *     send: async ({ id, title }, { projectId, key }) =>
 *       void (await api.things(callOf(projectId)).rename(id, { title }, { idempotencyKey: key })),
 *     show: ({ id, title }, projectId) => showInCache(projectId, id, { title }),
 *     hide: ({ id, before }, projectId) => showInCache(projectId, id, { title: before }),
 *     saved: () => showToast({ text: 'Renamed', undo: … }),
 *     failure: () => 'The thing was not renamed',
 *   })
 *   const outcome = await saveTitle(projectId, { id, title, before })
 *
 * - `show` runs at once, and again whenever a query brings newer data, until the write is saved or refused. It must only
 *   change the cache (`queryClient.setQueryData`).
 * - The promise tells what became of the first attempt: `saved`, `failed`, `conflict`, or `waiting` for the connection.
 *   It never rejects. Whoever shows the result in place can ignore it and use `useWrites(subject)`.
 * - With `waits: true`, a write that cannot reach the server waits, also through a reload, and is sent when the connection
 *   is back. One that the server refuses becomes `failed` and stays: `retryWrite` sends it again, `discardWrite` takes it
 *   back.
 * - With `waits: false`, a write that cannot reach the server fails as if it were refused. It is never stored.
 * - After a failure, `hide` has run and `failure` is shown with Retry. Retry shows the write again, and sends it with the
 *   same key, unless the server has answered that key for good.
 * - With a `comparison`, a 412 is first read again: if others changed something else, or other lines of the same text, both
 *   changes are made; if they changed the same lines, it becomes a `conflict`, and the frame shows both texts.
 * - A handler that throws is reported and changes nothing about the write.
 * - `input` is stored as JSON. It must not hold functions, Maps or files.
 */

export function defineWrite<Input, Answer>(kind: WriteKind<Input, Answer>) {
  kinds.set(kind.name, kind)
  // What was read before this code was loaded does not show them yet.
  showWritesOf(kind.name)
  return (projectId: string, input: Input): Promise<Outcome<Answer>> => submit(kind, projectId, input)
}

/** Starts sending for a person, beginning with what an earlier page left. */
export async function startOutbox(userId: string): Promise<void> {
  if (ownerOf() === userId) return
  setOwner(userId)
  await adopt()
}

/** Sends a failed write again. */
export function retryWrite(id: string): void {
  const write = findWrite(id)
  if (write) void retryOnce(write)
}

/** Takes a write back that was not saved. Returns it for `restoreWrite`. */
export function discardWrite(id: string): Write | undefined {
  const write = findWrite(id)
  if (!write || write.state === 'sending') return undefined
  remove(id)
  if (write.state !== 'failed') hide(write)
  sendAll()
  return write
}

/** Brings back a write that was discarded. */
export function restoreWrite(write: Write): void {
  if (findWrite(write.id)) return
  enqueue(write)
  store(write)
  showWrites(write.projectId)
  sendAll()
}
