import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { TxCtx } from '../context.ts'
import { inSavepoint, inTransaction, sendTogether } from '../database/index.ts'
import { AppError, conflict, invalid, toProblem } from '../errors.ts'
import { computingFirst } from '../threads/compute-first.ts'
import './request.ts'
import { digestOf, findReplay, type ReplayedAnswer, storeReplay, tryLockReplay } from '../database/replays.ts'

/** Refusals by the operation itself. Any earlier refusal leaves the key free for a corrected request. */
const STORED_REFUSALS = new Set([404, 409, 412])
const STORED_HEADERS = ['content-type', 'etag', 'location', 'link', 'deprecation', 'x-ignored-fields']

/**
 * Makes a POST safe to repeat. Stores the response in the transaction of the operation, so a crash keeps both or
 * neither. A key in flight is a lock that disappears with its connection. The handler runs in that transaction, so it
 * must wait for nothing but the database: other work belongs in `preHandler` or `compute-first`.
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

    const inOneTransaction = async (ctx: TxCtx) => {
      const [isFirst, before] = await sendTogether([tryLockReplay(ctx.db, id), findReplay(ctx.db, id)])
      if (!isFirst)
        throw conflict(
          'idempotency_in_flight',
          'A request with this Idempotency-Key is still running. Wait for its answer, then send it again.',
        )
      if (before) {
        if (before.requestSha256 !== requestSha256) throw keyReused()
        return { answer: before, replayed: true }
      }
      const answer = await answerOf(req, reply, requestSha256, () =>
        inSavepoint(ctx, (inner) => {
          req.ctx = inner
          return Promise.resolve(handler.call(this, req, reply))
        }),
      )
      await storeReplay(ctx.db, id, answer)
      return { answer, replayed: false }
    }
    const { answer, replayed } = await computingFirst(outer, req.url, (ctx) => inTransaction(ctx, inOneTransaction))
    // The transaction has ended, so whatever follows the response needs the pool again.
    req.ctx = outer

    if (replayed) reply.header('idempotency-replayed', 'true')
    reply
      .code(answer.status)
      .headers(answer.headers)
      .serializer((body: unknown) => body as string)
    return answer.body
  }
}

function checkKey(key: string | string[]): asserts key is string {
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw invalid([
      { pointer: '/Idempotency-Key', detail: 'The header "Idempotency-Key" must have 1 to 255 characters.' },
    ])
}

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
  req: FastifyRequest,
  reply: FastifyReply,
  requestSha256: string,
  run: () => Promise<unknown>,
): Promise<ReplayedAnswer> {
  try {
    const result = await run()
    // Text is already serialized.
    const body = typeof result === 'string' ? result : reply.serialize(result as Record<string, unknown>)
    const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
    for (const name of STORED_HEADERS) {
      const value = reply.getHeader(name)
      if (typeof value === 'string') headers[name] = value
    }
    return { requestSha256, status: reply.statusCode, headers, body: String(body) }
  } catch (err) {
    if (!(err instanceof AppError) || !STORED_REFUSALS.has(err.status)) throw err
    const headers = { ...err.headers, 'content-type': 'application/problem+json; charset=utf-8' }
    return { requestSha256, status: err.status, headers, body: JSON.stringify(toProblem(err, req.id)) }
  }
}
