import { arrivals } from '../../kernel/http/arrivals.ts'

/** How long a search works at a stretch; shorter when others wait for the same processors. */
const STRETCH_MS = 12
const SHORT_STRETCH_MS = 4
/** What every search may work at full speed. Ordinary ones need no more. */
const FIRST_MS = 150
/** How long the searches of a project may work beyond that while others are served, and how fast that is regained. */
const FREE_MS = 500
const REGAINED = 0.02
/** How many times as long as it worked a search then rests. */
const REST = 60
const LONGEST_REST_MS = 500
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
    const ms = usedBy(projectId) + workedMs
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
      let worked = 0
      const isHeld = () => areOthersServed() && worked > FIRST_MS && usedBy(projectId) > FREE_MS
      return {
        isHeld,
        stretchMs: () => (isHeld() ? SHORT_STRETCH_MS : STRETCH_MS),
        restMs(workedMs) {
          use(projectId, Math.max(0, Math.min(workedMs, worked + workedMs - FIRST_MS)))
          worked += workedMs
          return isHeld() ? Math.min(workedMs * REST, LONGEST_REST_MS) : 0
        },
      }
    },
  }
}

export const { noteSearch, paceOf } = createPaces({ now: () => performance.now(), arrivals })
