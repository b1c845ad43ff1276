import { EVENTS_CHANNEL } from '../../../kernel/announcements.ts'
import type { Log } from '../../../kernel/context.ts'
import { forProject, listen, type Sql } from '../../../kernel/database/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { EventRegister } from '../../../kernel/event-kinds.ts'
import { listSessionsThatLast } from '../../../product/accounts/index.ts'
import { type Hub, type Listener, openHub } from './hub.ts'
import type { Moment, Position } from './position.ts'
import { createPresence, PRESENCE_CHANNEL, type Presence } from './presence.ts'
import { listLastEvents } from './queries.ts'

const MAX_STREAMS_OF_PERSON = 50
/** Finds what was committed but never announced, because the process that wrote it died. */
const LOOK_EVERY_MS = 10_000
/** Until then, a tab of an ended session still shows what others do. */
const CHECK_SESSIONS_EVERY_MS = 5_000

export interface Live {
  /** Takes one of the person's streams. Throws 429. */
  reserve(userId: string): { release(): void }
  follow(projectId: string, listener: Listener, from: Position | Moment | undefined): Promise<void>
  presence: Presence
  close(): Promise<void>
}

/** All streams of this node. It listens from the first of them on. */
export function createLive(sql: Sql, events: EventRegister, log: Log): Live {
  const hubs = new Map<string, Promise<Hub>>()
  const opened = new Map<string, Hub>()
  const streamsOf = new Map<string, number>()
  let listening: { stop(): Promise<void> } | undefined
  const timers: NodeJS.Timeout[] = []
  const presence = createPresence(sql, (projectId) => opened.get(projectId)?.showPeople())
  let isClosed = false

  function start(): void {
    if (listening || isClosed) return
    listening = listen(sql, [EVENTS_CHANNEL, PRESENCE_CHANNEL], {
      heard: (message, channel) => {
        if (channel === PRESENCE_CHANNEL) presence.heard(message)
        else opened.get(message)?.read()
      },
      // What was announced while the connection was broken is lost.
      ready: () => {
        presence.ready()
        for (const hub of opened.values()) hub.read()
      },
    })
    timers.push(every(LOOK_EVERY_MS, look), every(CHECK_SESSIONS_EVERY_MS, checkSessions))
  }

  /** A database that is away is looked at again next time. */
  function every(ms: number, run: () => Promise<void>): NodeJS.Timeout {
    const timer = setInterval(() => {
      if (opened.size > 0) run().catch((err: unknown) => log.warn({ err }, 'live updates wait for the database'))
    }, ms)
    return timer.unref()
  }

  async function look(): Promise<void> {
    for (const { projectId, id } of await listLastEvents(sql, [...opened.keys()])) {
      const hub = opened.get(projectId)
      if (hub && hub.last() < Number(id)) hub.read()
    }
  }

  /** One statement for all streams. */
  async function checkSessions(): Promise<void> {
    const all = [...opened.values()].flatMap(({ listeners }) => [...listeners])
    const lasting = new Set(await listSessionsThatLast(sql, [...new Set(all.map(({ sessionId }) => sessionId))]))
    for (const { sessionId, stream } of all) if (!lasting.has(sessionId)) stream.close()
  }

  function hubOf(projectId: string): Promise<Hub> {
    const known = hubs.get(projectId)
    if (known) return known
    const opening = openHub(forProject(sql, projectId), {
      projectId,
      events,
      whoIsHere: () => presence.frameOf(projectId),
    })
    hubs.set(projectId, opening)
    opening.then(
      (hub) => {
        opened.set(projectId, hub)
        // Something may have been announced while it opened.
        hub.read()
      },
      () => hubs.delete(projectId),
    )
    return opening
  }

  function leave(projectId: string, hub: Hub, listener: Listener): void {
    hub.listeners.delete(listener)
    if (hub.listeners.size > 0) return
    hub.stop()
    hubs.delete(projectId)
    opened.delete(projectId)
  }

  return {
    presence,
    reserve(userId) {
      const count = streamsOf.get(userId) ?? 0
      if (count >= MAX_STREAMS_OF_PERSON) throw tooManyStreams()
      streamsOf.set(userId, count + 1)
      return {
        release() {
          const left = streamsOf.get(userId)! - 1
          if (left > 0) streamsOf.set(userId, left)
          else streamsOf.delete(userId)
        },
      }
    },
    async follow(projectId, listener, from) {
      start()
      const { signal } = listener.stream
      let hub = await hubOf(projectId)
      // The last listener may have left and closed it meanwhile.
      while (opened.get(projectId) !== hub) hub = await hubOf(projectId)
      const ended = new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      })
      try {
        await hub.join(listener, from)
        await ended
      } finally {
        leave(projectId, hub, listener)
      }
    },
    async close() {
      isClosed = true
      presence.stop()
      for (const timer of timers) clearInterval(timer)
      for (const hub of opened.values()) hub.stop()
      await listening?.stop()
    },
  }
}

const tooManyStreams = () =>
  new AppError(
    429,
    'too_many_streams',
    `You have ${MAX_STREAMS_OF_PERSON} streams open, which is the limit. Close some tabs.`,
    { headers: { 'retry-after': '30' } },
  )
