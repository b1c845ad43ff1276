import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)
const WORTH_BYTES = 16 * 1024

/** For long lists: as an `onSend` hook, compresses what the client can read, in another thread. */
export async function compressAnswer(req: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header('vary', 'accept-encoding')
  const accepts = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(String(req.headers['accept-encoding'] ?? ''))
  if (typeof payload !== 'string' || payload.length < WORTH_BYTES || !accepts) return payload
  const bytes = await compress(payload, { level: constants.Z_BEST_SPEED + 2 })
  reply.header('content-encoding', 'gzip').header('content-length', bytes.length)
  return bytes
}
