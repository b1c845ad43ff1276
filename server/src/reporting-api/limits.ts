import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import { clientNetwork } from '../kernel/http/clients/client-network.ts'
import { isLoopback } from '../kernel/http/clients/connections.ts'
import { createMinuteCounts } from '../kernel/minute-counts.ts'

const MAX_BODY_BYTES = 1024 * 1024
export const REPORTING_UPLOAD_LIMIT_BYTES = 10 * 1024 * 1024

/** Lower limits than in other APIs: everyone who opens a page can copy its reporting key. */
export function limitBodies(
  scope: FastifyInstance,
  bodyLimitBytes: number,
  uploadLimitBytes = REPORTING_UPLOAD_LIMIT_BYTES,
): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= Math.min(bodyLimitBytes, MAX_BODY_BYTES)
    route.config = { ...route.config, uploadLimitBytes }
  })
}

export type AddressLimit = (keyId: string, ip: string) => void

/**
 * Keeps one address from using up the whole minute of a key. Throws 429. Each node counts separately. Local requests
 * are exempt: they come from a proxy, or from an application that reports for all its users.
 */
export function createAddressLimit(perKey: number, perAddress = perAddressOf(perKey)): AddressLimit | undefined {
  if (perAddress === 0) return undefined
  const counts = createMinuteCounts()
  return (keyId, ip) => {
    if (isLoopback(ip)) return
    const seconds = counts.take([{ name: `${keyId} ${clientNetwork(ip)}`, limit: perAddress }])
    if (seconds > 0)
      throw new AppError(
        429,
        'rate_limited',
        `Your address has sent ${perAddress} requests with this key within a minute. Wait ${seconds} s and send it again.`,
        { headers: { 'retry-after': String(seconds) } },
      )
  }
}

/** Half of the key's limit. No limit if the key has none. */
const perAddressOf = (perKey: number) => Math.ceil(perKey / 2)
