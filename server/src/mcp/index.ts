import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { authenticateKeys, type FaceOptions } from '../external-api/authenticate.ts'
import { AppError } from '../kernel/errors.ts'
import type { Tool } from '../kernel/slice.ts'
import { answerMcp } from './server.ts'
import { codingAgentTools } from './tools.ts'

/** The Model Context Protocol over streamable HTTP, for coding agents. `/mcp/read` offers only tools that read. */
export function registerMcp(scope: FastifyInstance, options: Omit<FaceOptions, 'kind'>): void {
  authenticateKeys(scope, { ...options, kind: 'external' })
  const tools = codingAgentTools(options.wiring)
  const profiles: Record<string, Tool[]> = {
    '/mcp': tools,
    '/mcp/read': tools.filter(({ kind }) => kind === 'view'),
  }
  for (const [path, offered] of Object.entries(profiles)) {
    // A viewer may ask. The tools that write check the rights themselves.
    scope.post(path, { config: { reads: true }, schema: { body: Type.Unknown() } }, (req, reply) =>
      answer(req, reply, offered, options.baseUrl),
    )
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
  const ctx = { ...req.ctx, actor: { ...req.ctx.actor, origin: 'mcp' as const } }
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) if (value !== undefined) headers.set(name, String(value))
  const request = new Request(new URL(req.url, baseUrl), { method: 'POST', headers })
  const response = await answerMcp(ctx, tools, request, req.body)
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.send(await response.text())
}
