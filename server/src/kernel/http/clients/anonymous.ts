import type { FastifyRequest } from 'fastify'
import { createAddressLimit } from './address-limit.ts'

/** An office with many people behind one address opens the app at the same time. */
export const RATE_LIMIT_ANONYMOUS = 6_000

/** True if nobody needs a key to ask for it. What matches no route is a page of the web app, or nothing. */
export const isAnonymous = ({ is404, routeOptions: { config } }: FastifyRequest) =>
  is404 || config.anonymous === true || config.withoutProject === true

/** Returns a 429 if the address has asked for too much without a key. */
export function limitAnonymous(perMinute = RATE_LIMIT_ANONYMOUS): (req: FastifyRequest) => Error | undefined {
  const limit = createAddressLimit(
    perMinute,
    (seconds) =>
      `Rate limit reached: ${perMinute} requests per minute from one address without a key. Try again in ${seconds} s.`,
  )
  return ({ ip }) => {
    try {
      limit.take(ip)
      return undefined
    } catch (err) {
      return err as Error
    }
  }
}
