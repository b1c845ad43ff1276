import type { Db, Sql } from './database/index.ts'
import { AppError } from './errors.ts'

export interface RateLimiter {
  /** Takes one request from the key's minute. Synchronous unless it must fetch a new lease. Throws 429. */
  take(caller: { projectId: string; keyId: string }): RateState | Promise<RateState>
}

export interface RateState {
  limit: number
  remaining: number
  resetSeconds: number
}

export const rateHeaders = (rate: RateState) => ({
  'ratelimit-limit': rate.limit,
  'ratelimit-remaining': rate.remaining,
  'ratelimit-reset': rate.resetSeconds,
})

interface Lease {
  /** Requests that this node may answer without asking the database. */
  left: number
  /** What the minute had left beyond this lease when it was fetched. */
  beyond: number
  /** Uses a monotonic clock. The database decides how long a minute lasts. */
  endsAtMs: number
  pending: Promise<void> | undefined
}

/**
 * Limits requests per minute and key across all nodes through one row. A node leases about a 120th of the allowance at
 * a time, so most requests need no round trip and small limits are exact. Other nodes cannot use what a node leased but
 * did not use.
 */
export function createRateLimiter(sql: Sql, limit: number, whose = 'this key'): RateLimiter {
  const leases = new Map<string, Lease>()
  const chunk = Math.max(1, Math.ceil(limit / 120))

  async function fetchLease(projectId: string, keyId: string, lease: Lease) {
    const [row] = await sql<{ used: number; remainingMs: number }[]>`
      insert into rate_windows as w (project_id, key_id, started_at, used)
      values (${projectId}, ${keyId}, clock_timestamp(), ${chunk})
      on conflict (project_id, key_id) do update set
        used = case when w.started_at <= clock_timestamp() - interval '1 minute' then 0 else w.used end + ${chunk},
        started_at = case when w.started_at <= clock_timestamp() - interval '1 minute'
          then clock_timestamp() else w.started_at end
      returning used, extract(epoch from started_at + interval '1 minute' - clock_timestamp())::float8 * 1000 as "remainingMs"`
    const before = row!.used - chunk
    lease.left = Math.max(0, Math.min(chunk, limit - before))
    lease.beyond = Math.max(0, limit - row!.used)
    lease.endsAtMs = performance.now() + Math.max(0, row!.remainingMs)
  }

  function takeFrom(lease: Lease): RateState | undefined {
    const leftMs = lease.endsAtMs - performance.now()
    if (leftMs <= 0) return undefined
    const resetSeconds = Math.ceil(leftMs / 1000)
    if (lease.left > 0) {
      lease.left--
      return { limit, remaining: lease.left + lease.beyond, resetSeconds }
    }
    if (lease.beyond === 0) throw tooMany(whose, limit, resetSeconds)
    return undefined
  }

  async function takeAfterFetch(projectId: string, keyId: string, lease: Lease): Promise<RateState> {
    for (;;) {
      lease.pending ??= fetchLease(projectId, keyId, lease).finally(() => {
        lease.pending = undefined
      })
      await lease.pending
      const state = takeFrom(lease)
      if (state) return state
    }
  }

  return {
    take({ projectId, keyId }) {
      let lease = leases.get(keyId)
      if (!lease) {
        lease = { left: 0, beyond: 0, endsAtMs: 0, pending: undefined }
        leases.set(keyId, lease)
      }
      return takeFrom(lease) ?? takeAfterFetch(projectId, keyId, lease)
    },
  }
}

function tooMany(whose: string, limit: number, resetSeconds: number): AppError {
  return new AppError(
    429,
    'rate_limited',
    `Rate limit reached: ${limit} requests per minute for ${whose}. Try again in ${resetSeconds} s.`,
    {
      headers: {
        'retry-after': String(resetSeconds),
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(resetSeconds),
      },
    },
  )
}

/** Deletes the rows of keys that have not been used for a while. */
export async function forgetOldWindows(sql: Db): Promise<void> {
  await sql`delete from rate_windows where started_at < now() - interval '1 hour'`
}
