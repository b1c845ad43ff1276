import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError, malformed } from '../../errors.ts'
import '../request.ts'
import { type Deadlines, startBodyClock } from './deadlines.ts'

const NOTHING = Buffer.alloc(0)

/**
 * Reads a body up to the limit of its route. Takes memory from the budget for what has arrived, and copies it into one
 * buffer: a list of chunks would let a client that sends single bytes occupy a hundred times as much.
 */
export function readBody(
  req: FastifyRequest,
  payload: Readable,
  done: (err: AppError | null, body: Buffer) => void,
): void {
  const limit = req.routeOptions.bodyLimit
  const announced = Number(req.headers['content-length'] ?? Number.NaN)
  let buffer: Buffer = NOTHING
  let size = 0

  function finish(err: AppError | null) {
    clock.stop()
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    if (!err) return done(null, size === buffer.length ? buffer : Buffer.from(buffer.subarray(0, size)))
    buffer = NOTHING
    done(err, NOTHING)
  }
  function makeRoom(needed: number) {
    const length = Math.min(Number.isNaN(announced) ? limit : announced, Math.max(needed, 2 * buffer.length))
    req.bodyMemory?.take(length - buffer.length)
    const larger = Buffer.allocUnsafe(length)
    buffer.copy(larger, 0, 0, size)
    buffer = larger
  }
  function onData(chunk: Buffer) {
    const needed = size + chunk.length
    if (needed > limit) return finish(longerThan(limit))
    try {
      if (needed > buffer.length) makeRoom(needed)
    } catch (err) {
      return finish(err as AppError)
    }
    chunk.copy(buffer, size)
    size = needed
    clock.count(chunk.length)
  }
  const onEnd = () => finish(null)
  const onError = () => finish(malformed('request_aborted', 'The request stopped before its end. Send it again.'))

  const refusal = refusalOfAnnounced(req)
  if (refusal) {
    done(refusal, NOTHING)
    return
  }
  const clock = startBodyClock(inMemory(req.server.bodyDeadlines), finish)
  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

/** Bodies in memory must arrive faster than those that pass through. */
const inMemory = (deadlines: Deadlines): Deadlines => ({
  ...deadlines,
  minBytesPerSecond: Math.max(deadlines.minBytesPerSecond, deadlines.minBytesPerSecondInMemory),
})

/** For a body whose length is too large already by its header. */
export function refusalOfAnnounced({ headers, routeOptions: { bodyLimit } }: FastifyRequest): AppError | null {
  return Number(headers['content-length'] ?? 0) > bodyLimit ? longerThan(bodyLimit) : null
}

const longerThan = (limit: number) => bodyTooLarge(`The body may have at most ${limit} bytes here.`)

export const bodyTooLarge = (detail: string) =>
  new AppError(413, 'body_too_large', `${detail} Send less at once.`, { headers: { connection: 'close' } })
