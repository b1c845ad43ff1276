import { loadSignIn } from '../accounts/index.ts'
import type { Sql } from '../kernel/database/index.ts'
import { sharedSecret } from '../kernel/shared-secret.ts'

export interface SignedIn {
  sessionId: string
  userId: string
  name: string
  email: string
}

export interface Sessions {
  /** Returns the user that a cookie belongs to. */
  find(cookie: string | undefined): Promise<SignedIn | undefined>
  signIn(credentials: { email: string; password: string }): Promise<Response>
  signOut(cookie: string): Promise<Response>
}

interface Options {
  sql: Sql
  baseUrl: string
}

/** Manages sign-in sessions. Loads the library on first use, to keep startup fast. */
export function createSessions({ sql, baseUrl }: Options): Sessions {
  let opened: ReturnType<typeof openAuth> | undefined
  const openAuth = async () => {
    const { createSignIn } = await loadSignIn()
    return createSignIn({ pool: sql.pool, baseUrl, secret: await sharedSecret(sql, 'sessions') })
  }
  const load = () => {
    opened ??= openAuth()
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const call = async (path: string, headers: Record<string, string>, body: object) => {
    const auth = await load()
    const request = { method: 'POST', headers: { 'content-type': 'application/json', origin: baseUrl, ...headers } }
    return auth.handler(new Request(`${baseUrl}/v2/app-api/auth${path}`, { ...request, body: JSON.stringify(body) }))
  }
  return {
    async find(cookie) {
      if (cookie === undefined) return undefined
      const auth = await load()
      const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
      if (!found) return undefined
      const { session, user } = found
      return { sessionId: session.id, userId: user.id, name: user.name, email: user.email }
    },
    signIn: (credentials) => call('/sign-in/email', {}, credentials),
    signOut: (cookie) => call('/sign-out', { cookie }, {}),
  }
}
