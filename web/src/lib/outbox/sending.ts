import { SlipwayError } from '../client.ts'
import { connection, setOnline } from '../connection.ts'
import { newId } from '../ids.ts'
import { queryClient } from '../query-client.ts'
import { reportFault } from '../report-fault.ts'
import { signInAgain } from '../sign-in-again.ts'
import { showToast } from '../toasts.ts'
import { hasUnknownKinds, loadKinds } from './load-kinds.ts'
import { enqueue, findWrite, hide, kinds, ownerOf, remove, show, showWrites, store, update, writes } from './queue.ts'
import { adoptWrites } from './stored-writes.ts'
import { type Fault, isFinal, type Outcome, reasonOf, type Theirs, type Write, type WriteKind } from './write.ts'

const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 30_000
/** A browser opens six connections to a server over HTTP/1.1, and reads need some, too. */
const MAX_SENDING = 4

const attempts = new Map<string, (outcome: Outcome<never>) => void>()
/** What could not be sent at first. */
const waited = new Set<string>()
/** What got no answer. It is left alone until the next round, so that it does not take the turn of others. */
const resting = new Set<string>()
/** One attempt although the server seems to be away. */
let isForced = false
let isLoading = false
let answeredAt = 0
let retryMs = FIRST_RETRY_MS
let timer: ReturnType<typeof setTimeout> | undefined
let lastAt = 0

export function submit<Input, Answer>(
  kind: WriteKind<Input, Answer>,
  projectId: string,
  input: Input,
): Promise<Outcome<Answer>> {
  const at = Math.max(Date.now(), lastAt + 1)
  lastAt = at
  const id = newId()
  const { name, waits } = kind
  const about = { text: name, part: 'change', ...kind.about(input) }
  return begin({ id, key: id, kind: name, waits, projectId, input, ...about, at, state: 'waiting', attempts: 0 })
}

/** Puts a write into the queue, shows it, and tells what becomes of its next attempt. */
export function begin<Answer>(write: Write): Promise<Outcome<Answer>> {
  enqueue(write)
  store(write)
  show(write)
  return new Promise((resolve) => {
    attempts.set(write.id, resolve as (outcome: Outcome<never>) => void)
    sendAll()
  })
}

/** Takes over what closed tabs left, and loads the code that it needs. */
export async function adopt(): Promise<void> {
  const owner = ownerOf()
  const adopted = owner === undefined ? [] : await adoptWrites(owner)
  for (const { id } of adopted) waited.add(id)
  if (adopted.length > 0) enqueue(...adopted)
  for (const projectId of new Set(adopted.map((write) => write.projectId))) showWrites(projectId)
  if (hasUnknownKinds()) {
    isLoading = true
    sendAll()
    await loadKinds()
    isLoading = false
  }
  sendAll()
}

/**
 * Sends the first write of every subject. A write has as many subjects as things that it changes, and waits for the writes
 * before it of any of them.
 */
export function sendAll(): void {
  const first: Write[] = []
  const busy = new Set<string>()
  const held = new Set<string>()
  for (const write of writes.get()) {
    const { subjects, state, waits } = write
    if (state !== 'waiting' && state !== 'sending') continue
    // Code that could not be loaded holds up nothing else.
    if (!kinds.has(write.kind) && !isLoading) continue
    const isWaiting = state === 'waiting'
    const isHeld = waits && isWaiting && (subjects.some((one) => held.has(one)) || !mayBeSent(write))
    const isNext = isWaiting && !isHeld && !subjects.some((one) => busy.has(one))
    for (const one of subjects) (isHeld ? held : busy).add(one)
    if (isHeld) wait(write)
    if (isNext) first.push(write)
  }
  const free = MAX_SENDING - writes.get().filter(({ state, waits }) => waits && state === 'sending').length
  // What was never tried comes first, so that it has its turn whatever happens to the others.
  const kept = first.filter(({ waits }) => waits).toSorted((a, b) => a.attempts - b.attempts)
  for (const write of [...first.filter(({ waits }) => !waits), ...kept.slice(0, Math.max(0, free))]) void send(write)
  tryLater()
}

const mayBeSent = ({ id, kind }: Write) =>
  kinds.has(kind) && !resting.has(id) && (connection.get().isOnline || isForced)

/** Never throws, so that the writes behind it are sent whatever happens to this one. */
async function send(write: Write): Promise<void> {
  const kind = kinds.get(write.kind)!
  const { projectId, key } = write
  const startedAt = performance.now()
  update(write.id, { state: 'sending', attempts: write.attempts + 1, fault: undefined })
  let answer: unknown
  let fault: Fault | undefined
  try {
    answer = await kind.send(write.input, { projectId, key })
  } catch (err) {
    fault = faultOf(err)
  }
  if (!fault) finish(write, answer)
  else if (fault.status === 412 && kind.comparison) await compare(write, startedAt)
  else holdOrFail(write, fault, startedAt)
  sendAll()
}

function finish(write: Write, answer: unknown): void {
  noteAnswer()
  const about = { projectId: write.projectId, waited: waited.delete(write.id) }
  remove(write.id)
  if (resting.size === 0) retryMs = FIRST_RETRY_MS
  readAgain(write.projectId)
  reportFault(() => kinds.get(write.kind)!.saved?.(answer, write.input, about))
  settle(write.id, { state: 'saved', answer: answer as never })
}

function noteAnswer(): void {
  answeredAt = performance.now()
  isForced = false
  setOnline(true)
}

/** What is being read may be older than the write. */
const readAgain = (projectId: string) =>
  void queryClient.invalidateQueries({
    queryKey: [projectId],
    predicate: ({ state }) => state.fetchStatus === 'fetching',
  })

function holdOrFail(write: Write, fault: Fault, startedAt: number): void {
  const isAway = fault.status === 0
  // If others got an answer in that time, the server is there.
  if (isAway && answeredAt < startedAt) {
    isForced = false
    setOnline(false)
  }
  if (!isAway && fault.status !== 401) noteAnswer()
  if (write.waits && (isAway || fault.status === 401)) {
    resting.add(write.id)
    update(write.id, { state: 'waiting', fault })
  } else fail(write, fault)
  if (fault.status === 401) signInAgain()
}

/** Whatever waits is tried again, at longer and longer intervals. */
function tryLater(): void {
  if (!writes.get().some(({ state }) => state === 'waiting')) stopTimer()
  else if (timer === undefined) {
    timer = setTimeout(tryNow, retryMs)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }
}

function stopTimer(): void {
  clearTimeout(timer)
  timer = undefined
}

/** Tries to reach the server at once. */
export function tryNow(): void {
  stopTimer()
  resting.clear()
  isForced = navigator.onLine
  void adopt()
}

function wait({ id }: Write): void {
  waited.add(id)
  settle(id, { state: 'waiting', id })
}

function fail(write: Write, fault: Fault): void {
  const failed: Write = { ...write, state: 'failed', fault, key: isFinal(fault) ? newId() : write.key }
  // What does not wait stays nowhere but in its message, or in the form that it came from.
  if (write.waits) update(write.id, failed)
  else remove(write.id)
  hide(write)
  const retry = () => retryOnce<never>(failed)
  reportFault(() => {
    const text = kinds.get(write.kind)!.failure?.(write.input)
    const action = { label: 'Retry', run: () => void retry() }
    if (text) showToast({ text, detail: reasonOf(fault), tone: 'error', action })
  })
  settle(write.id, { state: 'failed', id: write.id, fault, retry })
}

/** Sends a failed write again, unless that has been done, and shows it again. */
export function retryOnce<Answer>(failed: Write): Promise<Outcome<Answer>> {
  const { id, waits } = failed
  const known = findWrite(id)
  if (known ? known.state !== 'failed' : waits) return Promise.resolve({ state: 'waiting', id })
  if (known) remove(id)
  waited.add(id)
  return begin({ ...failed, state: 'waiting', fault: undefined })
}

async function compare(write: Write, startedAt: number): Promise<void> {
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
    holdOrFail(write, faultOf(err), startedAt)
  }
}

const repeat = (write: Write, input: unknown) =>
  update(write.id, { state: 'waiting', input, key: newId(), theirs: undefined, fault: undefined })

export function faultOf(err: unknown): Fault {
  const at = Date.now()
  if (err instanceof SlipwayError) {
    const { message, status, code, requestId, errors } = err
    const [named] = errors
    return { message, status, code, requestId, at, ...(named && { named }) }
  }
  return { message: err instanceof Error ? err.message : String(err), status: 422, requestId: undefined, at }
}

function settle(id: string, outcome: Outcome<never>): void {
  attempts.get(id)?.(outcome)
  attempts.delete(id)
}

addEventListener('online', tryNow)
connection.subscribe(() => {
  if (!connection.get().isOnline) return
  resting.clear()
  sendAll()
})
