export interface FieldError {
  /** A JSON pointer, such as `/title`. */
  pointer: string
  detail: string
}

interface Problem {
  status: number
  code: string
  detail: string
  errors?: FieldError[]
  request_id?: string
  current_etag?: string
}

/** The server refused the request, or could not be reached. */
export class SlipwayError extends Error {
  override readonly name: string = 'SlipwayError'
  /** The HTTP status. 0 if there was no answer. */
  readonly status: number
  /** Stable, for programs. Without an answer: `network_error` or `timeout`. */
  readonly code: string
  /** For people: what is wrong and what to do. */
  readonly detail: string
  /** The fields that are wrong, for a 422. */
  readonly errors: FieldError[]
  /** Names the request in the logs of the server. */
  readonly requestId: string | undefined
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined
  /** The entity tag that the thing has now, for a 412. */
  readonly currentEtag: string | undefined
  /** The whole answer, with what only this code has: `position` of an `invalid_regex`. */
  readonly problem: Readonly<Record<string, unknown>>

  constructor(problem: Problem, { retryAfter, cause }: { retryAfter?: number | undefined; cause?: unknown } = {}) {
    super(problem.detail, cause === undefined ? undefined : { cause })
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.request_id
    this.retryAfter = retryAfter
    this.currentEtag = problem.current_etag
    this.problem = { ...problem }
  }
}

/** The request cannot be read: 400. */
export class BadRequestError extends SlipwayError {
  override readonly name = 'BadRequestError'
}
/** The key or the session is not valid: 401. */
export class UnauthorizedError extends SlipwayError {
  override readonly name = 'UnauthorizedError'
}
/** The caller may not do this: 403. */
export class ForbiddenError extends SlipwayError {
  override readonly name = 'ForbiddenError'
}
/** There is no such thing, or the caller may not see it: 404. */
export class NotFoundError extends SlipwayError {
  override readonly name = 'NotFoundError'
}
/** The current state does not allow it: 409. */
export class ConflictError extends SlipwayError {
  override readonly name = 'ConflictError'
}
/** It was there, and is no more: 410. */
export class GoneError extends SlipwayError {
  override readonly name = 'GoneError'
}
/** It was changed since it was read: 412. `currentEtag` is the one now. */
export class PreconditionFailedError extends SlipwayError {
  override readonly name = 'PreconditionFailedError'
}
/** The body is too large: 413. */
export class TooLargeError extends SlipwayError {
  override readonly name = 'TooLargeError'
}
/** A field is wrong: 422. `errors` says which. */
export class ValidationError extends SlipwayError {
  override readonly name = 'ValidationError'
}
/** Too many requests: 429. `retryAfter` says when to come back. */
export class RateLimitError extends SlipwayError {
  override readonly name = 'RateLimitError'
}
/** The server failed, or cannot answer now: 500 and above. */
export class ServerError extends SlipwayError {
  override readonly name = 'ServerError'
}
/** There was no answer: status 0. `code` is `network_error` or `timeout`. */
export class NoAnswerError extends SlipwayError {
  override readonly name = 'NoAnswerError'
}

const BY_STATUS: Record<number, typeof SlipwayError> = {
  0: NoAnswerError,
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  413: TooLargeError,
  422: ValidationError,
  429: RateLimitError,
}

function typed(problem: Problem, more: { retryAfter?: number | undefined; cause?: unknown } = {}): SlipwayError {
  const Kind = BY_STATUS[problem.status] ?? (problem.status >= 500 ? ServerError : SlipwayError)
  return new Kind(problem, more)
}

/** Reads the problem details of a refusal. A proxy may have answered in words of its own. */
export async function errorOf(response: Response): Promise<SlipwayError> {
  const text = await response.text().catch(() => '')
  return typed(problemIn(text) ?? unreadable(response), { retryAfter: secondsIn(response.headers.get('retry-after')) })
}

/** A number of seconds, or a date, as proxies send it. */
function secondsIn(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN)
  const until = Number.isNaN(seconds) ? (Date.parse(retryAfter ?? '') - Date.now()) / 1_000 : seconds
  return Number.isFinite(until) ? Math.max(until, 0) : undefined
}

/** An answer that is no JSON, such as the page of a proxy that wants people to sign in. */
export const notJson = (response: Response, cause: unknown) =>
  new SlipwayError(
    { ...unreadable(response), detail: 'The answer is not JSON. Check the address: it may not be that of Slipway.' },
    { cause },
  )

function problemIn(text: string): Problem | undefined {
  try {
    const found = JSON.parse(text) as Partial<Problem> | null
    return typeof found?.code === 'string' && typeof found.detail === 'string' ? (found as Problem) : undefined
  } catch {
    return undefined
  }
}

const unreadable = ({ status, statusText, headers }: Response): Problem => ({
  status,
  code: 'unexpected_answer',
  detail: `The server answered ${status} ${statusText}.`.replace(' .', '.'),
  ...(headers.get('x-request-id') ? { request_id: headers.get('x-request-id')! } : {}),
})

export const noAnswer = (cause: unknown) =>
  typed({ status: 0, code: 'network_error', detail: 'The server cannot be reached. Check the connection.' }, { cause })

export const tooSlow = (timeoutMs: number) =>
  typed({ status: 0, code: 'timeout', detail: `The server did not answer within ${timeoutMs} ms.` })
