import type { Db } from '../../../kernel/database/index.ts'
import type { EventRegister } from '../../../kernel/event-kinds.ts'
import { type EventStream, frameOf } from '../../../kernel/http/answers/event-stream.ts'
import { type Change, isShared, maySee, presentChange, type Reader } from './change.ts'
import { formatPosition, type Moment, type Position } from './position.ts'
import { findPlaceBefore, findQuietPlace, listRoles, readChanges } from './queries.ts'
import { createSettling } from './settling.ts'

/** Whoever has missed more reloads instead. */
export const MAX_CHANGES = 1_000
const MAX_READ = 5_000
const SETTLE_AFTER_MS = 1_500
const SETTLE_AT_MOST_EVERY_MS = 30_000
const RETRY_AFTER_MS = 1_000

export interface Listener extends Reader {
  sessionId: string
  stream: EventStream
  /** Changes that arrive while it catches up. */
  waiting?: Change[] | undefined
}

export interface Hub {
  listeners: Set<Listener>
  /** The last event that was read. */
  last(): number
  join(listener: Listener, at: Position | Moment | undefined): Promise<void>
  /** Reads what is new and sends it to all listeners. Calls that come meanwhile share the next read. */
  read(): void
  /** Tells all listeners who is here, unless they know. */
  showPeople(): void
  stop(): void
}

/** A burst of people who come and go is shown once. */
const SHOW_PEOPLE_AFTER_MS = 300

/** All streams of one project on this node. They share one read of the event log. */
export async function openHub(
  db: Db,
  { projectId, events, whoIsHere }: { projectId: string; events: EventRegister; whoIsHere(): { total: number } },
): Promise<Hub> {
  const listeners = new Set<Listener>()
  const settling = createSettling(await findQuietPlace(db, projectId))
  const unsettled = (): Position => ({ seen: settling.settled, settled: settling.settled })
  const first = await readChanges(db, projectId, unsettled(), MAX_READ)
  const delivered = new Set(first.changes.map(({ id }) => id))
  let last = first.changes.at(-1)?.id ?? settling.settled
  let horizon = first.xmin
  let isReading = false
  let isWanted = false
  let timer: NodeJS.Timeout | undefined
  let settleMs = SETTLE_AFTER_MS
  let showing: NodeJS.Timeout | undefined
  let people: string | undefined
  settling.note({ ...first, last })

  function read(): void {
    isWanted = true
    if (!isReading) readAll()
  }

  async function readAll(): Promise<void> {
    isReading = true
    while (isWanted) {
      isWanted = false
      await readOnce().catch(() => again(RETRY_AFTER_MS))
    }
    isReading = false
  }

  async function readOnce(): Promise<void> {
    const found = await readChanges(db, projectId, unsettled(), MAX_READ)
    const fresh = found.changes.filter(({ id }) => !delivered.has(id))
    // Nobody is a member after it, so it would reach nobody.
    const farewell = fresh.filter(({ kind }) => kind === 'project.deleted')
    if (farewell.length > 0) deliver(farewell)
    if (fresh.some(changesMembers)) await checkMembers([...listeners])
    horizon = found.xmin
    for (const { id } of fresh) delivered.add(id)
    last = Math.max(last, found.changes.at(-1)?.id ?? 0)
    if (fresh.length > MAX_CHANGES) resetAll()
    else if (fresh.length > 0) deliver(fresh)
    if (fresh.length > 0) settleMs = SETTLE_AFTER_MS
    settle(found)
    if (found.changes.length === MAX_READ) read()
  }

  function settle(found: { changes: Change[]; xmin: bigint; xmax: bigint }): void {
    const before = settling.settled
    if (found.changes.length < MAX_READ) settling.note({ ...found, last })
    else settling.force(found.changes.at(-MAX_CHANGES)!.id)
    for (const id of delivered) if (id <= settling.settled) delivered.delete(id)
    if (settling.isOpen || settling.settled < last) again(settleMs)
    else if (before < last) tellPosition()
    settleMs = Math.min(settleMs * 2, SETTLE_AT_MOST_EVERY_MS)
  }

  function again(afterMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(read, afterMs)
    timer.unref()
  }

  const position = () => formatPosition(last, settling.settled, horizon)

  function tellPosition(): void {
    for (const { stream, waiting } of listeners) if (!waiting) stream.send('position', {}, position())
  }

  function deliver(changes: Change[]): void {
    const { settled } = settling
    // Put together once for all tabs.
    const shared = changes.every((one) => isShared(events, one)) ? framesOf(changes, settled, horizon) : undefined
    for (const listener of listeners)
      if (listener.waiting) listener.waiting.push(...changes)
      else if (shared !== undefined) listener.stream.write(shared)
      else sendTo(listener, changes, settled, horizon)
  }

  function resetAll(): void {
    for (const listener of listeners) {
      if (listener.waiting) listener.waiting = []
      reset(listener)
    }
  }

  function sendTo(listener: Listener, changes: Change[], settled: number, horizon: bigint): void {
    const visible = changes.filter((one) => maySee(events, listener, one))
    if (visible.length > 0) listener.stream.write(framesOf(visible, settled, horizon))
  }

  const framesOf = (changes: Change[], settled: number, horizon: bigint) =>
    changes
      .map((one) => frameOf('change', presentChange(events, one), formatPosition(one.id, settled, horizon)))
      .join('')

  const reset = ({ stream }: Listener) => stream.send('reset', { reason: 'Too much has changed since.' }, position())

  /** Ends the streams of those who are no longer members. */
  async function checkMembers(asked: Listener[]): Promise<void> {
    const ids = [...new Set(asked.map(({ userId }) => userId))]
    const roles = new Map((await listRoles(db, projectId, ids)).map(({ userId, role }) => [userId, role]))
    for (const listener of asked) {
      const role = roles.get(listener.userId)
      if (role) listener.role = role
      else listener.stream.close()
    }
  }

  /** Nobody is told that they are alone, unless somebody has just left. */
  function sendPeople(): void {
    showing = undefined
    const here = whoIsHere()
    const frame = here.total > 1 || people !== undefined ? frameOf('presence', here) : undefined
    if (frame === undefined || frame === people) return
    people = here.total > 1 ? frame : undefined
    for (const { stream } of listeners) stream.write(frame)
  }

  /** Looks only at the last events: if all of them are newer, they are too many to send. */
  async function positionOf(at: Position | Moment): Promise<Position> {
    if ('seen' in at) return at
    return { ...at, seen: Number.MAX_SAFE_INTEGER, settled: await findPlaceBefore(db, projectId, MAX_READ) }
  }

  async function catchUp(listener: Listener, from: Position): Promise<void> {
    const { changes, xmin } = await readChanges(db, projectId, from, MAX_CHANGES + 1)
    if (changes.length > MAX_CHANGES) {
      listener.waiting = []
      return reset(listener)
    }
    sendTo(
      listener,
      changes.filter(({ id }) => id !== from.seen),
      from.settled,
      xmin,
    )
    const sent = new Set(changes.map(({ id }) => id))
    listener.waiting = listener.waiting!.filter(({ id }) => !sent.has(id))
  }

  if (settling.isOpen) again(SETTLE_AFTER_MS)
  return {
    listeners,
    last: () => last,
    read,
    async join(listener, at) {
      listener.waiting = []
      const horizonThen = horizon
      listeners.add(listener)
      // Membership may have ended since the request was admitted.
      await checkMembers([listener])
      const from = at && (await positionOf(at))
      if (from) await catchUp(listener, from)
      sendTo(listener, listener.waiting, from?.settled ?? settling.settled, horizonThen)
      listener.waiting = undefined
      listener.stream.write(`${frameOf('position', {}, position())}${people ?? ''}`)
    },
    showPeople() {
      showing ??= setTimeout(sendPeople, SHOW_PEOPLE_AFTER_MS).unref()
    },
    stop() {
      clearTimeout(timer)
      clearTimeout(showing)
    },
  }
}

const changesMembers = ({ kind }: Change) => kind.startsWith('project_member.') || kind === 'project.deleted'
