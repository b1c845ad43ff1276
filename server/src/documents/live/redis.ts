import type { Extension } from '@hocuspocus/server'

/** Lets the nodes that name the same Redis see each other's typing at once, and not only what is stored. */
export async function shareThroughRedis(url: string): Promise<Extension> {
  const { Redis } = await import('@hocuspocus/extension-redis')
  const { hostname, port, username, password, pathname, protocol } = new URL(url)
  const redis = new Redis({
    host: hostname,
    port: Number(port || 6379),
    prefix: 'slipway:live',
    options: {
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  })
  // It locks a document in Redis while hocuspocus stores it; what is stored here is stored under PostgreSQL's locks.
  return Object.assign(redis, { onStoreDocument: undefined, afterStoreDocument: undefined })
}
