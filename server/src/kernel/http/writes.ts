import type { FastifyRequest } from 'fastify'

/** Whether a request is one that a viewer may not send. */
export function isWrite(req: FastifyRequest): boolean {
  const { method } = req
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return !req.is404 && req.routeOptions.config.reads !== true
}
