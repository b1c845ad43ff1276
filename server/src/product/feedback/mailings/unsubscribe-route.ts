import type { FastifyInstance } from 'fastify'
import type { Log } from '../../../kernel/context.ts'
import { forProject, inTransaction, type Sql } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { Wiring } from '../../../kernel/slice.ts'
import { isUuid } from '../../../kernel/uuid.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { feedbackOfProjectEvents } from '../events.ts'
import { type Contact, findContact, unsubscribeContact } from './contact-queries.ts'
import { DEFAULT_LANGUAGE, TEMPLATES } from './templates.ts'

interface UnsubscribeDeps {
  sql: Sql
  wiring: Wiring
  log: Log
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"

/**
 * The link in every mail to a customer. Opening it changes nothing, because mail programs open links to check them; the
 * button and the one-click header (RFC 8058) send a POST.
 */
export function registerUnsubscribe(app: FastifyInstance, deps: UnsubscribeDeps): void {
  const config = { anonymous: true }
  const path = '/unsubscribe/:token'
  // The token says it all. Mail programs send forms of different types, which stay unread.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_req, _payload, done) => done(null))
  app.addHook('onRequest', async (_req, reply) => {
    reply.headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
  })
  app.get<{ Params: { token: string } }>(path, { config }, async (req, reply) => {
    const contact = await find(deps, req.params.token)
    return reply
      .code(contact ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(pageFor(contact))
  })
  app.post<{ Params: { token: string } }>(path, { config }, async (req, reply) => {
    const contact = await find(deps, req.params.token)
    if (contact) await unsubscribe(deps, contact)
    const page = pageFor(contact && { ...contact, isUnsubscribed: true })
    return reply
      .code(contact ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(page)
  })
}

const find = ({ sql }: UnsubscribeDeps, token: string) =>
  isUuid(token) ? findContact(sql, token) : Promise.resolve(undefined)

async function unsubscribe({ sql, wiring, log }: UnsubscribeDeps, contact: Contact): Promise<void> {
  const project = await findProject(sql, contact.projectId)
  if (!project) return
  await inTransaction(operatorCtx({ db: forProject(sql, project.id), wiring, log }, project), async (ctx) => {
    if (!(await unsubscribeContact(ctx.db, contact))) return
    // Without the address: webhooks show the payload.
    await recordEvent(ctx, feedbackOfProjectEvents.customer_unsubscribed(project.id, {}))
  })
}

function pageFor(contact: Contact | undefined): string {
  const language = contact && contact.language in TEMPLATES ? contact.language : DEFAULT_LANGUAGE
  const { title, question, button, done } = TEMPLATES[language]!.page
  const unknown = 'This link is not known. Open the one in your mail again.'
  const ask = `<p>${question}</p><form method="post"><button>${button}</button></form>`
  const body = !contact ? `<p>${unknown}</p>` : contact.isUnsubscribed ? `<p role="status">${done}</p>` : ask
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:15vh auto;padding:0 1.5rem}
h1{font-size:1.375rem}button{font:inherit;font-weight:600;padding:.6rem 1rem;border:0;border-radius:8px;background:#0b6b7d;color:#fff;cursor:pointer}
</style><main><h1>${title}</h1>${body}</main></html>`
}
