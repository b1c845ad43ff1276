import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseBusyError, errorCode, isDatabaseAway } from '../../database/index.ts'
import { AppError, conflict, malformed, notFound, storageFull, toProblem, unavailable } from '../../errors.ts'
import { unsupportedMediaType } from '../bodies/body.ts'

/** Turns every thrown error into a response. No other place does. */
export function answerError(err: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = translate(err)
  if (problem.status >= 500) {
    const message = problem.status === 507 ? problem.message : 'request failed'
    req.log.error({ request_id: req.id, err, code: problem.code }, message)
  }
  return sendProblem(problem, req, reply)
}

export function sendProblem(problem: AppError, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Headers that the handler set for its own response must not go out with an error.
  reply.removeHeader('etag')
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toProblem(problem, req.id))
}

function translate(err: unknown): AppError {
  if (err instanceof AppError) return err
  const code = errorCode(err)
  if (code?.startsWith('FST_')) return fromFramework(code, err as FrameworkError)
  if (isDatabaseAway(err))
    return unavailable(
      'database_unavailable',
      'The database cannot be reached right now. Try again shortly; with an "Idempotency-Key" nothing is done twice.',
    )
  if (err instanceof DatabaseBusyError)
    return unavailable('busy', 'Too many requests of this project are under way; nothing was changed. Send it again.')
  switch (code) {
    case '57014':
      return unavailable('timeout', 'This took too long and was stopped; nothing was changed. Ask for less at once.')
    case '40001':
    case '40P01':
      return unavailable(
        'busy',
        'Another request changed the same things at the same time; nothing was changed. Send it again.',
      )
    case '53100':
    case 'ENOSPC':
    case 'EDQUOT':
      return storageFull('The disk of the server')
    case '23505':
      return conflict('already_exists', 'Another request has just made the same thing. Read it again before you retry.')
    case '23503':
      return conflict(
        'reference_gone',
        'Something this refers to was deleted at the same moment; nothing was changed. Read it again.',
      )
  }
  return new AppError(500, 'internal_error', 'Something went wrong on the server; it was logged with this request_id.')
}

interface FrameworkError {
  statusCode?: number
  message: string
}

function fromFramework(code: string, err: FrameworkError): AppError {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_BAD_URL':
      return malformed('malformed_url', 'The path of the URL is not validly percent-encoded.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('page', 'of that length')
  }
  const status = err.statusCode ?? 500
  return status < 500
    ? new AppError(status, 'bad_request', err.message)
    : new AppError(500, 'internal_error', 'Something went wrong on the server; it was logged with this request_id.')
}

const descriptionFor = (path: string) => /^\/v2\/(app|external)-api\//.exec(path)?.[0] ?? '/v2/external-api/'

export const noSuchRoute = (method: string, path: string) =>
  new AppError(
    404,
    'route_not_found',
    `There is nothing at "${method} ${path.slice(0, 200)}". See the operations in ${descriptionFor(path)}openapi.json.`,
  )
