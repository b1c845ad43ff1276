import type { Shape } from './shape.ts'
import { problem } from './shapes.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body as JSON, if it is. */
  // biome-ignore lint/suspicious/noExplicitAny: the checks find out what it is.
  body: any
}

export interface Request {
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string
  form?: FormData
  headers?: Record<string, string>
  /** Another key than the one of the project, or none. */
  key?: string | null
}

const EXTERNAL = '/v2/external-api'

/** Sends requests and keeps nothing: what an answer means is for the checks. */
export class ServerUnderTest {
  readonly url: string
  readonly key: string
  readonly reportingKey: string | undefined

  constructor(url: string, key: string, reportingKey?: string) {
    this.url = url.replace(/\/+$/, '')
    this.key = key
    this.reportingKey = reportingKey
  }

  async send(method: string, path: string, request: Request = {}): Promise<Answer> {
    const { body, raw, form, headers = {}, key = this.key } = request
    const sent = form ?? raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(this.url + (path.startsWith('/v') ? path : EXTERNAL + path), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(sent !== undefined && !form ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await response.text()
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? parse(text) : undefined }
  }

  get = (path: string, request?: Request) => this.send('GET', path, request)
  post = (path: string, body: unknown, request?: Request) => this.send('POST', path, { ...request, body })
  patch = (path: string, body: unknown, request?: Request) => this.send('PATCH', path, { ...request, body })
  put = (path: string, body: unknown, request?: Request) => this.send('PUT', path, { ...request, body })
  delete = (path: string, request?: Request) => this.send('DELETE', path, request)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the answer if it has this status, and the body has the shape. */
export function expectAnswer(answer: Answer, status: number, shape?: Shape): Answer {
  if (answer.status !== status)
    throw new Error(`the status is ${answer.status}, not ${status}: ${excerpt(answer.text)}`)
  const faults = shape?.(answer.body, 'body') ?? []
  if (faults.length > 0) throw new Error(faults.slice(0, 5).join('; '))
  return answer
}

export function expectEmpty(answer: Answer): void {
  expectAnswer(answer, 204)
  if (answer.text !== '') throw new Error(`the body is not empty: ${excerpt(answer.text)}`)
}

/** A problem answer of this status, with this code if there is one. */
export function expectProblem(answer: Answer, status: number, code?: string): Answer {
  expectAnswer(answer, status, problem)
  const type = answer.headers.get('content-type') ?? ''
  if (!type.includes('application/problem+json')) throw new Error(`the content type is "${type}"`)
  if (answer.body.status !== status) throw new Error(`the body says status ${answer.body.status}`)
  if (code) expectEqual(answer.body.code, code, 'code')
  if (status === 422 && !Array.isArray(answer.body.errors)) throw new Error('a 422 names no fields in "errors"')
  return answer
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(
      `${what} is ${excerpt(JSON.stringify(actual) ?? 'missing')}, not ${excerpt(JSON.stringify(expected))}`,
    )
}

export function expectThat(isTrue: unknown, fault: string): void {
  if (!isTrue) throw new Error(fault)
}

const excerpt = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
