import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyReply, RouteHandlerMethod } from 'fastify'
import { lateTransaction, sendTogether, type Tx } from '../database/index.ts'
import { enterTransaction } from '../database/transaction-guard.ts'
import { AppError, invalid, toProblem } from '../errors.ts'
import './request.ts'
import {
  digestOf,
  findReplay,
  type ReplayedAnswer,
  type ReplayId,
  storeReplay,
  tryLockReplay,
} from '../database/replays.ts'

/** Refusals by the operation itself. Any earlier refusal leaves the key free for a corrected request. */
const STORED_REFUSALS = new Set([404, 409, 412])
const STORED_HEADERS = ['content-type', 'etag', 'location', 'link', 'deprecation', 'x-ignored-fields']

/** Another request with the same key was answered since this one began. */
class ReplayedError extends Error {
  readonly answer: ReplayedAnswer

  constructor(answer: ReplayedAnswer) {
    super('The request has been answered.')
    this.answer = answer
  }
}

/**
 * Makes a POST safe to repeat. Stores the response in the transaction of the operation, so a crash keeps both or
 * neither. That transaction begins when the action opens one, so that what takes long is computed before, and ends with
 * the response. A key in flight is a lock that disappears with its connection.
 */
export function withIdempotency(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function idempotent(req, reply) {
    const key = req.headers['idempotency-key']
    // An unauthenticated caller has nothing to repeat.
    if (key === undefined || !req.ctx) return handler.call(this, req, reply)
    checkKey(key)
    // A read is safe to repeat anyway. In a transaction it would hold a connection the whole time.
    const { reads, showsSecret, callsOthers } = req.routeOptions.config
    if (reads || showsSecret || callsOthers) return handler.call(this, req, reply)

    const outer = req.ctx
    const path = req.url.split('?', 1)[0]
    const id = {
      projectId: outer.actor.projectId,
      scope: `${outer.actor.keyId ?? outer.actor.userId} ${req.method} ${path}`,
      key,
    }
    const requestSha256 = await digestOf([req.query, req.body])

    const send = (answer: ReplayedAnswer) => {
      reply
        .code(answer.status)
        .headers(answer.headers)
        .serializer((body: unknown) => body as string)
      return answer.body
    }
    const replay = (answer: ReplayedAnswer) => {
      if (answer.requestSha256 !== requestSha256) throw keyReused()
      reply.header('idempotency-replayed', 'true')
      return send(answer)
    }

    const before = await findReplay(outer.db, id)
    if (before) return replay(before)
    const transaction = lateTransaction(outer.db, (tx) => claim(tx, id))
    try {
      const run = async () => handler.call(this, req, reply)
      req.ctx = { ...outer, db: transaction.db }
      const answer = await enterTransaction(() => answerOf(reply, requestSha256, run), transaction.isOpen).catch(
        async (err: unknown) => {
          await transaction.rollBack(err)
          return refusalOf(err, requestSha256, req.id)
        },
      )
      await transaction.commit(async (tx) => storeReplay(tx, id, answer))
      return send(answer)
    } catch (err) {
      if (err instanceof ReplayedError) return replay(err.answer)
      throw err
    } finally {
      // The transaction has ended, so whatever follows the response needs the pool again.
      req.ctx = outer
    }
  }
}

async function claim(tx: Tx, id: ReplayId): Promise<void> {
  const [isFirst, before] = await sendTogether([tryLockReplay(tx, id), findReplay(tx, id)])
  if (!isFirst) throw inFlight()
  if (before) throw new ReplayedError(before)
}

function checkKey(key: string | string[]): asserts key is string {
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw invalid([
      { pointer: '/Idempotency-Key', detail: 'The header "Idempotency-Key" must have 1 to 255 characters.' },
    ])
}

const inFlight = () =>
  new AppError(
    409,
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still running. Wait for its answer, then send it again.',
    { headers: { 'retry-after': '1' } },
  )

const keyReused = () =>
  invalid(
    [
      {
        pointer: '/Idempotency-Key',
        detail: 'This Idempotency-Key was used with another body. Use a new key for a new request.',
      },
    ],
    'idempotency_key_reused',
  )

async function answerOf(
  reply: FastifyReply,
  requestSha256: string,
  run: () => Promise<unknown>,
): Promise<ReplayedAnswer> {
  const result = await run()
  // Text is already serialized, a long one in pieces.
  const isText = typeof result === 'string' || result instanceof Readable
  const body = isText ? result : reply.serialize(result as Record<string, unknown>)
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  for (const name of STORED_HEADERS) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return {
    requestSha256,
    status: reply.statusCode,
    headers,
    body: body instanceof Readable ? await text(body) : String(body),
  }
}

/** The answer to keep. Throws what may turn out otherwise the next time. */
function refusalOf(err: unknown, requestSha256: string, requestId: string): ReplayedAnswer {
  if (!(err instanceof AppError) || !STORED_REFUSALS.has(err.status) || err.headers['retry-after']) throw err
  const headers = { ...err.headers, 'content-type': 'application/problem+json; charset=utf-8' }
  return { requestSha256, status: err.status, headers, body: JSON.stringify(toProblem(err, requestId)) }
}
