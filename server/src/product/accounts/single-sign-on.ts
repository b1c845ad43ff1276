import { betterAuth } from 'better-auth'
import { APIError, getOAuthState } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import { decodeJwt } from 'jose'
import type { Log } from '../../kernel/context.ts'
import { AppError, unavailable } from '../../kernel/errors.ts'
import type { OidcSettings } from './oidc-settings.ts'
import { hashingSessionTokens } from './session-tokens.ts'
import { type SignInOptions, signInOptions } from './sign-in.ts'

/** The last part of the callback address, and the provider's name in `credentials`. */
const PROVIDER = 'oidc'
const WAIT_MS = 10_000

export interface Identity {
  email: string
  name: string
}

export interface SingleSignOnOptions extends SignInOptions {
  oidc: OidcSettings
  log: Pick<Log, 'warn'>
  /** Lets someone in whom the provider has identified, or throws an `AppError`. */
  admit(identity: Identity, invitationId: string | undefined): Promise<void>
}

interface Discovered {
  issuer: string
  userinfo_endpoint?: string
}

type Claims = Record<string, unknown>

/**
 * OpenID Connect with PKCE, state and nonce. It is apart from the sign-in with passwords, so that a provider that is
 * away delays nobody else. Throws 503 if the provider cannot be reached.
 */
export async function createSingleSignOn({ oidc, admit, log, ...options }: SingleSignOnOptions) {
  const address = `${oidc.issuer}/.well-known/openid-configuration`
  const { issuer, userinfo_endpoint: userInfoUrl } = await discover(address, oidc)
  const base = signInOptions(options)
  const described = await hashingSessionTokens({
    ...base,
    // The state is in an encrypted cookie: a visitor who never comes back leaves nothing behind.
    account: { ...base.account, storeStateStrategy: 'cookie', updateAccountOnSignIn: false },
    // Only the operator can fix most of these failures, so they are logged.
    logger: { level: 'error', log: (_level, reason) => log.warn({ reason }, 'single sign-on refused somebody') },
    onAPIError: { errorURL: `${options.baseUrl}/sign-in` },
    databaseHooks: { account: { create: { before: async (account) => ({ data: withoutTokens(account) }) } } },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: PROVIDER,
            discoveryUrl: address,
            requireIdTokenVerification: true,
            clientId: oidc.clientId,
            clientSecret: oidc.clientSecret,
            tokenEndpointAuth: { method: 'client_secret_basic' },
            scopes: ['openid', 'email', 'profile'],
            // Whoever may come in was added by `admit`.
            disableSignUp: true,
            // The library has verified the token and its nonce before.
            async getUserInfo({ idToken, accessToken }) {
              if (!idToken) return null
              const claims = decodeJwt(idToken) as Claims
              if (typeof claims.email === 'string' || !userInfoUrl || !accessToken) return asProfile(claims, oidc)
              return asProfile({ ...claims, ...(await readUserInfo(userInfoUrl, accessToken, claims.sub)) }, oidc)
            },
            async mapProfileToUser(profile) {
              if (!profile.email) return {}
              if (!profile.emailVerified) throw refused('email_not_verified')
              const state = await getOAuthState()
              try {
                const name = profile.name || profile.email.split('@')[0]!
                await admit({ email: profile.email, name }, state?.invitationId as string | undefined)
              } catch (err) {
                throw err instanceof AppError ? refused(err.code) : err
              }
              return {}
            },
            // Another issuer may use the same subjects for other people.
            accountSubject: ({ profile }) => `${issuer} ${profile.sub}`,
          },
        ],
      }),
    ],
  })
  const auth = betterAuth(described)
  const { socialProviders } = await auth.$context
  if (!socialProviders.some(({ id }) => id === PROVIDER)) throw away(oidc)
  return auth
}

export const SINGLE_SIGN_ON_PATHS = { start: '/sign-in/social', callback: `/callback/${PROVIDER}` }
export const startBody = (paths: { next: string; failed: string }, invitationId: string | undefined) => ({
  provider: PROVIDER,
  disableRedirect: true,
  callbackURL: paths.next,
  errorCallbackURL: paths.failed,
  additionalData: invitationId === undefined ? {} : { invitationId },
})

async function discover(address: string, oidc: OidcSettings): Promise<Discovered> {
  const found = (await readJson(address, {}).catch(() => undefined)) as Discovered | undefined
  if (found === undefined) throw away(oidc)
  if (found.issuer?.replace(/\/+$/, '') === oidc.issuer) return found
  throw new Error(`OIDC_ISSUER is "${oidc.issuer}", but the provider there calls itself "${found.issuer}".`)
}

async function readUserInfo(address: string, accessToken: string, subject: unknown): Promise<Claims> {
  const claims = await readJson(address, { authorization: `Bearer ${accessToken}` })
  // The answer is not signed. Another subject means another person.
  if (claims.sub !== subject) throw refused('unable_to_get_user_info')
  return claims
}

async function readJson(address: string, headers: Record<string, string>): Promise<Claims> {
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(WAIT_MS) })
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`)
  return (await answer.json()) as Claims
}

const asProfile = (claims: Claims, { trustEmail }: OidcSettings) => ({
  sub: claims.sub as string,
  email: claims.email as string,
  emailVerified: claims.email_verified === true || claims.email_verified === 'true' || trustEmail,
  name: typeof claims.name === 'string' ? claims.name : '',
})

/** Slipway asks the provider who someone is, and nothing more. */
const withoutTokens = <T extends object>(account: T) => ({
  ...account,
  accessToken: null,
  refreshToken: null,
  idToken: null,
})

const refused = (code: string) => new APIError('FORBIDDEN', { code })

const away = ({ name }: OidcSettings) =>
  unavailable('single_sign_on_unavailable', `${name} cannot be reached right now. Try again, or use your password.`, 5)
