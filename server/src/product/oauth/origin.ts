import type { FastifyRequest } from 'fastify'

export const isLoopbackName = (hostname: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

const HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/**
 * The address that programs know this server by, which is also its name as an issuer. On a server of one's own machine it
 * is the name that the request used, because `localhost` and `127.0.0.1` are different names to a program. Elsewhere only
 * `BASE_URL` counts: a proxy may pass any `Host`.
 */
export function publicOrigin({ headers: { host = '' } }: Pick<FastifyRequest, 'headers'>, baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl)
  return isLoopbackName(hostname) && HOST.test(host) ? `${protocol}//${host}` : baseUrl
}
