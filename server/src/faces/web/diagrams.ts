import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Prepared } from '../../kernel/http/answers/prepared.ts'

/**
 * The frame that draws diagrams. Its library writes markup and styles into the page, so the page is nobody's: it has no
 * origin, no cookies and no storage, and can connect to nothing. It runs the scripts that this answer names, and what
 * these load; no other script of this server.
 */
export const DIAGRAMS = '/diagram.html'

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')

export function sendDiagrams(reply: FastifyReply, file: Prepared): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  const page = file.read(undefined).toString()
  return reply
    .code(200)
    .headers({
      'content-type': file.type,
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'x-frame-options': 'SAMEORIGIN',
    })
    .send(page.replaceAll(/<(script|link|meta property="csp-nonce")(?=[ >])/g, `<$1 nonce="${nonce}"`))
}
