import type { Extension } from '@hocuspocus/server'

/** Lets nodes on the same Redis see each other's typing at once, not only what is stored. */
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
  // The extension locks a document in Redis while hocuspocus stores it. We store under PostgreSQL locks instead.
  return Object.assign(redis, { onStoreDocument: undefined, afterStoreDocument: undefined })
}
