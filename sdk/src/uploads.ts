import type { Upload } from './operation.ts'

export interface UploadBody {
  body: FormData | ReadableStream<Uint8Array>
  headers: Record<string, string>
}

/** The fields come first, so that the server knows them when the file arrives. */
export function multipart({ fields, file, name, type }: Upload): UploadBody {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  if (!(file instanceof Blob)) return streamed(given, file, name, type)
  const body = new FormData()
  for (const [field, value] of given) body.set(field, value)
  body.set('file', type === undefined ? file : new Blob([file], { type }), name)
  return { body, headers: {} }
}

/** `FormData` would read the whole stream into memory first. */
function streamed(
  fields: [string, string][],
  file: ReadableStream<Uint8Array>,
  name: string,
  type?: string,
): UploadBody {
  const boundary = `slipway-${crypto.randomUUID()}`
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
    body: file.pipeThrough(around),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
