import type { Sql } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  findUserByEmail,
  type Identity,
  isAddressVouched,
  loadSingleSignOn,
  type OidcSettings,
} from '../../product/accounts/index.ts'
import {
  type Acting,
  acceptInvitation,
  acceptInvitationAs,
  acceptInvitationsFor,
  loadInvitationById,
} from '../../product/projects/index.ts'
import type { Client } from './sessions.ts'

export interface SingleSignOn {
  name: string
  /** Returns the address at the provider, and the cookie that the way back needs. */
  start(
    paths: { next: string; failed: string },
    invitationId: string | undefined,
  ): Promise<{ url: string; answer: Response }>
  /** Handles the way back. Returns where the browser goes now. */
  finish(search: string, cookie: string | undefined, client: Client): Promise<{ location: string; answer: Response }>
}

interface Options {
  acting: Acting<Sql>
  baseUrl: string
  oidc: OidcSettings
}

/** Signs people in through the operator's identity provider. Who may come in is decided here. */
export function createSingleSignOn({ acting, baseUrl, oidc }: Options): SingleSignOn {
  const { db: sql } = acting

  /** Members come in by their address; new people by an invitation that names it, or by the link that they opened. */
  async function admit({ email, name }: Identity, invitationId: string | undefined): Promise<void> {
    const user = await findUserByEmail(sql, email)
    if (user && !(await isAddressVouched(sql, user.id))) throw unproven()
    if (invitationId === undefined) return acceptInvitationsFor(acting, { email, name })
    const invitation = await loadInvitationById(sql, invitationId)
    if (user) await acceptInvitation(acting, invitation, user)
    else await acceptInvitationAs(acting, invitation, { email, name, isVerified: true })
  }

  let opened: ReturnType<typeof openAuth> | undefined
  const openAuth = async () => {
    const library = await loadSingleSignOn()
    const secretKey = await acting.wiring.settings.secretKey()
    const auth = await library.createSingleSignOn({ pool: sql.pool, baseUrl, secretKey, oidc, admit, log: acting.log })
    return { auth, ...library }
  }
  /** Asks the provider again next time if it was away. */
  const load = () => {
    opened ??= openAuth()
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const base = `${baseUrl}/v2/app-api/auth`

  return {
    name: oidc.name,
    async start(paths, invitationId) {
      const { auth, SINGLE_SIGN_ON_PATHS, startBody } = await load()
      const answer = await auth.handler(
        new Request(base + SINGLE_SIGN_ON_PATHS.start, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: baseUrl },
          body: JSON.stringify(startBody(paths, invitationId)),
        }),
      )
      if (!answer.ok) throw new Error(`Single sign-on cannot start: ${answer.status} ${await answer.text()}`)
      return { url: ((await answer.json()) as { url: string }).url, answer }
    },
    async finish(search, cookie, { ip, userAgent }) {
      const { auth, SINGLE_SIGN_ON_PATHS, CLIENT_ADDRESS_HEADER } = await load()
      const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: ip })
      if (cookie !== undefined) headers.set('cookie', cookie)
      if (userAgent !== undefined) headers.set('user-agent', userAgent)
      const answer = await auth.handler(new Request(base + SINGLE_SIGN_ON_PATHS.callback + search, { headers }))
      const location = answer.headers.get('location')
      if (location !== null) return { location, answer }
      const { code } = (await answer.json().catch(() => ({}))) as { code?: string }
      return { location: `/sign-in?error=${encodeURIComponent(code ?? 'failed')}`, answer }
    },
  }
}

/** Someone else may have taken the address when they came through an open link. */
const unproven = () => new AppError(403, 'account_not_linked', 'Nobody has confirmed the address of this account.')
