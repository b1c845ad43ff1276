import type { JobDeps } from '../../../kernel/slice.ts'
import { findMemberActor } from '../../projects/index.ts'
import { failed, lost, ownerLeft, stopped, TurnEnd } from '../turn-end.ts'
import { HEARTBEAT_MS, keepTurn, type TurnRef } from './turn-queries.ts'

export interface LiveTurn {
  /** Aborts when the turn must end. Its reason is a `TurnEnd`. */
  signal: AbortSignal
  leftMs(): number
  close(): void
}

/** The turns that run on this node, by id, so that they can be stopped at once. */
const running = new Map<string, (end: TurnEnd) => void>()

/**
 * Renews the turn's lease, and ends the turn when its time is over, someone stops it, its owner has left the project,
 * or the lease was lost.
 */
export function watchTurn(
  { db, wiring }: JobDeps,
  ref: TurnRef,
  ownerId: string,
  outside: AbortSignal | undefined,
): LiveTurn {
  const { wallMs } = wiring.settings.model.limits
  const stop = new AbortController()
  const end = (why: TurnEnd) => stop.abort(why)
  const endsAt = performance.now() + wallMs
  const wall = setTimeout(
    () => end(failed(`It did not finish within ${wallMs / 1000} s, which is the limit of a run.`)),
    wallMs,
  )
  const heartbeat = setInterval(() => {
    Promise.all([keepTurn(db, ref), findMemberActor(db, ref.projectId, ownerId, 'agent')]).then(
      ([turn, member]) => {
        if (!member) end(ownerLeft())
        else if (!turn) end(lost())
        else if (turn.stop) end(stopped())
      },
      // The database may be away for a moment. If the turn was lost meanwhile, the next write shows it.
      () => undefined,
    )
  }, HEARTBEAT_MS)
  const onOutside = () => end(outside!.reason instanceof TurnEnd ? outside!.reason : stopped())
  if (outside?.aborted) onOutside()
  outside?.addEventListener('abort', onOutside, { once: true })
  running.set(ref.turnId, end)
  return {
    signal: stop.signal,
    leftMs: () => endsAt - performance.now(),
    close() {
      clearTimeout(wall)
      clearInterval(heartbeat)
      outside?.removeEventListener('abort', onOutside)
      running.delete(ref.turnId)
    },
  }
}

/** Stops a turn at once if it runs on this node. */
export function stopHere(turnId: string): void {
  running.get(turnId)?.(stopped())
}
