import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Prepared, sendPrepared } from '../../kernel/http/answers/prepared.ts'
import { DIAGRAMS, sendDiagrams } from './diagrams.ts'
import { listFiles } from './files.ts'

/** The build of `web/` writes it. */
const FOLDER = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** Paths of the APIs. What does not exist there stays a problem in JSON. */
export const RESERVED = /^\/(v2|mcp|oauth|\.well-known|docs|collab|livez|readyz|widget\.js|assets)(\/|$)/
/** The worker that opens the app without the server. It may fetch the app's own files. */
const WORKER = '/sw.js'
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"
const YEAR = 31_536_000

/**
 * Serves the web app: its files by name, and its page at every other path, because the app has its own routes. Returns
 * undefined if the path is not the app's.
 */
export function createWeb(folder = FOLDER) {
  let files: Map<string, Prepared> | undefined
  let policy: string | undefined

  return function answer(req: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined
    files ??= listFiles(folder)
    const path = req.url.split('?', 1)[0]!
    const page = files.get('/index.html')
    const file = files.get(path) ?? (RESERVED.test(path) ? undefined : page)
    if (!file || !page) return undefined
    if (path === DIAGRAMS && file !== page) return sendDiagrams(reply, file)
    if (file === page) {
      policy ??= contentPolicy(page.read(undefined).toString())
      reply.header('content-security-policy', policy)
    } else if (path === WORKER) reply.header('content-security-policy', WORKER_POLICY)
    const isHashed = path.startsWith('/assets/')
    reply.header('cache-control', isHashed ? `public, max-age=${YEAR}, immutable` : 'no-cache')
    // The frame of diagrams has no origin, so to load them it needs permission. They are the same for everyone.
    if (isHashed) reply.header('access-control-allow-origin', '*')
    return sendPrepared(req, reply, file)
  }
}

/** Allows only what the server itself serves, and the one inline script of the page, by its hash. */
function contentPolicy(html: string): string {
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => `'sha256-${hash('sha256', code!, 'base64')}'`,
  )
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inline].join(' '),
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
