import { setTimeout as delay } from 'node:timers/promises'
import { afterCommit, type Db } from './database/index.ts'

/** Tells every node which projects have new events. The message is the id of the project. */
export const EVENTS_CHANNEL = 'project_events'
const SPACING_MS = 20
const RETRY_AFTER_MS = 500
const MAX_ATTEMPTS = 10

interface Announcer {
  waiting: Set<string>
  isSending: boolean
}

const announcers = new WeakMap<object, Announcer>()

/**
 * Announces the events of a project once they are committed. `NOTIFY` takes a lock of the whole database until its
 * transaction has reached the disk: sent in the writing transactions, it would make them commit one after the other. A
 * transaction of its own writes nothing and is over at once. If the process dies in between, readers find the events
 * when they next look by themselves.
 */
export function announceEvents(db: Db, projectId: string): void {
  const pool = db.runner.root.service
  if (!pool) return
  const announcer = announcers.get(pool) ?? { waiting: new Set(), isSending: false }
  announcers.set(pool, announcer)
  afterCommit(db, () => {
    announcer.waiting.add(projectId)
    if (!announcer.isSending) sendAll(pool, announcer)
  })
}

/** Sends the first at once, and what gathers meanwhile together. */
async function sendAll(pool: Db, announcer: Announcer): Promise<void> {
  const { waiting } = announcer
  announcer.isSending = true
  for (let failures = 0; waiting.size > 0 && failures < MAX_ATTEMPTS; ) {
    const projects = [...waiting]
    waiting.clear()
    try {
      await pool`select pg_notify(${EVENTS_CHANNEL}, p.id) from unnest(${projects}::text[]) as p (id)`
      failures = 0
    } catch {
      failures++
      for (const one of projects) waiting.add(one)
    }
    await delay(failures > 0 ? RETRY_AFTER_MS : SPACING_MS, undefined, { ref: false })
  }
  waiting.clear()
  announcer.isSending = false
}
