import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, forbidden, unavailable } from '../../kernel/errors.ts'
import { AGENT_META, agentMark, leadsBack } from '../../kernel/http/own-agents.ts'
import type { Tool } from '../../kernel/slice.ts'
import { createShares } from '../../kernel/turns.ts'
import {
  appOf,
  challenge,
  findAppActor,
  isAccessToken,
  publicOrigin,
  type Resource,
} from '../../product/oauth/index.ts'
import type { CallCounter } from '../../product/projects/index.ts'
import { authenticateKeys, type FaceOptions } from '../external-api/authenticate.ts'
import { callsIn, clientOfSession, type Message, sessionOf } from './messages.ts'
import { answerMcp } from './server.ts'
import { codingAgentTools } from './tools.ts'

/**
 * The Model Context Protocol over streamable HTTP, for coding agents: with a key, or with the token of a connected app.
 * `/mcp/read` offers only tools that read, and so does `/mcp` to an app that may only read.
 */
export function registerMcp(scope: FastifyInstance, options: Omit<FaceOptions, 'kind'> & { calls: CallCounter }): void {
  const { keyring, sql, baseUrl, calls } = options
  scope.addHook('onRequest', (req, _reply, done) => done(refusalOfPage(req, baseUrl)))
  authenticateKeys(scope, {
    ...options,
    kind: 'external',
    keyring: {
      authenticate: (key, kind) => (isAccessToken(key) ? findAppActor(sql, key) : keyring.authenticate(key, kind)),
    },
    refusal: (req) => unauthorized(req, baseUrl),
    // A token is good for the address that the person allowed, and for no other.
    alsoAdmit: (req, _reply, actor) => {
      const app = appOf(actor)
      if (app && app.resource !== req.routeOptions.url) throw unauthorized(req, baseUrl)
    },
  })
  const tools = codingAgentTools(options.wiring)
  const reading = tools.filter(({ kind }) => kind === 'view')
  for (const path of ['/mcp', '/mcp/read']) {
    // A viewer may ask. The tools that write check the rights themselves.
    scope.post(path, { config: { reads: true }, schema: { body: Type.Unknown() } }, (req, reply) => {
      const onlyReads = path === '/mcp/read' || appOf(req.ctx.actor)?.scope === 'read'
      for (const name of callsIn(req.body)) calls.count(req.ctx.actor, name)
      return answer(req, reply, onlyReads ? reading : tools, baseUrl)
    })
    for (const method of ['GET', 'DELETE'] as const)
      scope.route({
        method,
        url: path,
        handler: () => {
          throw new AppError(
            405,
            'method_not_allowed',
            'This server keeps no sessions and sends nothing on its own. Send each message by POST.',
            { headers: { allow: 'POST' } },
          )
        },
      })
  }
}

async function answer(req: FastifyRequest, reply: FastifyReply, tools: Tool[], baseUrl: string) {
  const refusal = refusalOfOwnAgent(req)
  if (refusal) return refusal
  const named = appOf(req.ctx.actor) ? undefined : clientOfSession(req.headers['mcp-session-id'])
  const actor = { ...req.ctx.actor, origin: 'mcp' as const, ...(named && { agentName: named }) }
  const ctx = { ...req.ctx, actor }
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers.set(name, String(value))
  const request = new Request(new URL(req.url, baseUrl), { method: 'POST', headers })
  return inTurn(req, async () => {
    const response = await answerMcp(ctx, tools, request, req.body)
    reply.code(response.status)
    for (const [name, value] of response.headers) reply.header(name, value)
    const session = sessionOf(req.body)
    if (session !== undefined && response.ok) reply.header('mcp-session-id', session)
    return reply.send(await response.text())
  })
}

const READ_WITHIN_MS = 10_000
const longReads = createShares({ total: 4, perProject: 1 })

/** A document can have 2 million characters, which take 20 ms to read and encode. A project reads one at a time. */
async function inTurn<T>({ body, ctx: { actor } }: FastifyRequest, run: () => Promise<T>): Promise<T> {
  if (![body].flat().some((one) => isLongRead(one as Message | null))) return run()
  if ((await longReads.enter(actor.projectId, READ_WITHIN_MS)) === false)
    throw unavailable('busy', 'Many documents of this project are being read. Read fewer at once.', 5)
  // Requests of others are served before the next one.
  return run().finally(() => setImmediate(() => longReads.leave(actor.projectId)))
}

const isLongRead = (message: Message | null) =>
  message?.method === 'resources/read' || (message?.method === 'tools/call' && message.params?.name === 'read_document')

/** Tells a program without access where to get it. */
function unauthorized(req: FastifyRequest, baseUrl: string): AppError {
  const resource: Resource = req.routeOptions.url === '/mcp/read' ? '/mcp/read' : '/mcp'
  const header = challenge(publicOrigin(req, baseUrl), resource, req.headers.authorization !== undefined)
  return new AppError(
    401,
    'unauthorized',
    'This needs a valid API key or an access token. Send it as "Authorization: Bearer …".',
    { headers: { 'www-authenticate': header } },
  )
}

/** Programs send no `Origin`. A page of another site must not reach a server on the machine of its reader. */
function refusalOfPage(req: FastifyRequest, baseUrl: string): AppError | undefined {
  const { origin } = req.headers
  if (origin === undefined || origin === new URL(publicOrigin(req, baseUrl)).origin) return undefined
  return forbidden('other_site', 'This request comes from a page of another site.')
}

/** For agents of this installation that come through a relay. Most are refused by the header of their request. */
function refusalOfOwnAgent({ body, ctx: { store } }: FastifyRequest) {
  const marked = [body].flat().find((one) => (one as Message | null)?.params?._meta?.[AGENT_META] === agentMark(store))
  if (marked === undefined) return undefined
  const { id = null } = marked as Message
  return { jsonrpc: '2.0', id, error: { code: -32_600, message: leadsBack().message } }
}
