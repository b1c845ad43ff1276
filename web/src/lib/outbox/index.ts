import { SlipwayError } from '../client.ts'
import { connection, setOnline } from '../connection.ts'
import { newId } from '../ids.ts'
import { queryClient } from '../query-client.ts'
import { signInAgain } from '../sign-in-again.ts'
import { createStore, useStore } from '../store.ts'
import { adoptWrites, forgetWrite, storeWrite } from './stored-writes.ts'
import type { Fault, Outcome, Theirs, Write, WriteKind } from './write.ts'

export type { Fault, Outcome, Theirs, Write, WriteKind } from './write.ts'

/*
 * The outbox: every write of the web goes through it, one after the other, in the order in which they were made.
 *
 * A module describes each kind of write once, in a file that `app/writes.ts` imports, so that writes which waited
 * through a reload find their kind again:
 *
 *   const saveTitle = defineWrite<{ id: string; title: string; before: string }, void>({
 *     name: 'things.title',
 *     about: ({ id, title }) => ({ text: `Title to ${title}`, subjects: [id], part: 'title' }),
 *     send: async ({ id, title }, { projectId, key }) =>
 *       void (await clientOf(projectId).things.rename(id, { title }, { idempotencyKey: key })),
 *     show: ({ id, title }, projectId) => showInCache(projectId, id, { title }),
 *     hide: ({ id, before }, projectId) => showInCache(projectId, id, { title: before }),
 *     saved: () => showToast({ text: 'Renamed', action: { label: 'Undo', run: … } }),
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
 * - With a `comparison`, a 412 is first read again: if others changed something else, the write is repeated; if they
 *   changed the same text, it becomes a `conflict`, and the frame shows both texts (`resolveConflict`).
 * - `input` is stored as JSON. It must not hold functions, Maps or files.
 */

const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 30_000

/** What is not saved yet, the oldest first. */
export const writes = createStore<readonly Write[]>([])

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own input and answer.
const kinds = new Map<string, WriteKind<any, any>>()
const firstAttempts = new Map<string, (outcome: Outcome<never>) => void>()
const waited = new Set<string>()
let owner: string | undefined
let isSending = false
/** One attempt although the server seems to be away. */
let isForced = false
let retryMs = FIRST_RETRY_MS
let timer: ReturnType<typeof setTimeout> | undefined
let lastAt = 0

export function defineWrite<Input, Answer>(kind: WriteKind<Input, Answer>) {
  kinds.set(kind.name, kind)
  return (projectId: string, input: Input): Promise<Outcome<Answer>> => add(kind, projectId, input)
}

function add<Input, Answer>(kind: WriteKind<Input, Answer>, projectId: string, input: Input): Promise<Outcome<Answer>> {
  const at = Math.max(Date.now(), lastAt + 1)
  lastAt = at
  const id = newId()
  const { name } = kind
  const about = kind.about(input)
  const write: Write = { id, key: id, kind: name, projectId, input, ...about, at, state: 'waiting', attempts: 0 }
  writes.set((all) => [...all, write])
  store(write)
  kind.show?.(input, projectId)
  return new Promise((resolve) => {
    firstAttempts.set(id, resolve as (outcome: Outcome<never>) => void)
    void sendAll()
  })
}

/** Starts sending for a person, beginning with what an earlier page left. */
export async function startOutbox(userId: string): Promise<void> {
  if (owner === userId) return
  owner = userId
  await adopt()
}

async function adopt(): Promise<void> {
  const adopted = owner === undefined ? [] : await adoptWrites(owner)
  for (const { id } of adopted) waited.add(id)
  if (adopted.length > 0) writes.set((all) => [...all, ...adopted].sort((a, b) => a.at - b.at))
  for (const projectId of new Set(adopted.map((write) => write.projectId))) showWrites(projectId)
  void sendAll()
}

async function sendAll(): Promise<void> {
  if (isSending) return
  isSending = true
  clearTimeout(timer)
  for (let next = nextWrite(); next; next = nextWrite()) await send(next)
  isSending = false
  isForced = false
  for (const write of writes.get()) if (write.state === 'waiting') wait(write)
}

/** A kind that is not known here waits for a page that knows it. */
const nextWrite = () =>
  connection.get().isOnline || isForced
    ? writes.get().find(({ state, kind }) => state === 'waiting' && kinds.has(kind))
    : undefined

async function send(write: Write): Promise<void> {
  const kind = kinds.get(write.kind)!
  const { projectId, key } = write
  update(write.id, { state: 'sending', attempts: write.attempts + 1, fault: undefined })
  try {
    const answer = await kind.send(write.input, { projectId, key })
    setOnline(true)
    finish(write, answer)
  } catch (err) {
    const fault = faultOf(err)
    if (fault.status === 0 || fault.status === 401) return hold(write, fault)
    if (fault.status === 412 && kind.comparison) return compare(write)
    fail(write, fault)
  }
}

function finish(write: Write, answer: unknown): void {
  const about = { projectId: write.projectId, waited: waited.delete(write.id) }
  remove(write.id)
  retryMs = FIRST_RETRY_MS
  readAgain(write.projectId)
  kinds.get(write.kind)!.saved?.(answer, write.input, about)
  settle(write.id, { state: 'saved', answer: answer as never })
}

/** What is being read may be older than the write. */
const readAgain = (projectId: string) =>
  void queryClient.invalidateQueries({
    queryKey: [projectId],
    predicate: ({ state }) => state.fetchStatus === 'fetching',
  })

/** The server cannot be reached, or the session has ended: it is sent later. */
function hold(write: Write, fault: Fault): void {
  update(write.id, { state: 'waiting', fault })
  isForced = false
  if (fault.status === 401) signInAgain()
  else {
    setOnline(false)
    timer = setTimeout(tryNow, retryMs)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }
}

function wait(write: Write): void {
  waited.add(write.id)
  settle(write.id, { state: 'waiting', id: write.id })
}

function fail(write: Write, fault: Fault): void {
  setOnline(true)
  const kind = kinds.get(write.kind)!
  // The server repeats its answer to a key that it has answered for good.
  const isFinal = fault.status >= 400 && fault.status < 500 && fault.status !== 429
  update(write.id, { state: 'failed', fault, key: isFinal ? newId() : write.key })
  hide(write)
  const failed = writes.get().find(({ id }) => id === write.id)
  if (failed) kind.failed?.(failed)
  settle(write.id, { state: 'failed', id: write.id, fault })
}

async function compare(write: Write): Promise<void> {
  const { comparison } = kinds.get(write.kind)!
  const { input, projectId } = write
  try {
    const theirs: Theirs = await comparison!.read(input, projectId)
    const mine = comparison!.mine(input)
    // An attempt whose answer was lost has saved it.
    if (theirs.text === mine) return finish(write, undefined)
    if (theirs.text === comparison!.base(input)) return repeat(write, comparison!.rebased(input, mine, theirs))
    update(write.id, { state: 'conflict', theirs })
    settle(write.id, { state: 'conflict', id: write.id })
  } catch (err) {
    const fault = faultOf(err)
    if (fault.status === 0 || fault.status === 401) hold(write, fault)
    else fail(write, fault)
  }
}

const repeat = (write: Write, input: unknown) =>
  update(write.id, { state: 'waiting', input, key: newId(), theirs: undefined, fault: undefined })

/** Sends a failed write again. */
export function retryWrite(id: string): void {
  const write = writes.get().find((one) => one.id === id)
  if (write?.state !== 'failed') return
  update(id, { state: 'waiting', fault: undefined })
  kinds.get(write.kind)?.show?.(write.input, write.projectId)
  void sendAll()
}

/** Takes a write back that was not saved. */
export function discardWrite(id: string): void {
  const write = writes.get().find((one) => one.id === id)
  if (!write || write.state === 'sending') return
  remove(id)
  if (write.state !== 'failed') hide(write)
}

/** Ends a conflict by saving a text over theirs. `discardWrite` takes theirs instead. */
export function resolveConflict({ id, kind: name, projectId, input, theirs }: Write, text: string): void {
  const kind = kinds.get(name)
  if (!kind?.comparison || !theirs) return
  remove(id)
  void add(kind, projectId, kind.comparison.rebased(input, text, theirs))
}

export const comparisonOf = (write: Write) => {
  const { comparison } = kinds.get(write.kind) ?? {}
  return comparison && { title: comparison.title(write.input) as string, mine: comparison.mine(write.input) as string }
}

/** Tries to reach the server at once. */
export function tryNow(): void {
  isForced = navigator.onLine
  void adopt()
}

/** What is not saved yet of one thing. */
export const useWrites = (subject: string): readonly Write[] => {
  const all = useStore(writes)
  return all.filter((write) => write.subjects.includes(subject))
}

export function faultOf(err: unknown): Fault {
  const at = Date.now()
  if (err instanceof SlipwayError) return { message: err.message, status: err.status, requestId: err.requestId, at }
  return { message: err instanceof Error ? err.message : String(err), status: 422, requestId: undefined, at }
}

function hide(write: Write): void {
  kinds.get(write.kind)?.hide?.(write.input, write.projectId)
  showWrites(write.projectId)
}

/** Shows again what is not saved yet, over data that was put into the cache by hand. */
export function showWrites(projectId: string): void {
  for (const write of writes.get())
    if (isShown(write) && write.projectId === projectId) kinds.get(write.kind)?.show?.(write.input, projectId)
}

const isShown = ({ state }: Write) => state === 'waiting' || state === 'sending' || state === 'conflict'

function store(write: Write): void {
  if (owner !== undefined) storeWrite(owner, write)
}

function update(id: string, part: Partial<Write>): void {
  writes.set((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const write = writes.get().find((one) => one.id === id)
  if (write) store(write)
}

function remove(id: string): void {
  const write = writes.get().find((one) => one.id === id)
  if (write) forgetWrite(write)
  writes.set((all) => all.filter((one) => one.id !== id))
}

function settle(id: string, outcome: Outcome<never>): void {
  firstAttempts.get(id)?.(outcome)
  firstAttempts.delete(id)
}

// Data that was read before a write was carried out must not hide it.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
  showWrites(String(event.query.queryKey[0]))
})

addEventListener('online', tryNow)
connection.subscribe(() => {
  if (connection.get().isOnline) void sendAll()
})
