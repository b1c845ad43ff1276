import { setTimeout as delay } from 'node:timers/promises'
import { arrivals } from '../../kernel/http/arrivals.ts'

/** How long a search works at a stretch; shorter when others wait for the same processors. */
const STRETCH_MS = 12
const SHORT_STRETCH_MS = 4
/**
 * A search that is done so soon costs nothing. When its project has used its free time up, "soon" is what was regained
 * since that project last worked, but at least the shorter one.
 */
const QUICK_MS = 300
const LEAST_QUICK_MS = 40
/** How long the longer searches of a project may work while others are served, and how fast that is regained. */
const FREE_MS = 500
const REGAINED = 0.02
/** What is used beyond it is forgiven: nobody has to wait longer than half a minute. */
const MOST_USED_MS = 1_000
/** Others count as being served for so long after a request. */
const RECENT_MS = 100

export interface Pace {
  /** Whether others come first just now. */
  isHeld(): boolean
  /** How long to work until the next rest. */
  stretchMs(): number
  /** How long to rest after having worked for so long, to let others come first. */
  restMs(workedMs: number): number
}

/** What a search may take. */
export interface Time {
  pace: Pace
  leftMs(): number
}

interface Surroundings {
  now(): number
  /** How many requests have come so far. */
  arrivals(): number
}

/**
 * A processor that is busy with a search makes others wait for it, whatever its priority. So whoever searches a lot
 * works in short stretches with long rests, as long as there is anybody else to serve.
 */
export function createPaces({ now, arrivals }: Surroundings) {
  /** What projects have used of their free time, as of when; those used longest ago are at the front. */
  const used = new Map<string, { ms: number; at: number }>()
  let searches = 0
  let looked = { arrivals: 0, searches: 0 }
  let othersAt = Number.NEGATIVE_INFINITY

  function use(projectId: string, workedMs: number): void {
    const ms = Math.min(usedBy(projectId) + workedMs, MOST_USED_MS)
    used.delete(projectId)
    used.set(projectId, { ms, at: now() })
    for (const oldest of used.keys()) {
      if (usedBy(oldest) > 0) break
      used.delete(oldest)
    }
  }

  function usedBy(projectId: string): number {
    const found = used.get(projectId)
    return found ? Math.max(0, found.ms - (now() - found.at) * REGAINED) : 0
  }

  function quickMsOf(projectId: string): number {
    const regained = (now() - used.get(projectId)!.at) * REGAINED
    return Math.min(Math.max(regained, LEAST_QUICK_MS), QUICK_MS)
  }

  /** Requests that are searches themselves do not count: when there is nothing else, they may take all there is. */
  function areOthersServed(): boolean {
    const seen = { arrivals: arrivals(), searches }
    if (seen.arrivals - looked.arrivals > seen.searches - looked.searches) othersAt = now()
    looked = seen
    return now() - othersAt < RECENT_MS
  }

  return {
    /** To be called for each search as soon as it is asked for. */
    noteSearch(): void {
      searches++
    },

    /** For one search. */
    paceOf(projectId: string): Pace {
      const isUsedUp = () => usedBy(projectId) > FREE_MS
      const quickMs = isUsedUp() ? quickMsOf(projectId) : QUICK_MS
      let worked = 0
      const isHeld = () => areOthersServed() && isUsedUp()
      return {
        isHeld,
        stretchMs: () => (isHeld() ? SHORT_STRETCH_MS : STRETCH_MS),
        restMs(workedMs) {
          const isFirstCharge = worked <= quickMs
          worked += workedMs
          if (worked <= quickMs) return 0
          if (areOthersServed()) use(projectId, isFirstCharge ? worked : workedMs)
          return isHeld() ? (usedBy(projectId) - FREE_MS) / REGAINED : 0
        },
      }
    },
  }
}

export const { noteSearch, paceOf } = createPaces({ now: () => performance.now(), arrivals })

/** Rests as long as there are others to serve and there is time left. */
export async function rest({ pace, leftMs }: Time, workedMs: number): Promise<void> {
  for (let ms = pace.restMs(workedMs); ms > 0 && leftMs() > 0; ms = pace.restMs(0))
    await delay(Math.min(ms, RECENT_MS, leftMs()))
}
