import { errorOf, noAnswer, notJson, SlipwayError, tooSlow } from './errors.ts'
import type { Call, FollowOptions, Input, Meta, OperationId, Options, Upload } from './operation.ts'
import { randomKey } from './random-key.ts'
import { wait, waitBeforeRetry } from './retries.ts'
import { follow } from './streams.ts'
import { multipart, type Sending, sendWithProgress, tellsProgress } from './uploads.ts'

export interface TransportOptions {
  /** Where Slipway runs, such as `https://slipway.example.org`. Empty for the origin of the page. */
  baseUrl?: string | undefined
  /** Where the operations are: `/v2/external-api` or `/v2/app-api`. */
  prefix: string
  /** Sent with every request. */
  headers: Record<string, string>
  /** Named in addresses that a browser opens by itself. */
  projectId?: string | undefined
  timeoutMs?: number | undefined
  retries?: number | undefined
  fetch?: typeof fetch | undefined
  /** Names each request in the logs of the server, and in the changes that it makes. */
  requestId?: (() => string) | undefined
}

interface Prepared {
  method: string
  url: string
  /** Makes a new body for each attempt. */
  body(sending: Sending): { body?: BodyInit; headers: Record<string, string> }
  canRepeat: boolean
  isUpload: boolean
}

const TIMEOUT_MS = 30_000
const RETRIES = 2

export function createTransport(transport: TransportOptions): Call {
  const send = transport.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  const base = `${(transport.baseUrl ?? '').replace(/\/+$/, '')}${transport.prefix}`

  const named = () => (transport.requestId ? { 'x-request-id': transport.requestId() } : undefined)

  const prepare = (operation: string, input: AnyInput): Prepared => {
    const [method, path] = operation.split(' ') as [string, string]
    return {
      method,
      url: `${base}${filled(path, input.path)}${queryString(input.query)}`,
      body: (sending) => bodyOf(input, sending),
      canRepeat: !(input.form && !(input.form.file instanceof Blob)),
      isUpload: input.form !== undefined,
    }
  }

  async function attempt(prepared: Prepared, headers: Record<string, string>, options: Options, isLong: boolean) {
    // How long an upload takes depends on the file. The server ends those that stall.
    const timeoutMs = options.timeoutMs ?? transport.timeoutMs ?? (prepared.isUpload ? 0 : TIMEOUT_MS)
    const stop = new AbortController()
    const cancel = () => stop.abort(options.signal!.reason)
    options.signal?.throwIfAborted()
    options.signal?.addEventListener('abort', cancel, { once: true })
    const timer = timeoutMs > 0 ? setTimeout(() => stop.abort(tooSlow(timeoutMs)), timeoutMs) : undefined
    const { onProgress } = options
    const { body, headers: ofBody } = prepared.body({
      onProgress,
      signal: stop.signal,
      stop: (reason) => stop.abort(reason),
    })
    const init = {
      method: prepared.method,
      headers: { ...transport.headers, ...named(), ...ofBody, ...headers },
      signal: stop.signal,
    }
    try {
      const response =
        onProgress && tellsProgress && body instanceof FormData
          ? await sendWithProgress(prepared.url, { ...init, body }, onProgress)
          : await send(prepared.url, {
              ...init,
              ...(body === undefined ? {} : { body }),
              ...(body instanceof ReadableStream ? ({ duplex: 'half' } as object) : {}),
            })
      if (!response.ok) throw await errorOf(response)
      return { response, text: isLong ? '' : await response.text() }
    } catch (err) {
      if (stop.signal.aborted) throw stop.signal.reason
      throw err instanceof SlipwayError ? err : noAnswer(err)
    } finally {
      clearTimeout(timer)
      // The reader of a long answer can still abort it.
      if (!isLong) options.signal?.removeEventListener('abort', cancel)
    }
  }

  async function request(operation: string, input: AnyInput, options: Options, isLong: boolean) {
    const prepared = prepare(operation, input)
    const { method } = prepared
    const key = method === 'POST' ? (options.idempotencyKey ?? randomKey()) : undefined
    const headers = {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
      ...(options.range === undefined ? {} : { range: options.range }),
    }
    const retries = prepared.canRepeat ? (options.retries ?? transport.retries ?? RETRIES) : 0
    let mayBeDone = false
    for (let count = 0; ; count++) {
      try {
        return await attempt(prepared, headers, options, isLong)
      } catch (err) {
        // A lost attempt has deleted it.
        if (mayBeDone && method === 'DELETE' && err instanceof SlipwayError && err.status === 404) return undefined
        const retry = { method, hasKey: key !== undefined, isConditional: options.ifMatch !== undefined }
        const waitMs = count < retries ? waitBeforeRetry(err, count, retry) : undefined
        if (waitMs === undefined) throw err
        mayBeDone ||= (err as SlipwayError).status === 0
        await wait(waitMs, options.signal)
      }
    }
  }

  async function call(operation: string, input: AnyInput, options: Options = {}) {
    const answer = await request(operation, input, options, false)
    if (!answer)
      return { meta: { status: 204, etag: undefined, requestId: undefined, isReplayed: true, ignoredFields: [] } }
    return { ...parsed(answer), meta: metaOf(answer.response) }
  }

  return Object.assign(call, {
    async download(operation: string, input: AnyInput, options: Options = {}) {
      const { response } = (await request(operation, input, options, true))!
      return { response, meta: metaOf(response) }
    },
    stream: (operation: string, input: AnyInput, options: FollowOptions = {}) => {
      const connect = (headers: Record<string, string>, signal: AbortSignal | undefined) =>
        attempt(prepare(operation, input), headers, { signal }, true)
      return follow(connect, options)
    },
    urlOf(operation: string, input: AnyInput) {
      return prepare(operation, { ...input, query: { ...input.query, project_id: transport.projectId } }).url
    },
  }) as unknown as Call
}

function parsed({ response, text }: { response: Response; text: string }): object {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch (err) {
    throw notJson(response, err)
  }
}

type AnyInput = Pick<Input<OperationId>, 'query'> & { path?: object; body?: unknown; form?: Upload }

function filled(path: string, values: object = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((values as Record<string, unknown>)[name])),
  )
}

/** Lists repeat their name. What is undefined or null is left out. */
function queryString(query: object = {}): string {
  const pairs = Object.entries(query as Record<string, unknown>)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

function bodyOf({ body, form }: AnyInput, sending: Sending): { body?: BodyInit; headers: Record<string, string> } {
  if (form) return multipart(form, sending)
  if (body === undefined) return { headers: {} }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function metaOf({ status, headers }: Response): Meta {
  const ignored = headers.get('x-ignored-fields')
  return {
    status,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    isReplayed: headers.get('idempotency-replayed') === 'true',
    ignoredFields: ignored ? ignored.split(',').map((one) => decodeURIComponent(one.trim())) : [],
  }
}
