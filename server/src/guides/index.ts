import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, quoted } from '../kernel/errors.ts'
import { notModified } from '../kernel/http/answers/etag.ts'
import { FOLDER, llmsTxt, type Page, readPages, renderPage } from './pages.ts'

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const STYLE = new URL('../../src/guides/guides.css', import.meta.url)

/** Serves the guides of `docs/`: as pages at `/docs`, each also as markdown, and `/llms.txt`. They need no key. */
export function registerGuides(app: FastifyInstance, baseUrl: string): void {
  let read: Page[] | undefined
  const pages = () => {
    read ??= readPages()
    return read
  }
  const send = (req: FastifyRequest, reply: FastifyReply, type: string, text: string) => {
    reply.headers({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
    })
    if (notModified(req, reply, `"${hash('sha1', text, 'base64url')}"`)) return reply.send()
    return reply.send(text)
  }

  app.get('/docs', (_req, reply) => reply.redirect(`/docs/${pages()[0]!.name}`))
  app.get('/docs/guides.css', (req, reply) => send(req, reply, 'text/css', readFileSync(STYLE, 'utf8')))
  app.get('/docs/images/:name', (req, reply) => {
    const { name } = req.params as { name: string }
    const images = new URL('images/', FOLDER)
    if (!name.endsWith('.png') || !readdirSync(images).includes(name)) throw noPage(`images/${name}`)
    reply.headers({ 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' })
    return reply.send(readFileSync(new URL(name, images)))
  })
  app.get('/docs/*', (req, reply) => {
    const asked = (req.params as { '*': string })['*']
    const page = pages().find(({ name }) => name === asked.replace(/\.md$/, '').replace(/\/$/, ''))
    if (!page) throw noPage(asked)
    if (asked.endsWith('.md')) return send(req, reply, 'text/markdown', page.markdown)
    return send(req, reply, 'text/html', renderPage(pages(), page))
  })
  app.get('/llms.txt', (req, reply) => send(req, reply, 'text/plain', llmsTxt(pages(), baseUrl)))
}

const noPage = (name: string) =>
  new AppError(404, 'not_found', `There is no page ${quoted(name)}. /docs lists all of them.`)
