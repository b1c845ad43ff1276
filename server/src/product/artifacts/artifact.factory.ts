import type { Answer, Client } from '../../../test/harness.ts'

const BOUNDARY = 'factory-boundary'
let made = 0

interface Upload {
  content?: Buffer | string
  fileName?: string | null
  contentType?: string | null
  fields?: Record<string, string>
  headers?: Record<string, string>
}

/** Uploads a file as a browser would. Returns the whole response. */
export function upload(api: Client, { content = 'bytes', fileName, contentType, fields = {}, headers }: Upload = {}) {
  const name = fileName === undefined ? `file-${++made}.bin` : fileName
  const disposition = `Content-Disposition: form-data; name="file"${name === null ? '' : `; filename="${name}"`}`
  const type = contentType === null ? '' : `\r\nContent-Type: ${contentType ?? 'application/octet-stream'}`
  const body = Buffer.concat([
    ...Object.entries(fields).map(([field, value]) =>
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`),
    ),
    Buffer.from(`--${BOUNDARY}\r\n${disposition}${type}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  return api.post('/artifacts', body, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers })
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into artifacts freely
type Made = any

function created({ status, body }: Answer): Made {
  if (status !== 201) throw new Error(`POST /artifacts answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

export const createFile = async (api: Client, options: Upload = {}): Promise<Made> =>
  created(await upload(api, options))

export const createDocument = async (api: Client, values: Record<string, unknown> = {}): Promise<Made> =>
  created(await api.post('/artifacts', { name: `note-${++made}.md`, markdown_content: '# Note\n', ...values }))

export const createFolder = async (api: Client, values: Record<string, unknown> = {}): Promise<Made> =>
  created(await api.post('/artifacts', { name: `folder-${++made}`, type: 'folder', ...values }))

export const namesIn = async (api: Client, query = ''): Promise<string[]> =>
  (await api.get(`/artifacts?page_size=100${query}`)).body.items.map((one: { name: string }) => one.name)
