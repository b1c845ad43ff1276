import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { signMessage } from '../kernel/standard-webhooks.ts'
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

/** The signing token of newer versions of GitLab follows Standard Webhooks. */
function isSignedByGitlab({ headers, body }: Received, secret: string): boolean {
  const [id, timestamp] = [textOf(headers['webhook-id']), textOf(headers['webhook-timestamp'])]
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const expected = signMessage(secret, id, timestamp, body)
  return textOf(headers['webhook-signature'])
    .split(' ')
    .some((one) => isSame(one, expected))
}

/** What the host calls the delivery. Retries have the same. Older versions of GitLab do not name it. */
export function deliveryIdOf(kind: CodeHostKind, { headers, body }: Received): string {
  const given = kind === 'github' ? headers['x-github-delivery'] : (headers['webhook-id'] ?? headers['idempotency-key'])
  return textOf(given).slice(0, 200) || createHash('sha256').update(body).digest('hex')
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '')

/** Takes the same time whatever is wrong. */
const isSame = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
