import type { Log } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/database/index.ts'
import { isDatabaseAway } from '../../../kernel/database/index.ts'
import { type Address, type Attempt, attempt } from './attempt.ts'
import type { Due, Outcome } from './delivery-queries.ts'
import * as queries from './delivery-queries.ts'

/** A slow receiver holds up only its own events. */
export const MAX_AT_ONCE = 16
/** Of those, how many may have begun just now: sending many in one go takes the processor from requests. */
const MAX_YOUNG = 4
const YOUNG_MS = 20
/** A receiver that fails is asked carefully until it works again. */
const MAX_AT_ONCE_FAILING = 2
const MAX_LOADED = 500
const QUEUE_AT_ONCE = 1_000
/** What gathers meanwhile shares the statements: the more there is, the longer. */
const SPACING_MS = 20
const BUSY_SPACING_MS = 100
const MANY = 50
const IDLE_MS = 10_000
/** Retries may become due while others are being sent. */
const BUSY_MS = 1_000
const DAY_MS = 24 * 60 * 60_000
const MAX_RETRY_AFTER_MS = 10 * 60 * 60_000

const [S, MIN, H] = [1_000, 60_000, 3_600_000]
/** The waits between attempts: about a day. */
export const RETRIES_MS = [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 8 * H, 8.5 * H]

export interface CourierOptions {
  db: Db
  log: Log
  webhook: { id: string; projectId: string }
  nodeId: string
  address: Address
  isFailing: boolean
  retriesMs: readonly number[]
  failingAllowedMs: number
  /** The machine has no processor time to spare. Requests to the server go first. */
  isCrowded(): boolean
  /** The webhook fails for good. */
  giveUp(reason: string): Promise<void>
}

export interface Courier {
  /** There may be something new in the log. */
  look(): void
  change(address: Address): void
  /** Starts nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

/**
 * Delivers the events of one webhook on the node that has leased it. Events about the same subject are sent one after the
 * other; if one fails, those behind it wait with it. What is not stored as delivered is sent again after a crash.
 */
export function startCourier(options: CourierOptions): Courier {
  const { db, log, retriesMs, failingAllowedMs } = options
  const reader = { ...options.webhook, nodeId: options.nodeId }
  let { address, isFailing } = options
  /** As stored. */
  let wasFailing = isFailing
  /** What waits for each subject, the first of it being sent if the subject is not `ready`. */
  const lanes = new Map<string, Due[]>()
  let ready: string[] = []
  /** Everything that was loaded and whose outcome is not stored yet. */
  const known = new Set<string>()
  let outcomes: (Outcome & { held: string[] })[] = []
  /** When each attempt that is under way began. */
  const underWay: number[] = []
  let isNew = true
  let isStopping = false
  let isAwake = false
  let wakeSleeper: () => void = () => undefined

  function wake(): void {
    isAwake = true
    wakeSleeper()
  }

  async function sleep(ms: number): Promise<void> {
    if (!isAwake)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wakeSleeper = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    isAwake = false
  }

  function mayStart(): boolean {
    if (isFailing) return underWay.length < MAX_AT_ONCE_FAILING
    const since = options.isCrowded() ? 0 : performance.now() - YOUNG_MS
    return underWay.length < MAX_AT_ONCE && underWay.filter((at) => at > since).length < MAX_YOUNG
  }

  function startReady(): void {
    while (ready.length > 0 && mayStart() && !isStopping) void send(ready.shift()!)
  }

  async function send(subjectId: string): Promise<void> {
    const lane = lanes.get(subjectId)!
    const due = lane.shift()!
    const at = performance.now()
    underWay.push(at)
    const made = await attempt(address, due)
    underWay.splice(underWay.indexOf(at), 1)
    isFailing = !made.isDelivered
    const held = made.isDelivered ? [] : lane.splice(0).map(({ eventId }) => eventId)
    if (lane.length > 0) ready.push(subjectId)
    else lanes.delete(subjectId)
    outcomes.push({ ...outcomeOf(due, made), held })
    startReady()
    wake()
  }

  function outcomeOf(due: Due, { retryAfterMs = 0, ...made }: Attempt): Outcome {
    const { eventId, subjectId, attempts } = due
    const waitMs = retriesMs[attempts]
    const isLast = made.isDelivered || waitMs === undefined
    // Spread a little, so that what failed together does not come back together.
    const retryMs = isLast
      ? undefined
      : Math.max(waitMs * (1 + Math.random() / 10), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
    return { eventId, subjectId, ...made, retryMs }
  }

  async function store(): Promise<void> {
    const stored = outcomes
    if (stored.length === 0) return
    outcomes = []
    try {
      await queries.recordOutcomes(
        db,
        reader,
        stored.map(({ held: _, ...outcome }) => outcome),
      )
    } catch (err) {
      outcomes = [...stored, ...outcomes]
      throw err
    }
    for (const { eventId, held } of stored) for (const id of [eventId, ...held]) known.delete(id)
    await judge(stored)
  }

  /** Disables a webhook that is gone, or that has not worked for long. */
  async function judge(stored: Outcome[]): Promise<void> {
    if (stored.some(({ isDelivered }) => isDelivered)) {
      if (wasFailing) await queries.noteWorking(db, reader)
      wasFailing = false
      return
    }
    wasFailing = true
    if (stored.some(({ responseStatus }) => responseStatus === 410))
      return options.giveUp('It answered 410: the receiver wants no more events.')
    if (await queries.noteFailing(db, reader, failingAllowedMs))
      await options.giveUp(`Every attempt failed for a day. The last error: ${stored.at(-1)!.error}`)
  }

  async function load(): Promise<void> {
    if (known.size > MAX_LOADED / 2) return
    for (const due of await queries.listDue(db, reader, [...known], MAX_LOADED - known.size)) {
      known.add(due.eventId)
      const lane = lanes.get(due.subjectId)
      if (lane) lane.push(due)
      else {
        lanes.set(due.subjectId, [due])
        ready.push(due.subjectId)
      }
    }
  }

  /** Returns how long there is nothing to do. */
  async function work(): Promise<number> {
    await store()
    if (isNew) {
      isNew = false
      isNew = (await queries.queueEvents(db, reader, QUEUE_AT_ONCE)) === QUEUE_AT_ONCE || isNew
    }
    await load()
    startReady()
    if (isNew) return 0
    if (ready.length > 0 && !isFailing && underWay.length < MAX_AT_ONCE) return YOUNG_MS
    if (known.size > 0) return BUSY_MS
    return Math.max(0, (await queries.findNextAttempt(db, reader)) ?? IDLE_MS)
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      const begun = performance.now()
      const ms = await work().catch((err: Error) => {
        isNew = true
        if (!isDatabaseAway(err)) log.error({ err, webhook_id: reader.id }, 'a webhook could not be looked after')
        return 1_000
      })
      if (ms > 0) await sleep(Math.min(ms, IDLE_MS))
      const spacingMs = known.size > MANY || options.isCrowded() ? BUSY_SPACING_MS : SPACING_MS
      const leftMs = spacingMs - (performance.now() - begun)
      if (leftMs > 0 && !isStopping) await new Promise((resolve) => setTimeout(resolve, leftMs))
    }
  }

  const looping = loop()
  return {
    look() {
      isNew = true
      wake()
    },
    change(changed) {
      address.connections.close()
      address = changed
      isNew = true
      wake()
    },
    async stop() {
      isStopping = true
      ready = []
      wake()
      await looping
      while (underWay.length > 0) {
        await sleep(IDLE_MS)
        await store().catch(() => undefined)
      }
      await store().catch(() => undefined)
      address.connections.close()
    },
  }
}

export const FAILING_ALLOWED_MS = DAY_MS
