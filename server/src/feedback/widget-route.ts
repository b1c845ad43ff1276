import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { notModified } from '../kernel/http/answers/etag.ts'

/** The build makes it from `widget/`. */
const BUNDLE = new URL('../../dist/widget.js', import.meta.url)

/** Serves the script for other people's pages. It needs no key, and browsers cache it for an hour. */
export function registerWidget(app: FastifyInstance): void {
  let made: { plain: Buffer; zipped: Buffer; tag: string } | undefined
  const load = () => {
    const plain = readFileSync(BUNDLE)
    return { plain, zipped: gzipSync(plain, { level: 9 }), tag: hash('sha1', plain, 'base64url') }
  }
  app.get('/widget.js', (req, reply) => {
    made ??= load()
    const zip = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
    })
    if (notModified(req, reply, `"${made.tag}${zip ? '-gzip' : ''}"`)) return reply.send()
    if (zip) reply.header('content-encoding', 'gzip')
    return reply.send(zip ? made.zipped : made.plain)
  })
}
