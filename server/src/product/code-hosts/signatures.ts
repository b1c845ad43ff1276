import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { signMessage } from '../../kernel/standard-webhooks.ts'
import type { CodeHostKind } from './code-host.ts'

const TOLERANCE_S = 5 * 60

interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** True if whoever sent it knows the secret. */
export function isSigned(kind: CodeHostKind, { headers, body }: Received, secret: string): boolean {
  if (kind === 'github') {
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    return isSame(textOf(headers['x-hub-signature-256']), expected)
  }
  // A request that carries a signature must pass it. Its token alone would not protect the body.
  if (headers['webhook-signature'] !== undefined) return isSignedByGitlab({ headers, body }, secret)
  return isSame(textOf(headers['x-gitlab-token']), secret)
}

/** False if no body could make the request pass `isSigned`. Known before the body is read. */
export function mayBeSigned(kind: CodeHostKind, headers: IncomingHttpHeaders, secret: string): boolean {
  if (kind === 'github') return /^sha256=[0-9a-f]{64}$/.test(textOf(headers['x-hub-signature-256']))
  if (headers['webhook-signature'] === undefined) return isSame(textOf(headers['x-gitlab-token']), secret)
  return isRecent(headers)
}

/** The signing token of newer versions of GitLab follows Standard Webhooks. */
function isSignedByGitlab({ headers, body }: Received, secret: string): boolean {
  if (!isRecent(headers)) return false
  const [id, timestamp] = [textOf(headers['webhook-id']), textOf(headers['webhook-timestamp'])]
  const expected = signMessage(secret, id, timestamp, body)
  return textOf(headers['webhook-signature'])
    .split(' ')
    .some((one) => isSame(one, expected))
}

const isRecent = (headers: IncomingHttpHeaders) =>
  Math.abs(Date.now() / 1_000 - Number(textOf(headers['webhook-timestamp']))) <= TOLERANCE_S

/**
 * What tells a delivery from others. Retries have the same. GitHub does not sign the id of a delivery, so its signature
 * serves: whoever has seen a delivery could send it again under another id. Older versions of GitLab do not name it.
 */
export function deliveryIdOf(kind: CodeHostKind, { headers, body }: Received): string {
  const given =
    kind === 'github' ? headers['x-hub-signature-256'] : (headers['webhook-id'] ?? headers['idempotency-key'])
  return textOf(given).slice(0, 200) || createHash('sha256').update(body).digest('hex')
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '')

/** Takes the same time whatever is wrong. */
const isSame = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
