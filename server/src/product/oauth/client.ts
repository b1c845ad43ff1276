import { OAuthError } from './oauth-error.ts'
import { isLoopbackName } from './origin.ts'

/** A program that registered itself. It has no secret: whoever has its files would have that, too. */
export interface OAuthClient {
  id: string
  name: string
  redirectUris: string[]
  /** Whether anyone has ever allowed it to act for them. */
  isApproved: boolean
}

/** Schemes that run code, read files or start programs of the system. Any other one belongs to an app. */
const DANGEROUS =
  /^(javascript|data|vbscript|file|filesystem|blob|about|view-source|jar|ftp|ws|wss|mailto|tel|sms|intent|chrome|chrome-extension|moz-extension|resource|search|shell|ms-.*|search-ms):$/

/** Throws unless answers may be sent there: to https, to a program on the person's own machine, or to an app. */
export function checkRedirectUri(uri: string): void {
  if (!URL.canParse(uri)) throw badRedirect(uri, 'is not an address')
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) throw badRedirect(uri, 'has a fragment')
  if (username || password) throw badRedirect(uri, 'has a user name')
  if (/[\s\\]/.test(uri)) throw badRedirect(uri, 'has spaces or backslashes')
  if (DANGEROUS.test(protocol)) throw badRedirect(uri, `has the scheme "${protocol}"`)
  if (protocol === 'http:' && !isLoopbackName(hostname))
    throw badRedirect(uri, 'is neither https nor on the own machine')
}

/** RFC 8252: a program on the person's own machine gets its port from the system. All else must be equal. */
export function isSameRedirect(asked: string, registered: string): boolean {
  if (asked === registered) return true
  if (!URL.canParse(asked) || /[#\s\\]/.test(asked)) return false
  const [one, other] = [new URL(asked), new URL(registered)]
  const isLocal = one.protocol === 'http:' && isLoopbackName(one.hostname)
  one.port = other.port
  return isLocal && one.href === other.href
}

/** Where an answer goes, as a person can judge it. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return host
  return protocol === 'http:' ? `${hostname} (this computer)` : `${protocol.slice(0, -1)} (an app on this computer)`
}

/** Names are the program's own words. Marks that turn or hide text would let it look like another one. */
export const plainName = (name: string) =>
  name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .toWellFormed()

export function shownName(name: string | undefined, redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri)
  return plainName(name ?? '') || (protocol === 'https:' ? hostname : protocol.slice(0, -1))
}

const badRedirect = (uri: string, why: string) =>
  new OAuthError(
    'invalid_redirect_uri',
    `The redirect address "${uri.slice(0, 100).toWellFormed()}" ${why}. Use https, http on a loopback address, or the scheme of an app.`,
  )
