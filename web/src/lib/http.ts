/** A refused request, with what the server said about it. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, code: string, detail: string, requestId?: string) {
    super(detail)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

export interface RequestOptions {
  projectId?: string | undefined
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

const ROOT = '/v2/app-api'

/** Sends a request with the session's cookie and returns the JSON of the answer. Throws a `Problem` if it is refused. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const url = new URL(ROOT + path, location.origin)
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value))
  const headers: Record<string, string> = { accept: 'application/json' }
  if (options.projectId) headers['x-project-id'] = options.projectId
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  let answer: Response
  try {
    answer = await fetch(url, {
      method,
      headers,
      ...(options.body !== undefined ? { body: JSON.stringify(options.body) } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    })
  } catch (err) {
    if ((err as Error).name === 'AbortError') throw err
    throw new Problem(0, 'offline', 'The server did not answer. Check the connection.')
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T
  throw await problemOf(answer)
}

async function problemOf(answer: Response): Promise<Problem> {
  const requestId = answer.headers.get('x-request-id') ?? undefined
  const told = (await answer.json().catch(() => undefined)) as { code?: string; detail?: string } | undefined
  const detail = told?.detail ?? `The server answered ${answer.status}.`
  return new Problem(answer.status, told?.code ?? 'unknown', detail, requestId)
}
