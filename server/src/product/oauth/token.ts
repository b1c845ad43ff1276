import { hash, randomBytes } from 'node:crypto'

export type TokenKind = 'code' | 'access' | 'refresh'

/** The prefixes let scanners for leaked secrets recognize them. */
const PREFIX: Record<TokenKind, string> = { code: 'slipway-code-', access: 'slipway-at-', refresh: 'slipway-rt-' }

/** A refresh token is replaced whenever it is used, so this is how long an app may rest. */
export const LIFETIME_SECONDS: Record<TokenKind, number> = { code: 60, access: 3_600, refresh: 90 * 86_400 }

export const generateToken = (kind: TokenKind) => PREFIX[kind] + randomBytes(32).toString('base64url')
export const hashToken = (token: string) => hash('sha256', token, 'hex')
export const isAccessToken = (key: string) => key.startsWith(PREFIX.access)
