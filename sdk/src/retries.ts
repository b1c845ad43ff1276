import { SlipwayError } from './errors.ts'

/** Longer waits are for the caller to decide. */
const MAX_WAIT_MS = 10_000
const FIRST_WAIT_MS = 250

interface Attempted {
  method: string
  /** True if the server knows a repetition when it sees one. */
  hasKey: boolean
  isConditional: boolean
}

/** How long to wait before another attempt. Undefined if there should be none. */
export function waitBeforeRetry(err: unknown, attempt: number, request: Attempted): number | undefined {
  if (!(err instanceof SlipwayError) || !mayRetry(err, attempt, request)) return undefined
  // Full jitter keeps clients that failed together from coming back together.
  const backoffMs = Math.random() * FIRST_WAIT_MS * 2 ** attempt
  const waitMs = err.retryAfter === undefined ? backoffMs : err.retryAfter * 1_000 + backoffMs
  return waitMs > MAX_WAIT_MS ? undefined : waitMs
}

function mayRetry(err: SlipwayError, attempt: number, { method, hasKey, isConditional }: Attempted): boolean {
  // The server changed nothing, or says so.
  if (err.status === 429 || err.status === 503) return true
  // An earlier attempt, which this client gave up on, is still running.
  if (err.code === 'idempotency_in_flight') return attempt > 0
  const isLost = err.status === 0 || err.status === 502 || err.status === 504
  if (!isLost) return false
  // The lost attempt may have succeeded, so another one must not do more, or fail for it.
  if (method === 'GET' || hasKey) return true
  return (method === 'PUT' || method === 'DELETE') && !isConditional
}

/** Rejects with the reason of the signal if it aborts first. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
