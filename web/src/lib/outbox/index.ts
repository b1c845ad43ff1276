import { SlipwayError } from '../client.ts'
import { connection, setOnline } from '../connection.ts'
import { newId } from '../ids.ts'
import { queryClient } from '../query-client.ts'
import { reportFault } from '../report-fault.ts'
import { signInAgain } from '../sign-in-again.ts'
import { hasUnknownKinds, loadKinds } from './load-kinds.ts'
import {
  enqueue,
  findWrite,
  hide,
  kinds,
  ownerOf,
  remove,
  setOwner,
  show,
  showWrites,
  showWritesOf,
  store,
  update,
  writes,
} from './queue.ts'
import { adoptWrites } from './stored-writes.ts'
import { type Fault, isFinal, type Outcome, type Theirs, type Write, type WriteKind } from './write.ts'

export { loadKindsBy } from './load-kinds.ts'
export { showWrites, useWrites, wordsOf, writes } from './queue.ts'
export type { Fault, Outcome, Theirs, Write, WriteKind } from './write.ts'

/*
 * The outbox: every write of the web goes through it, one after the other, in the order in which they were made.
 *
 * A module describes each kind of write once, in a file that its `writes.ts` imports. A write that waited through a
 * reload has its module loaded before it is sent:
 *
 *   const saveTitle = defineWrite<{ id: string; title: string; before: string }, void>({
 *     name: 'things.title',
 *     about: ({ id, title }) => ({ text: `Title to ${title}`, subjects: [id], part: 'title' }),
 *     send: async ({ id, title }, { projectId, key }) =>
 *       void (await clientOf(projectId).things.rename(id, { title }, { idempotencyKey: key })),
 *     show: ({ id, title }, projectId) => showInCache(projectId, id, { title }),
 *     hide: ({ id, before }, projectId) => showInCache(projectId, id, { title: before }),
 *     saved: () => showToast({ text: 'Renamed', undo: … }),
 *   })
 *   const outcome = await saveTitle(projectId, { id, title, before })
 *
 * - `show` runs at once, and again whenever a query brings newer data, until the write is saved or refused. It must only
 *   change the cache (`queryClient.setQueryData`).
 * - The promise tells what became of the first attempt: `saved`, `failed`, `conflict`, or `waiting` for the connection.
 *   It never rejects. Whoever shows the result in place can ignore it and use `useWrites(subject)`.
 * - A write that cannot reach the server waits, also through a reload, and is sent when the connection is back.
 * - A write that the server refuses or could not carry out becomes `failed` and stays: `retryWrite` sends it again (with
 *   the same key, unless the server has answered that key for good), `discardWrite` takes it back.
 * - With a `comparison`, a 412 is first read again: if others changed something else, or other lines of the same text, both
 *   changes are made; if they changed the same lines, it becomes a `conflict`, and the frame shows both texts.
 * - A handler that throws is reported and changes nothing about the write.
 * - `input` is stored as JSON. It must not hold functions, Maps or files.
 */

const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 30_000

const firstAttempts = new Map<string, (outcome: Outcome<never>) => void>()
const waited = new Set<string>()
let isSending = false
/** One attempt although the server seems to be away. */
let isForced = false
let retryMs = FIRST_RETRY_MS
let timer: ReturnType<typeof setTimeout> | undefined
let lastAt = 0

export function defineWrite<Input, Answer>(kind: WriteKind<Input, Answer>) {
  kinds.set(kind.name, kind)
  // What was read before this code was loaded does not show them yet.
  showWritesOf(kind.name)
  return (projectId: string, input: Input): Promise<Outcome<Answer>> => add(kind, projectId, input)
}

function add<Input, Answer>(kind: WriteKind<Input, Answer>, projectId: string, input: Input): Promise<Outcome<Answer>> {
  const at = Math.max(Date.now(), lastAt + 1)
  lastAt = at
  const id = newId()
  const { name } = kind
  const about = kind.about(input)
  const write: Write = { id, key: id, kind: name, projectId, input, ...about, at, state: 'waiting', attempts: 0 }
  enqueue(write)
  store(write)
  show(write)
  return new Promise((resolve) => {
    firstAttempts.set(id, resolve as (outcome: Outcome<never>) => void)
    void sendAll()
  })
}

/** Starts sending for a person, beginning with what an earlier page left. */
export async function startOutbox(userId: string): Promise<void> {
  if (ownerOf() === userId) return
  setOwner(userId)
  await adopt()
}

async function adopt(): Promise<void> {
  const owner = ownerOf()
  const adopted = owner === undefined ? [] : await adoptWrites(owner)
  for (const { id } of adopted) waited.add(id)
  if (adopted.length > 0) enqueue(...adopted)
  for (const projectId of new Set(adopted.map((write) => write.projectId))) showWrites(projectId)
  void sendAll()
}

async function sendAll(): Promise<void> {
  if (isSending) return
  isSending = true
  clearTimeout(timer)
  if (hasUnknownKinds() && !(await loadKinds())) tryLater()
  for (let next = nextWrite(); next; next = nextWrite()) await send(next)
  isSending = false
  isForced = false
  for (const write of writes.get()) if (write.state === 'waiting') wait(write)
}

const nextWrite = () =>
  connection.get().isOnline || isForced
    ? writes.get().find(({ state, kind }) => state === 'waiting' && kinds.has(kind))
    : undefined

/** Never throws, so that the writes behind it are sent whatever happens to this one. */
async function send(write: Write): Promise<void> {
  const kind = kinds.get(write.kind)!
  const { projectId, key } = write
  update(write.id, { state: 'sending', attempts: write.attempts + 1, fault: undefined })
  let answer: unknown
  try {
    answer = await kind.send(write.input, { projectId, key })
  } catch (err) {
    const fault = faultOf(err)
    if (fault.status === 412 && kind.comparison) return compare(write)
    return holdOrFail(write, fault)
  }
  setOnline(true)
  finish(write, answer)
}

function finish(write: Write, answer: unknown): void {
  const about = { projectId: write.projectId, waited: waited.delete(write.id) }
  remove(write.id)
  retryMs = FIRST_RETRY_MS
  readAgain(write.projectId)
  reportFault(() => kinds.get(write.kind)!.saved?.(answer, write.input, about))
  settle(write.id, { state: 'saved', answer: answer as never })
}

/** What is being read may be older than the write. */
const readAgain = (projectId: string) =>
  void queryClient.invalidateQueries({
    queryKey: [projectId],
    predicate: ({ state }) => state.fetchStatus === 'fetching',
  })

const holdOrFail = (write: Write, fault: Fault) =>
  fault.status === 0 || fault.status === 401 ? hold(write, fault) : fail(write, fault)

/** The server cannot be reached, or the session has ended: it is sent later. */
function hold(write: Write, fault: Fault): void {
  update(write.id, { state: 'waiting', fault })
  isForced = false
  if (fault.status === 401) signInAgain()
  else {
    setOnline(false)
    tryLater()
  }
}

function tryLater(): void {
  clearTimeout(timer)
  timer = setTimeout(tryNow, retryMs)
  retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
}

function wait(write: Write): void {
  waited.add(write.id)
  settle(write.id, { state: 'waiting', id: write.id })
}

function fail(write: Write, fault: Fault): void {
  setOnline(true)
  update(write.id, { state: 'failed', fault, key: isFinal(fault) ? newId() : write.key })
  hide(write)
  const failed = findWrite(write.id)
  if (failed) reportFault(() => kinds.get(write.kind)!.failed?.(failed))
  settle(write.id, { state: 'failed', id: write.id, fault })
}

async function compare(write: Write): Promise<void> {
  const { comparison } = kinds.get(write.kind)!
  const { input, projectId } = write
  try {
    const theirs: Theirs = await comparison!.read(input, projectId)
    const mine: string = comparison!.mine(input)
    // An attempt whose answer was lost has saved it.
    if (theirs.text === mine) return finish(write, undefined)
    const { mergeLines } = await import('../merge-lines.ts')
    const merged = mergeLines(comparison!.base(input), mine, theirs.text)
    if (merged.isClean) return repeat(write, comparison!.rebased(input, merged.text, theirs))
    update(write.id, { state: 'conflict', theirs, merged: undefined })
    settle(write.id, { state: 'conflict', id: write.id })
  } catch (err) {
    holdOrFail(write, faultOf(err))
  }
}

const repeat = (write: Write, input: unknown) =>
  update(write.id, { state: 'waiting', input, key: newId(), theirs: undefined, fault: undefined })

/** Sends a failed write again. */
export function retryWrite(id: string): void {
  const write = findWrite(id)
  if (write?.state !== 'failed') return
  update(id, { state: 'waiting', fault: undefined })
  show(write)
  void sendAll()
}

/** Takes a write back that was not saved. Returns it for `restoreWrite`. */
export function discardWrite(id: string): Write | undefined {
  const write = findWrite(id)
  if (!write || write.state === 'sending') return undefined
  remove(id)
  if (write.state !== 'failed') hide(write)
  return write
}

/** Brings back a write that was discarded. */
export function restoreWrite(write: Write): void {
  if (findWrite(write.id)) return
  enqueue(write)
  store(write)
  showWrites(write.projectId)
  void sendAll()
}

/** Ends a conflict by saving a text over theirs. */
export function resolveConflict({ id, kind: name, projectId, input, theirs }: Write, text: string): void {
  const kind = kinds.get(name)
  if (!kind?.comparison || !theirs) return
  remove(id)
  void add(kind, projectId, kind.comparison.rebased(input, text, theirs))
}

/** Ends a conflict by giving one's own text up. */
export function takeTheirs({ id, kind, projectId, input, theirs }: Write): void {
  remove(id)
  reportFault(() => kinds.get(kind)?.comparison?.showTheirs(input, theirs!, projectId))
  showWrites(projectId)
}

/** Keeps the text with which a person settles a conflict, until they save it. */
export const keepMerge = (id: string, merged: string) => update(id, { merged })

export const comparisonOf = ({ kind, input }: Write) => {
  const { comparison } = kinds.get(kind) ?? {}
  return (
    comparison && {
      title: comparison.title(input) as string,
      base: comparison.base(input) as string,
      mine: comparison.mine(input) as string,
    }
  )
}

/** Tries to reach the server at once. */
export function tryNow(): void {
  isForced = navigator.onLine
  void adopt()
}

export function faultOf(err: unknown): Fault {
  const at = Date.now()
  if (err instanceof SlipwayError) {
    const { message, status, code, requestId } = err
    return { message, status, code, requestId, at }
  }
  return { message: err instanceof Error ? err.message : String(err), status: 422, requestId: undefined, at }
}

function settle(id: string, outcome: Outcome<never>): void {
  firstAttempts.get(id)?.(outcome)
  firstAttempts.delete(id)
}

addEventListener('online', tryNow)
connection.subscribe(() => {
  if (connection.get().isOnline) void sendAll()
})
