import type { FastifyReply, RouteHandlerMethod } from 'fastify'
import './request.ts'

interface Answer {
  body: string | Buffer
  headers: Record<string, string>
}

/** Bodies of this length and more are encoded once for all callers instead of once per caller. */
const LONG_BODY = 32_768

/** Headers that a list response carries besides its body. */
const CARRIED = ['link', 'deprecation']

/**
 * For lists that look the same to everyone who may see them. Requests for the same page of the same project in the same
 * turn of the event loop share one read and one serialization. A later request triggers a new read, even while the
 * first is running: an answer is never older than its request.
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
