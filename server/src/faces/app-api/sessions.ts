import type { Sql } from '../../kernel/database/index.ts'
import type { Settings } from '../../kernel/settings.ts'
import { loadSignIn, touchSession } from '../../product/accounts/index.ts'

export interface SignedIn {
  sessionId: string
  userId: string
  name: string
  email: string
}

/** Where a session begins, which its owner sees later. */
export interface Client {
  ip: string
  userAgent: string | undefined
}

export interface Sessions {
  /** Returns the user that a cookie belongs to. */
  find(cookie: string | undefined): Promise<SignedIn | undefined>
  /** The same, with the cookies that make the session last longer. */
  renew(cookie: string | undefined): Promise<{ person: SignedIn | undefined; cookies: string[] }>
  signIn(credentials: { email: string; password: string }, client: Client): Promise<Response>
  signOut(cookie: string): Promise<Response>
}

interface Options {
  sql: Sql
  baseUrl: string
  settings: Pick<Settings, 'secretKey'>
}

const TOUCH_EVERY_MS = 60_000

/** Manages sign-in sessions. Loads the library on first use, to keep startup fast. */
export function createSessions({ sql, baseUrl, settings }: Options): Sessions {
  const touchedAtMs = new Map<string, number>()
  let opened: ReturnType<typeof openAuth> | undefined
  const openAuth = async () => {
    const { createSignIn, CLIENT_ADDRESS_HEADER } = await loadSignIn()
    const auth = await createSignIn({ pool: sql.pool, baseUrl, secretKey: await settings.secretKey() })
    return { auth, CLIENT_ADDRESS_HEADER }
  }
  const load = () => {
    opened ??= openAuth()
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

  /** At most once a minute for each session. */
  function touch(sessionId: string): void {
    const nowMs = performance.now()
    if (nowMs - (touchedAtMs.get(sessionId) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return
    if (touchedAtMs.size > 10_000) touchedAtMs.clear()
    touchedAtMs.set(sessionId, nowMs)
    touchSession(sql, sessionId).catch(() => undefined)
  }

  async function renew(cookie: string | undefined) {
    if (cookie === undefined) return { person: undefined, cookies: [] }
    const { auth } = await load()
    const { response, headers } = await auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true })
    if (!response) return { person: undefined, cookies: [] }
    const { session, user } = response
    touch(session.id)
    const person = { sessionId: session.id, userId: user.id, name: user.name, email: user.email }
    return { person, cookies: headers.getSetCookie() }
  }

  return {
    renew,
    find: async (cookie) => (await renew(cookie)).person,
    async signIn(credentials, { ip, userAgent }) {
      const { CLIENT_ADDRESS_HEADER } = await load()
      const from = { [CLIENT_ADDRESS_HEADER]: ip, ...(userAgent !== undefined && { 'user-agent': userAgent }) }
      return call('/sign-in/email', from, credentials)
    },
    signOut: (cookie) => call('/sign-out', { cookie }, {}),
  }
}
