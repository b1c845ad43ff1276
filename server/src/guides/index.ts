import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, quoted } from '../kernel/errors.ts'
import { notModified } from '../kernel/http/answers/etag.ts'
import { FOLDER, llmsTxt, type Page, readPages, renderPage, sourceOf } from './pages.ts'
import { findScalar, fontsCss, REFERENCE_POLICY, renderReference } from './reference.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const FILES: Record<string, string> = {
  'guides.css': 'text/css',
  'reference.css': 'text/css',
  'reference.js': 'text/javascript',
}

const AnyObject = Type.Object({}, { additionalProperties: true })

interface Options {
  baseUrl: string
  /** The OpenAPI documents by name. */
  descriptions: Record<string, () => object>
}

/**
 * Serves the documentation: at `/docs` the reference of the APIs, in which people try them with a key of theirs, below it
 * the guides of `docs/`, each also as markdown, and `/llms.txt`. Reading needs no key.
 */
export function registerGuides(app: FastifyInstance, { baseUrl, descriptions }: Options): void {
  const described = new Map<string, string>()
  let read: Page[] | undefined
  const pages = () => {
    read ??= readPages()
    return read
  }
  const send = (req: FastifyRequest, reply: FastifyReply, type: string, text: string, policy = POLICY) => {
    reply.headers({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': policy,
    })
    if (notModified(req, reply, `"${hash('sha1', text, 'base64url')}"`)) return reply.send()
    return reply.send(text)
  }

  app.get('/docs', (req, reply) =>
    send(req, reply, 'text/html', renderReference(pages(), findScalar()), REFERENCE_POLICY),
  )
  app.get('/docs/reference', (_req, reply) => reply.redirect('/docs'))
  app.get('/docs/fonts.css', (req, reply) => send(req, reply, 'text/css', fontsCss()))
  for (const [name, type] of Object.entries(FILES)) {
    const file = new URL(`../../src/guides/${name}`, import.meta.url)
    app.get(`/docs/${name}`, (req, reply) => send(req, reply, type, readFileSync(file, 'utf8')))
  }
  for (const [name, describe] of Object.entries(descriptions))
    app.get(`/docs/${name}.openapi.json`, { schema: { response: { 200: AnyObject } } }, (req, reply) => {
      const text = described.get(name) ?? JSON.stringify(describe())
      described.set(name, text)
      return send(req, reply, 'application/json', text)
    })
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
    if (asked.endsWith('.md')) return send(req, reply, 'text/markdown', sourceOf(page))
    return send(req, reply, 'text/html', renderPage(pages(), page))
  })
  app.get('/llms.txt', (req, reply) => send(req, reply, 'text/plain', llmsTxt(pages(), baseUrl)))
}

const noPage = (name: string) =>
  new AppError(404, 'not_found', `There is no page ${quoted(name)}. /docs lists all of them.`)
