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
  override readonly name = 'SlipwayError'
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

/** Reads the problem details of a refusal. A proxy may have answered in words of its own. */
export async function errorOf(response: Response): Promise<SlipwayError> {
  const text = await response.text().catch(() => '')
  const waiting = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(waiting) ? waiting : undefined
  return new SlipwayError(problemIn(text) ?? unreadable(response), { retryAfter })
}

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
  new SlipwayError(
    { status: 0, code: 'network_error', detail: 'The server cannot be reached. Check the connection.' },
    { cause },
  )

export const tooSlow = (timeoutMs: number) =>
  new SlipwayError({ status: 0, code: 'timeout', detail: `The server did not answer within ${timeoutMs} ms.` })
