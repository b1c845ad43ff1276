import type { FastifyReply, RouteHandlerMethod } from 'fastify'
import './request.ts'

interface Answer {
  body: string | Buffer
  headers: Record<string, string>
}

/** From this length on, a body is encoded once for all who asked, and not into a copy for each of them. */
const LONG_BODY = 32_768

/** What the answer to a list may say beside its body. */
const CARRIED = ['link', 'deprecation']

/**
 * For a list that is the same for all who may see it: when several ask for the same page of the same project in the
 * same turn of the event loop, it is read and serialised once. Who asks later, even while it is being read, gets it
 * read anew: an answer never is older than its question.
 */
export function withSharedReads(handler: RouteHandlerMethod): RouteHandlerMethod {
  const asked = new Map<string, Promise<Answer>>()

  return async function shared(req, reply) {
    const question = `${req.ctx.actor.projectId} ${req.url}`
    let answering = asked.get(question)
    if (!answering) {
      answering = nextTurn().then(() => {
        asked.delete(question)
        return answerOf(reply, () => handler.call(this, req, reply))
      })
      asked.set(question, answering)
    }
    const { body, headers } = await answering
    reply.headers(headers)
    return body
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function answerOf(reply: FastifyReply, run: () => unknown): Promise<Answer> {
  const text = String(reply.serialize((await run()) as Record<string, unknown>))
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  for (const name of CARRIED) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return { body: text.length < LONG_BODY ? text : Buffer.from(text), headers }
}
