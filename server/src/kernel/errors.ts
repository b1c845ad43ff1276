import { STATUS_CODES } from 'node:http'
import { cut } from '../engines/text/characters.ts'

export interface FieldError {
  pointer: string
  detail: string
}

/** The only error that becomes a response. Any other error is a defect and becomes a 500 without details. */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    detail: string,
    { extra = {}, headers = {} }: { extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.status = status
    this.code = code
    this.extra = extra
    this.headers = headers
  }
}

export function toProblem(err: AppError, requestId: string) {
  return {
    type: `urn:slipway:problem:${err.code}`,
    title: STATUS_CODES[err.status] ?? 'Error',
    status: err.status,
    detail: err.message,
    code: err.code,
    request_id: requestId,
    ...err.extra,
  }
}

export const malformed = (code: string, detail: string) => new AppError(400, code, detail)

export const unauthorized = () =>
  new AppError(
    401,
    'unauthorized',
    'This needs a valid API key. Send it in the header "X-API-Key", or as "Authorization: Bearer <key>".',
    { headers: { 'www-authenticate': 'Bearer realm="slipway", ApiKey realm="slipway", header="X-API-Key"' } },
  )

export const forbidden = (code: string, detail: string) => new AppError(403, code, detail)

/** Uses the same words for a resource that never existed and for one in another project. */
export const notFound = (what: string, id: string | number) =>
  new AppError(404, 'not_found', `There is no ${what} "${id}" in this project. Check the value, or list what is there.`)

/** A 404 for an unknown id in a body. Also names the field. */
export const fieldNotFound = (what: string, id: string | number, pointer: string) =>
  new AppError(404, 'not_found', `There is no ${what} "${id}" in this project. Check the value of "${pointer}".`, {
    extra: { errors: [{ pointer, detail: `There is no ${what} "${id}" in this project.` }] },
  })

export const conflict = (code: string, detail: string, extra: Record<string, unknown> = {}) =>
  new AppError(409, code, detail, { extra })

export const preconditionFailed = (currentEtag: string, extra: Record<string, unknown> = {}) =>
  new AppError(
    412,
    'precondition_failed',
    `This was changed since you read it: "If-Match" no longer matches. Read it again (its ETag is now ${currentEtag}), redo your change on that and send it with the new ETag.`,
    { extra: { current_etag: currentEtag, ...extra } },
  )

export function invalid(errors: FieldError[], code = 'invalid_request'): AppError {
  const [first, ...more] = errors
  const where = first?.pointer ? `"${first.pointer}": ` : ''
  const rest = more.length > 0 ? ` (and ${more.length} more, see "errors")` : ''
  return new AppError(422, code, `${where}${first?.detail ?? 'The request is not valid.'}${rest}`, {
    extra: { errors },
  })
}

export const unavailable = (code: string, detail: string, retryAfterSeconds = 1) =>
  new AppError(503, code, detail, { headers: { 'retry-after': String(retryAfterSeconds) } })

/** Only the operator can fix it, so a quick retry is pointless. */
export const storageFull = (what: string) =>
  new AppError(507, 'storage_full', `${what} has no space left; nothing was changed. Tell the operator.`, {
    headers: { 'retry-after': '60' },
  })

/** Quotes a value from a client for a message and shortens it. */
export function quoted(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return `"${cut(String(value), 80).toWellFormed()}"`
}
