import { setTimeout as delay } from 'node:timers/promises'
import { arrivals } from '../http/clients/arrivals.ts'

/** What the searches of a project may have worked in vain, running out of time, until it may search but little. */
const MOST_IN_VAIN_MS = 1_000
/** How long that lasts, and how soon work in vain is forgotten otherwise. */
const PROBATION_MS = 60_000
/** How much that is for each search: at least so long, or what was regained since the last one worked. */
const LEAST_MS = 40
const REGAINED = 0.02
/** How long a search works at a stretch; shorter when others wait for the same processors. */
const STRETCH_MS = 12
const SHORT_STRETCH_MS = 4
/** Others count as being served for so long after a request. */
const RECENT_MS = 100

export interface Pace {
  /** Whether others come first just now. */
  isHeld(): boolean
  /** How long to work until the next look at `isOver`. */
  stretchMs(): number
  /** Whether it has worked as long as it may, for now. */
  isOver(): boolean
  noteRest(ms: number): void
  /** To be called when it is done or given up. */
  end(isOutOfTime: boolean): void
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
 * A processor that is busy with a search makes others wait for it, whatever its priority. So a project one of whose
 * searches ran out of time may search but little for a while, as long as there is anybody else to serve.
 */
export function createPaces({ now, arrivals }: Surroundings) {
  /** Projects of which a search ran out of time; where that was longest ago, at the front. */
  const failed = new Map<string, { inVainMs: number; at: number; workedAt: number }>()
  let searches = 0
  let looked = { arrivals: 0, searches: 0 }
  let othersAt = Number.NEGATIVE_INFINITY

  function recordOf(projectId: string) {
    const found = failed.get(projectId)
    return found && now() - found.at < PROBATION_MS ? found : undefined
  }

  function probationOf(projectId: string) {
    const record = recordOf(projectId)
    return record && record.inVainMs >= MOST_IN_VAIN_MS ? record : undefined
  }

  function noteInVain(projectId: string, ms: number): void {
    const inVainMs = (recordOf(projectId)?.inVainMs ?? 0) + ms
    failed.delete(projectId)
    failed.set(projectId, { inVainMs, at: now(), workedAt: now() })
    for (const oldest of failed.keys()) {
      if (recordOf(oldest)) break
      failed.delete(oldest)
    }
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

    /** For one search, from its beginning. */
    paceOf(projectId: string): Pace {
      const startedAt = now()
      let restedMs = 0
      const probation = probationOf(projectId)
      const allowedMs = probation
        ? Math.max((startedAt - probation.workedAt) * REGAINED, LEAST_MS)
        : Number.POSITIVE_INFINITY
      const workedMs = () => now() - startedAt - restedMs
      const isHeld = () => areOthersServed() && probationOf(projectId) !== undefined
      return {
        isHeld,
        stretchMs: () => (isHeld() ? SHORT_STRETCH_MS : STRETCH_MS),
        isOver: () => workedMs() > allowedMs && isHeld(),
        noteRest(ms) {
          restedMs += ms
        },
        end(isOutOfTime) {
          if (probation) {
            if (workedMs() > LEAST_MS) probation.workedAt = now()
          } else if (isOutOfTime && areOthersServed()) noteInVain(projectId, workedMs())
        },
      }
    },
  }
}

export const { noteSearch, paceOf } = createPaces({ now: () => performance.now(), arrivals })

/** Rests while it has worked as long as it may, until others are served no more or there is no time left. */
export async function rest({ pace, leftMs }: Time): Promise<void> {
  while (pace.isOver() && leftMs() > 0) {
    const startedAt = performance.now()
    await delay(Math.min(RECENT_MS, leftMs()))
    pace.noteRest(performance.now() - startedAt)
  }
}
