import type { FastifyInstance } from 'fastify'
import { createAddressLimit } from '../../kernel/http/clients/address-limit.ts'

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

/** The files of reports that people add by hand have the same limit. */
export function limitFiles(
  scope: FastifyInstance,
  place: string,
  uploadLimitBytes = REPORTING_UPLOAD_LIMIT_BYTES,
): void {
  scope.addHook('onRoute', (route) => {
    if (route.config?.upload === place) route.config = { ...route.config, uploadLimitBytes }
  })
}

export type KeyAddressLimit = (keyId: string, ip: string) => void

/** Keeps one address from using up the whole minute of a key. Throws 429. */
export function limitAddresses(perKey: number, perAddress = perAddressOf(perKey)): KeyAddressLimit {
  const limit = createAddressLimit(
    perAddress,
    (seconds) =>
      `Rate limit reached: ${perAddress} requests per minute from one address with this key. Try again in ${seconds} s.`,
  )
  return (keyId, ip) => limit.take(ip, keyId)
}

/** Half of the key's limit. No limit if the key has none. */
const perAddressOf = (perKey: number) => Math.ceil(perKey / 2)
