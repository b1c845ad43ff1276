import { AppError } from '../../errors.ts'

/** How long a connection may keep the server waiting. */
export interface Deadlines {
  /** For the headers of a request. */
  headersMs: number
  /** Between two pieces of a body. */
  stallMs: number
  /** After so long, a body must have arrived at this rate on average. */
  graceMs: number
  minBytesPerSecond: number
  /** While nothing is sent or read on the connection: also ends downloads that nobody reads. */
  idleMs: number
}

export const DEFAULT_DEADLINES: Deadlines = {
  headersMs: 20_000,
  stallMs: 20_000,
  graceMs: 30_000,
  minBytesPerSecond: 16 * 1024,
  idleMs: 120_000,
}

/** The longest time that a body of this size may take. */
export const longestMs = ({ graceMs, minBytesPerSecond }: Deadlines, bytes: number) =>
  graceMs + Math.ceil((bytes / minBytesPerSecond) * 1_000)

interface BodyClock {
  count(bytes: number): void
  /** While the server itself is busy with what came: that time is not the client's fault. */
  pause(): void
  resume(): void
  stop(): void
}

/** Watches one body arrive, and calls `onLate` once if it stalls or comes too slowly. */
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
      if (Date.now() - startedAtMs - pausedMs > longestMs(deadlines, received)) late()
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

/** The connection ends with the answer: what still comes on it would be the rest of this body. */
const tooSlow = () =>
  new AppError(408, 'request_timeout', 'The body did not arrive in time; nothing was changed. Send it again.', {
    headers: { connection: 'close' },
  })
