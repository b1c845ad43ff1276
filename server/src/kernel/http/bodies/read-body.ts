import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError, malformed } from '../../errors.ts'
import { type Deadlines, startBodyClock } from './deadlines.ts'

const NOTHING = Buffer.alloc(0)

/** Reads a body up to the limit of its route. Allocates memory only for what has arrived. */
export function readBody(
  req: FastifyRequest,
  payload: Readable,
  deadlines: Deadlines,
  done: (err: AppError | null, body: Buffer) => void,
): void {
  const limit = req.routeOptions.bodyLimit
  const chunks: Buffer[] = []
  let size = 0
  const tooLarge = () => bodyTooLarge(`The body may have at most ${limit} bytes here.`)

  function finish(err: AppError | null) {
    clock.stop()
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    done(err, err ? NOTHING : Buffer.concat(chunks, size))
  }
  function onData(chunk: Buffer) {
    size += chunk.length
    if (size > limit) return finish(tooLarge())
    chunks.push(chunk)
    clock.count(chunk.length)
  }
  const onEnd = () => finish(null)
  const onError = () => finish(malformed('request_aborted', 'The request stopped before its end. Send it again.'))

  if (Number(req.headers['content-length'] ?? 0) > limit) {
    done(tooLarge(), NOTHING)
    return
  }
  const clock = startBodyClock(deadlines, finish)
  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

export const bodyTooLarge = (detail: string) =>
  new AppError(413, 'body_too_large', `${detail} Send less at once.`, { headers: { connection: 'close' } })
