import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { prepare, prepareOnUse, sendPrepared } from '../kernel/http/answers/prepared.ts'

/** The build makes it from `widget/`. */
const BUNDLE = new URL('../../dist/widget.js', import.meta.url)

/** Serves the script for other people's pages. It needs no key, and browsers cache it for an hour. */
export function registerWidget(app: FastifyInstance): void {
  const prepared = prepareOnUse()
  app.get('/widget.js', { config: { anonymous: true } }, async (req, reply) => {
    const widget = await prepared('widget', () => prepare('text/javascript; charset=utf-8', readFileSync(BUNDLE)))
    reply.headers({
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    })
    return sendPrepared(req, reply, widget)
  })
}
