import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type pg from 'pg'
import { PASSWORD_LENGTH } from '../../kernel/password-length.ts'
import { signingKey } from '../../kernel/sealing.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { hashingSessionTokens } from './session-tokens.ts'

/** Never taken from a client: `app-api` sets it to the address that limits count by. */
export const CLIENT_ADDRESS_HEADER = 'x-slipway-client-address'

export interface SignInOptions {
  pool: pg.Pool
  baseUrl: string
  /** The installation's key. What signs cookies is derived from it. */
  secretKey: string
}

/** better-auth manages passwords and sessions. Our migrations create its tables. */
export function signInOptions({ pool, baseUrl, secretKey }: SignInOptions) {
  return {
    database: pool,
    baseURL: baseUrl,
    basePath: '/v2/app-api/auth',
    secret: signingKey(secretKey, 'sessions'),
    trustedOrigins: [new URL(baseUrl).origin],
    telemetry: { enabled: false },
    // A wrong password is a normal response and is not logged.
    logger: { level: 'error' },
    emailAndPassword: {
      enabled: true,
      // The operator and admins add people. They cannot register themselves.
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      autoSignIn: false,
    },
    // Its counter would be shared by all clients. `app-api` counts wrong passwords itself.
    rateLimit: { enabled: false },
    advanced: {
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: () => uuidv7() },
      cookiePrefix: 'slipway',
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'sessions',
      fields: {
        token: 'token_sha256',
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        idToken: 'id_token',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
  } satisfies BetterAuthOptions
}

export const createSignIn = async (options: SignInOptions) =>
  betterAuth(await hashingSessionTokens(signInOptions(options)))
