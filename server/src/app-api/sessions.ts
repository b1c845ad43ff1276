import type pg from 'pg'
import { loadSignIn } from '../accounts/index.ts'
import type { Connection, Sql } from '../kernel/database.ts'
import { sharedSecret } from '../kernel/shared-secret.ts'

export interface SignedIn {
  userId: string
  name: string
  email: string
}

export interface Sessions {
  /** Who a cookie belongs to. */
  find(cookie: string | undefined): Promise<SignedIn | undefined>
  signIn(credentials: { email: string; password: string }): Promise<Response>
  signOut(cookie: string): Promise<Response>
  close(): Promise<void>
}

interface Options {
  sql: Sql
  where: string | Connection
  baseUrl: string
}

/** Sessions of people. The library and its connections are there from the first sign-in on, not from the start. */
export function createSessions({ sql, where, baseUrl }: Options): Sessions {
  let opened: Promise<{ auth: Awaited<ReturnType<typeof openAuth>>; pool: pg.Pool }> | undefined
  const openAuth = async (pool: pg.Pool) => {
    const { createSignIn } = await loadSignIn()
    return createSignIn({ pool, baseUrl, secret: await sharedSecret(sql, 'sessions') })
  }
  const load = () => {
    opened ??= (async () => {
      const { default: pg } = await import('pg')
      const pool = new pg.Pool({ ...(typeof where === 'string' ? { connectionString: where } : where), max: 2 })
      // An idle connection that breaks is replaced at the next use.
      pool.on('error', () => undefined)
      return { auth: await openAuth(pool), pool }
    })()
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const call = async (path: string, headers: Record<string, string>, body: object) => {
    const { auth } = await load()
    const request = { method: 'POST', headers: { 'content-type': 'application/json', origin: baseUrl, ...headers } }
    return auth.handler(new Request(`${baseUrl}/v2/app-api/auth${path}`, { ...request, body: JSON.stringify(body) }))
  }
  return {
    async find(cookie) {
      if (cookie === undefined) return undefined
      const { auth } = await load()
      const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
      return found ? { userId: found.user.id, name: found.user.name, email: found.user.email } : undefined
    },
    signIn: (credentials) => call('/sign-in/email', {}, credentials),
    signOut: (cookie) => call('/sign-out', { cookie }, {}),
    async close() {
      await (await opened?.catch(() => undefined))?.pool.end()
    },
  }
}
