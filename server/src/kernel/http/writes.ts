import type { FastifyRequest } from 'fastify'

/** True if viewers may not send the request. */
export function isWrite(req: FastifyRequest): boolean {
  const { method } = req
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return !req.is404 && req.routeOptions.config.reads !== true
}
