import { AppError } from '../../errors.ts'
import { createMinuteCounts } from '../../minute-counts.ts'
import { clientNetwork } from './client-network.ts'
import { isLoopback } from './connections.ts'

export interface AddressLimit {
  /** Counts one request of an address, for one purpose. Throws 429. */
  take(ip: string, purpose?: string): void
  giveBack(ip: string, purpose?: string): void
}

/**
 * Limits what one address may do in a minute. 0 is no limit. Each node counts separately. Requests from this machine are
 * exempt: they come from a proxy, or from an application that asks for all its users.
 */
export function createAddressLimit(perMinute: number, explain: (seconds: number) => string): AddressLimit {
  const counts = createMinuteCounts()
  const isExempt = (ip: string) => perMinute === 0 || isLoopback(ip)
  const allowanceOf = (ip: string, purpose = '') => [{ name: `${purpose} ${clientNetwork(ip)}`, limit: perMinute }]
  return {
    take(ip, purpose) {
      const seconds = isExempt(ip) ? 0 : counts.take(allowanceOf(ip, purpose))
      if (seconds > 0) throw rateLimited(explain(seconds), seconds)
    },
    giveBack(ip, purpose) {
      if (!isExempt(ip)) counts.giveBack(allowanceOf(ip, purpose))
    },
  }
}

export const rateLimited = (detail: string, seconds: number) =>
  new AppError(429, 'rate_limited', detail, { headers: { 'retry-after': String(seconds) } })
