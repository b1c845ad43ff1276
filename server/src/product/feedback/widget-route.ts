import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Sql } from '../../kernel/database/index.ts'
import { type Prepared, prepare, sendPrepared } from '../../kernel/http/answers/prepared.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { findWidgetOptions } from './widget-options/queries.ts'
import { DEFAULT_OPTIONS, type WidgetOptions } from './widget-options/widget-options.ts'

/** The build makes it from `widget/`. */
const BUNDLE = new URL('../../../dist/widget.js', import.meta.url)

/**
 * Serves the script for other people's pages, with the options of a project if its id is given. It needs no key, and
 * browsers cache it for an hour.
 */
export function registerWidget(app: FastifyInstance, sql: Sql): void {
  const findWidget = rememberWidgets()
  app.get<{ Querystring: { project?: unknown } }>('/widget.js', { config: { anonymous: true } }, async (req, reply) => {
    const { project } = req.query
    const id = typeof project === 'string' && isUuid(project) ? project.toLowerCase() : undefined
    const widget = await findWidget(id, id ? await findWidgetOptions(sql, id) : DEFAULT_OPTIONS)
    reply.headers({
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    })
    return sendPrepared(req, reply, widget)
  })

  app.get<{ Querystring: Record<string, unknown> }>(
    '/widget-preview',
    { config: { anonymous: true } },
    async (req, reply) => {
      const attributes = ['label', 'position', 'accent', 'theme', 'screenshots']
        .flatMap((name) => (typeof req.query[name] === 'string' ? [` data-${name}="${escaped(req.query[name])}"`] : []))
        .join('')
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': PREVIEW_POLICY,
      })
      return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Preview of the widget</title><body>
<script src="/widget.js" data-key="preview" data-preview="true"${attributes}></script></body></html>`
    },
  )
}

/** The page that the web shows in a frame: the real widget, which sends nothing. */
const PREVIEW_POLICY =
  "default-src 'none'; script-src 'self'; img-src blob:; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-forms"

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!)

/** Prepares the script once for all who have not chosen anything, and once for each project that has. */
function rememberWidgets() {
  const known = new Map<string, { options: string; made: Promise<Prepared> }>()
  return (projectId: string | undefined, given: WidgetOptions): Promise<Prepared> => {
    const options = JSON.stringify(given)
    const name = given === DEFAULT_OPTIONS ? '' : (projectId ?? '')
    const before = known.get(name)
    if (before?.options === options) return before.made
    const made = prepareWidget(options)
    known.set(name, { options, made })
    made.catch(() => known.delete(name))
    return made
  }
}

/** The bundle reads its options from `OPTIONS`. */
async function prepareWidget(options: string): Promise<Prepared> {
  const bundle = await readFile(BUNDLE, 'utf8')
  return prepare('text/javascript; charset=utf-8', `(function(OPTIONS){${bundle}})(${options})`)
}
