import type { Change } from '@slipway/sdk'
import { isOwnRequest } from './ids.ts'

export type { Change }

type Listener = (change: Change, projectId: string, isOwn: boolean) => void

interface Heard {
  change: Change
  projectId: string
  at: number
}

const listeners = new Set<Listener>()
const REMEMBERED = 2_000
/** Longer than it takes to load the code of a module. */
const REPEATED_MS = 30_000
/** The last changes by their ids: resuming can repeat one. */
const heard = new Map<string, Heard>()

/** Adds what to do when something changes. `isOwn`: this tab did it itself, and shows it already. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Adds what a module does when something changes. It hears of what changed a moment ago, too: the data of a page may have
 * been read before its code was loaded.
 */
export function followChanges(listener: Listener): void {
  for (const { change, projectId, at } of heard.values())
    if (Date.now() - at < REPEATED_MS) listener(change, projectId, isOwnRequest(change.request_id))
  listeners.add(listener)
}

export function takeChange(change: Change, projectId: string): void {
  if (heard.has(change.id)) return
  heard.set(change.id, { change, projectId, at: Date.now() })
  if (heard.size > REMEMBERED) heard.delete(heard.keys().next().value!)
  for (const listener of listeners) listener(change, projectId, isOwnRequest(change.request_id))
}

let lostAt = 0
/** What was read before may lack changes that nobody will hear of. */
export const loseChanges = (): void => {
  lostAt = Date.now()
}
export const isFollowed = (readAt: number) => readAt > lostAt
