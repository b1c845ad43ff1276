import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)
const WORTH_BYTES = 16 * 1024

export type Encoding = 'br' | 'gzip'
const ACCEPTS: Record<Encoding, RegExp> = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
}

/** Returns the first encoding that the client can read. */
export const bestEncoding = (accepted: string | string[] = '', available: Encoding[]) =>
  available.find((encoding) => ACCEPTS[encoding].test(String(accepted)))

/** For long lists: as an `onSend` hook, compresses what the client can read, in another thread. */
export async function compressAnswer(req: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header('vary', 'accept-encoding')
  const encoding = bestEncoding(req.headers['accept-encoding'], ['gzip'])
  if (typeof payload !== 'string' || payload.length < WORTH_BYTES || !encoding) return payload
  const bytes = await compress(payload, { level: constants.Z_BEST_SPEED + 2 })
  reply.header('content-encoding', encoding).header('content-length', bytes.length)
  return bytes
}
