import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { clientNetwork } from '../clients/client-network.ts'
import { isLoopback } from '../clients/connections.ts'
import type { BodyBudget } from './budget.ts'

/**
 * Opens the memory for a body before it is read. It is held by the address that sends it and by the project of the key.
 * Many people share the address of this machine, where a proxy may run, so it has no share.
 */
export function watchBody(budget: BodyBudget, req: FastifyRequest, reply: FastifyReply): void {
  const holders = [req.bodyHolder ?? `project ${req.ctx?.actor.projectId ?? 'none'}`]
  if (!isLoopback(req.ip)) holders.push(`address ${clientNetwork(req.ip)}`)
  req.bodyMemory = budget.open(holders)
  reply.raw.once('close', () => req.bodyMemory?.release())
}

/** A handler goes on with its body when the client has hung up. */
export function keepingBody(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function keep(req, reply) {
    const answer: unknown = handler.call(this, req, reply)
    if (answer instanceof Promise) req.bodyMemory?.keepUntil(answer)
    return answer
  }
}
