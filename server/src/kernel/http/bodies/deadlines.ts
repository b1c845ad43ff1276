import { AppError } from '../../errors.ts'

/** How long a client may keep the server waiting. */
export interface Deadlines {
  /** For the headers of a request. */
  headersMs: number
  /** Between two chunks of a body. */
  stallMs: number
  /** The minimum rate applies to a body after this time. */
  graceMs: number
  minBytesPerSecond: number
  /** The same for a body that is held in memory until it is complete. */
  minBytesPerSecondInMemory: number
  /** For an idle connection. Also ends downloads that nobody reads. */
  idleMs: number
}

export const DEFAULT_DEADLINES: Deadlines = {
  headersMs: 20_000,
  stallMs: 20_000,
  graceMs: 30_000,
  minBytesPerSecond: 16 * 1024,
  minBytesPerSecondInMemory: 256 * 1024,
  idleMs: 120_000,
}

/** Returns the longest time that a body of this size may take. */
export const maxDurationMs = ({ graceMs, minBytesPerSecond }: Deadlines, bytes: number) =>
  graceMs + Math.ceil((bytes / minBytesPerSecond) * 1_000)

interface BodyClock {
  count(bytes: number): void
  /** Stops the clock while the server itself is busy, which is not the client's fault. */
  pause(): void
  resume(): void
  stop(): void
}

/** Watches one body arrive. Calls `onLate` once if it stalls or arrives too slowly. */
export function startBodyClock(deadlines: Deadlines, onLate: (err: AppError) => void): BodyClock {
  const startedAtMs = Date.now()
  let received = 0
  let pausedAtMs = 0
  let pausedMs = 0
  const late = () => onLate(tooSlow())
  const stall = setTimeout(() => pausedAtMs === 0 && late(), deadlines.stallMs)
  return {
    count(bytes) {
      received += bytes
      stall.refresh()
      if (Date.now() - startedAtMs - pausedMs > maxDurationMs(deadlines, received)) late()
    },
    pause() {
      pausedAtMs = Date.now()
    },
    resume() {
      pausedMs += Date.now() - pausedAtMs
      pausedAtMs = 0
      stall.refresh()
    },
    stop: () => clearTimeout(stall),
  }
}

/** Closes the connection with the response, because whatever follows on it is the rest of this body. */
const tooSlow = () =>
  new AppError(408, 'request_timeout', 'The body did not arrive in time; nothing was changed. Send it again.', {
    headers: { connection: 'close' },
  })
