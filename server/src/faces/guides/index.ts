import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, quoted } from '../../kernel/errors.ts'
import { type Prepared, prepare, prepareOnUse, sendPrepared } from '../../kernel/http/answers/prepared.ts'
import { FOLDER, llmsTxt, type Page, readPages, renderPage, sourceOf } from './pages.ts'
import { findScalar, fontsCss, REFERENCE_POLICY, renderReference } from './reference.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const FILES: Record<string, string> = {
  'guides.css': 'text/css',
  'reference.css': 'text/css',
  'reference.js': 'text/javascript',
}

const IMAGES = new URL('images/', FOLDER)

const AnyObject = Type.Object({}, { additionalProperties: true })

interface Options {
  baseUrl: string
  /** The OpenAPI documents by name. */
  descriptions: Record<string, () => Promise<Prepared>>
}

/**
 * Serves the documentation: at `/docs` the reference of the APIs, in which people try them with a key of theirs, below it
 * the guides of `docs/`, each also as markdown, and `/llms.txt`. Reading needs no key.
 */
export function registerGuides(app: FastifyInstance, { baseUrl, descriptions }: Options): void {
  const once = prepareOnUse()
  const route = { config: { anonymous: true } }
  let read: Page[] | undefined
  let images: Set<string> | undefined
  const pages = () => {
    read ??= readPages()
    return read
  }
  const send = (req: FastifyRequest, reply: FastifyReply, prepared: Prepared, policy = POLICY) => {
    reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': policy })
    return sendPrepared(req, reply, prepared)
  }
  const serve = (path: string, type: string, make: () => string, policy = POLICY) =>
    app.get(path, route, async (req, reply) =>
      send(req, reply, await once(path, async () => text(type, make())), policy),
    )

  serve('/docs', 'text/html', () => renderReference(pages(), findScalar()), REFERENCE_POLICY)
  app.get('/docs/reference', route, (_req, reply) => reply.redirect('/docs'))
  serve('/docs/fonts.css', 'text/css', fontsCss)
  for (const [name, type] of Object.entries(FILES)) {
    const file = new URL(`./${name}`, import.meta.url)
    serve(`/docs/${name}`, type, () => readFileSync(file, 'utf8'))
  }
  for (const [name, describe] of Object.entries(descriptions))
    app.get(`/docs/${name}.openapi.json`, { ...route, schema: { response: { 200: AnyObject } } }, async (req, reply) =>
      send(req, reply, await describe()),
    )
  app.get('/docs/images/:name', route, async (req, reply) => {
    const { name } = req.params as { name: string }
    images ??= new Set(readdirSync(IMAGES).filter((one) => one.endsWith('.png')))
    if (!images.has(name)) throw noPage(`images/${name}`)
    const image = await once(`image ${name}`, async () => prepare('image/png', await readFile(new URL(name, IMAGES))))
    reply.header('cache-control', 'public, max-age=3600')
    return sendPrepared(req, reply, image)
  })
  app.get('/docs/*', route, async (req, reply) => {
    const asked = (req.params as { '*': string })['*']
    const page = pages().find(({ name }) => name === asked.replace(/\.md$/, '').replace(/\/$/, ''))
    if (!page) throw noPage(asked)
    const isSource = asked.endsWith('.md')
    const prepared = await once(`${isSource ? 'source' : 'page'} ${page.name}`, async () =>
      isSource ? text('text/markdown', sourceOf(page)) : text('text/html', renderPage(pages(), page)),
    )
    return send(req, reply, prepared)
  })
  serve('/llms.txt', 'text/plain', () => llmsTxt(pages(), baseUrl))
}

const text = (type: string, content: string) => prepare(`${type}; charset=utf-8`, content)

const noPage = (name: string) =>
  new AppError(404, 'not_found', `There is no page ${quoted(name)}. /docs lists all of them.`)
