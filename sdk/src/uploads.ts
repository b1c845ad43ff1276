import type { Options, Upload, UploadProgress } from './operation.ts'
import { randomKey } from './random-key.ts'

export interface UploadBody {
  body: FormData | ReadableStream<Uint8Array>
  headers: Record<string, string>
}

export interface Sending {
  onProgress?: Options['onProgress']
  /** Of the attempt. */
  signal: AbortSignal
  /** Ends the attempt, because the file cannot be read. */
  stop(reason: unknown): void
}

/** Browsers tell the progress of nothing but this, and most of them cannot send a stream. */
export const tellsProgress = typeof XMLHttpRequest !== 'undefined'

/** The fields come first, so that the server knows them when the file arrives. */
export function multipart({ fields, file, name, type }: Upload, sending: Sending): UploadBody {
  const { onProgress, signal } = sending
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  if (!(file instanceof Blob)) return streamed(given, counted(file, undefined, sending), { name, type, signal })
  if (onProgress && !tellsProgress)
    return streamed(given, counted(file.stream(), file.size, sending), {
      name,
      type: type ?? (file.type || undefined),
      signal,
    })
  const body = new FormData()
  for (const [field, value] of given) body.set(field, value)
  body.set('file', type === undefined ? file : new Blob([file], { type }), name)
  return { body, headers: {} }
}

/** `FormData` would read the whole stream into memory first. */
function streamed(
  fields: [string, string][],
  file: ReadableStream<Uint8Array>,
  { name, type, signal }: { name: string; type: string | undefined; signal: AbortSignal },
): UploadBody {
  const boundary = `slipway-${randomKey()}`
  const quoted = name.replace(/["\r\n]/g, (char) => encodeURIComponent(char))
  const before = fields
    .map(([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`)
    .join('')
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: ${
    type ?? 'application/octet-stream'
  }\r\n\r\n`
  const encoder = new TextEncoder()
  const around = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(before + opening)),
    flush: (controller) => controller.enqueue(encoder.encode(`\r\n--${boundary}--\r\n`)),
  })
  return {
    // Otherwise, Node reads an aborted stream to its end, for nobody.
    body: file.pipeThrough(around, { signal }),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

const PIECE_BYTES = 64 * 1024

/** Tells how much of a stream was taken to be sent. Hands it out in pieces, because a chunk may be the whole file. */
function counted(
  file: ReadableStream<Uint8Array>,
  totalBytes: number | undefined,
  { onProgress, stop }: Sending,
): ReadableStream<Uint8Array> {
  const reader = file.getReader()
  let rest: Uint8Array = new Uint8Array()
  let sentBytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (rest.byteLength === 0) {
          const { done, value } = await reader.read().catch((err) => {
            stop(err)
            throw err
          })
          if (done) return controller.close()
          rest = value
        }
        const piece = rest.subarray(0, PIECE_BYTES)
        rest = rest.subarray(PIECE_BYTES)
        sentBytes += piece.byteLength
        onProgress?.({ sentBytes, totalBytes })
        controller.enqueue(piece)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

interface Sent {
  method: string
  headers: Record<string, string>
  body: FormData
  signal: AbortSignal
}

/** Sends a form as `fetch` does, and tells the progress. For browsers. */
export function sendWithProgress(
  url: string,
  { method, headers, body, signal }: Sent,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const totalBytes = (body.get('file') as File).size
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress({ sentBytes: Math.min(loaded, totalBytes), totalBytes })
    request.onload = () => {
      const { status, statusText, responseText } = request
      const lines = request.getAllResponseHeaders().trim().split('\r\n')
      const answered = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
      resolve(new Response(status === 204 ? null : responseText, { status, statusText, headers: answered }))
    }
    request.onerror = () => reject(new TypeError('The request could not be sent.'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
