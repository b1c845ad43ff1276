/** Tells a person why a request to a model failed. Never contains the prompt or a key. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  /** Set if a later retry may help. 0 if the model did not say how long to wait. */
  readonly retryAfterMs: number | undefined
  /** The same request may well succeed later. */
  readonly isTransient: boolean

  constructor(message: string, { retryAfterMs, isTransient }: { retryAfterMs?: number; isTransient?: boolean } = {}) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isTransient = isTransient ?? retryAfterMs !== undefined
  }
}

interface ApiError {
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
  message: string
  name: string
  cause?: unknown
}

/** Translates an error from a model. `begun` is true if part of the answer had already arrived. */
export function toModelFailure(err: unknown, name: string, begun: boolean): ModelFailure {
  if (err instanceof ModelFailure) return err
  const { statusCode, responseHeaders, message } = err as ApiError
  if (begun)
    return new ModelFailure(`The answer of the model "${name}" broke off in the middle (${short(message)}).`, {
      isTransient: true,
    })
  const words = serverMessage(err as ApiError)
  if (statusCode === undefined) return connectionFailure(err as ApiError, name)
  if (statusCode === 401 || statusCode === 403)
    return new ModelFailure(
      `The model's server refuses the key it was given (${statusCode}). Tell the operator to check it.`,
    )
  if (statusCode === 404)
    return new ModelFailure(`The model's server knows no model "${name}" (404${words}). Choose another one.`)
  if (statusCode === 429)
    return new ModelFailure(`The model "${name}" is asked too often or has no quota left (429${words}).`, {
      retryAfterMs: retryDelayMs(responseHeaders),
    })
  if (statusCode >= 500)
    return new ModelFailure(`The model "${name}" failed (${statusCode}${words}).`, {
      retryAfterMs: retryDelayMs(responseHeaders),
    })
  if (statusCode === 200)
    return new ModelFailure(`The model "${name}" answered with something that is not an answer (${short(message)}).`)
  return new ModelFailure(`The model "${name}" refused the request (${statusCode}${words}).`)
}

function connectionFailure(err: ApiError, name: string): ModelFailure {
  const reason = short(rootMessage(err))
  if (err.name === 'AI_APICallError')
    return new ModelFailure(`The model "${name}" cannot be reached (${reason}).`, { retryAfterMs: 0 })
  return new ModelFailure(`The model "${name}" answered with something that is not an answer (${reason}).`)
}

function rootMessage(err: ApiError): string {
  let root: { message?: string; code?: string; cause?: unknown } = err
  for (let depth = 0; depth < 5 && root.cause instanceof Error; depth++) root = root.cause
  return root.code ?? root.message ?? 'no reason given'
}

/** Returns the error message of the server, if its body has one. */
function serverMessage({ responseBody = '' }: ApiError): string {
  try {
    const body = JSON.parse(responseBody) as { error?: { message?: unknown } | string; message?: unknown }
    const said = typeof body.error === 'object' ? body.error?.message : (body.error ?? body.message)
    return typeof said === 'string' ? `: ${short(said)}` : ''
  } catch {
    return ''
  }
}

/** Reads `Retry-After` in seconds or as a date, or the more precise header that some servers send. */
function retryDelayMs(headers: Record<string, string> = {}): number {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (ms >= 0) return ms
  const after = headers['retry-after']
  if (after === undefined) return 0
  const seconds = Number(after)
  const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1_000
  return wait > 0 ? wait : 0
}

/** Shortens a text to one readable line. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
