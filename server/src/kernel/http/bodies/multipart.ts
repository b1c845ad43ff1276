import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, type FieldError, invalid } from '../../errors.ts'
import { newKey, type Store } from '../../storage/index.ts'
import { usableMediaType } from '../media-type.ts'
import { unsupportedMediaType } from './body.ts'
import type { BodyMemory } from './budget.ts'
import { type Deadlines, startBodyClock } from './deadlines.ts'
import { boundaryOf, malformedMultipart, type Part, parametersOf, readParts } from './multipart-parts.ts'

/** The `file` in the body of a route. Its bytes are already stored; the row that references the key owns them. */
export interface UploadedFile {
  key: string
  /** The last segment of the client's file name, or undefined if it is unusable. */
  fileName: string | undefined
  contentType: string
  size: number
  sha256: string
}

/** The schema of the `file` part of a multipart body. */
export const FilePart = Type.Unsafe<UploadedFile>({
  type: 'object',
  'x-shown-as': { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file itself.' },
})

export interface UploadOptions {
  store: Store
  uploadLimitBytes: number
}

const MAX_PARTS = 50
const MAX_FIELD_BYTES = 64 * 1024
/** About what a piece of a field occupies besides its bytes. */
const PIECE_BYTES = 200
/** The allowance for everything around the file: other fields, headers and boundaries. */
const ENVELOPE_BYTES = 1024 * 1024

/**
 * Accepts uploads on routes that set `config.upload`. Streams the file to the store. The fields and a description of
 * the stored file form the body, which the schema of the route validates like any other.
 */
export function acceptMultipart(app: FastifyInstance, { store, uploadLimitBytes }: UploadOptions): void {
  app.decorate('uploadLimitBytes', uploadLimitBytes)
  // A hook reads the body, not this parser: if a parser fails, Fastify closes the connection on a client that is still
  // sending, which then never sees the response.
  app.addContentTypeParser('multipart/form-data', (req, _payload, done) => {
    done(req.routeOptions.config.upload === undefined ? unsupportedMediaType() : null, undefined)
  })

  app.addHook('onRoute', (route) => {
    const place = route.config?.upload
    if (route.method === 'HEAD' || place === undefined) return
    const readUpload = async (req: FastifyRequest) => {
      if (!isMultipart(req)) return
      const key = newKey(store, place, req.ctx.actor.projectId)
      req.body = await readForm(req, { store, uploadLimitBytes: limitOf(req), key })
      req.storedKey = (req.body as { file?: UploadedFile }).file?.key
    }
    route.preParsing = [refuseAnnounced, ...[route.preParsing ?? []].flat()] as never
    route.preValidation = [readUpload, ...[route.preValidation ?? []].flat()] as never
    route.onResponse = [removeUnused, ...[route.onResponse ?? []].flat()] as never
  })

  // A client that sends `Expect: 100-continue` is not told to continue with more than the server accepts.
  app.server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    if (!isTooLong(req, uploadLimitBytes)) res.writeContinue()
    app.server.emit('request', req, res)
  })

  const limitOf = (req: FastifyRequest) =>
    Math.min(uploadLimitBytes, req.routeOptions.config.uploadLimitBytes ?? uploadLimitBytes)
  const isTooLong = (req: IncomingMessage, limit: number) =>
    Number(req.headers['content-length'] ?? 0) > limit + ENVELOPE_BYTES

  function refuseAnnounced(req: FastifyRequest, _reply: FastifyReply, _payload: Readable, done: (err?: Error) => void) {
    if (!isMultipart(req)) return done()
    done(isTooLong(req.raw, limitOf(req)) ? tooLarge(limitOf(req)) : undefined)
  }

  /**
   * Removes the file after a refusal, a full disk or a replayed response, none of which has written a row. After any
   * other server error it is unknown whether a row exists. The sweeper resolves that later, because it checks the rows.
   */
  function removeUnused(req: FastifyRequest, reply: FastifyReply, done: () => void) {
    const refused = (reply.statusCode >= 400 && reply.statusCode < 500) || reply.statusCode === 507
    if (req.storedKey && (refused || reply.getHeader('idempotency-replayed') === 'true'))
      store
        .remove([req.storedKey])
        .catch((err) => req.log.warn({ request_id: req.id, err }, 'an unused upload could not be removed'))
    done()
  }
}

async function readForm(
  req: FastifyRequest,
  { store, uploadLimitBytes, key }: UploadOptions & { key: string },
): Promise<Record<string, unknown>> {
  const boundary = boundaryOf(req.headers['content-type'] ?? '')
  const body: Record<string, unknown> = Object.create(null)
  const faults: FieldError[] = []
  let parts = 0
  try {
    for await (const part of readParts(bounded(req.raw, uploadLimitBytes, req.server.bodyDeadlines), boundary)) {
      if (++parts > MAX_PARTS) throw malformedMultipart(`The body has more than ${MAX_PARTS} parts.`)
      const name = nameOf(part)
      const fault = (detail: string) => faults.push({ pointer: `/${name}`, detail })
      const isAgain = Object.hasOwn(body, name)
      if (isAgain) fault(`"${name}" is there more than once. Send it once.`)
      if (isAgain) await drain(part)
      else if (name === 'file') {
        req.bodyMemory?.take(store.writeBufferBytes)
        body.file = await storeFile(part, store, key, uploadLimitBytes)
      } else {
        const text = await textOf(part, req.bodyMemory)
        if (text === undefined) fault(`It is longer than ${MAX_FIELD_BYTES} bytes.`)
        body[name] = text
      }
    }
    if (faults.length > 0) throw invalid(faults)
    return body
  } catch (err) {
    if (body.file) await store.remove([key])
    throw err
  } finally {
    // The rest of the request must be consumed in every case. A client that is still sending would never read the
    // response.
    req.raw.resume()
  }
}

/**
 * Yields the chunks of an upload and enforces the limits on size and speed. Leaves the connection open for a response.
 */
async function* bounded(
  payload: Readable,
  uploadLimitBytes: number,
  deadlines: Deadlines,
): AsyncGenerator<Buffer, void, void> {
  const chunks = payload.iterator({ destroyOnReturn: false })
  let late: AppError | undefined
  let refuseNext = (_err: AppError) => {}
  const clock = startBodyClock(deadlines, (err) => {
    late = err
    refuseNext(err)
  })
  // One promise per chunk: racing against one long-lived promise would keep every chunk in memory until the end.
  const nextChunk = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      refuseNext = reject
      if (late) reject(late)
      else chunks.next().then(resolve, reject)
    })
  let size = 0
  try {
    for (;;) {
      const { done, value: chunk } = await nextChunk()
      if (done) return
      clock.count(chunk.length)
      size += chunk.length
      if (size > uploadLimitBytes + ENVELOPE_BYTES) throw tooLarge(uploadLimitBytes)
      clock.pause()
      yield chunk
      clock.resume()
    }
  } catch (err) {
    if (err instanceof AppError) throw err
    throw new AppError(400, 'upload_aborted', 'The upload stopped before its end. Send it again.')
  } finally {
    clock.stop()
    const returned = chunks.return?.()
    // Ending the iterator would first wait for a chunk that never arrives.
    if (!late) await returned
  }
}

async function storeFile(part: Part, store: Store, key: string, uploadLimitBytes: number): Promise<UploadedFile> {
  async function* limited() {
    let size = 0
    for await (const piece of part.body) {
      size += piece.length
      if (size > uploadLimitBytes) throw tooLarge(uploadLimitBytes)
      yield piece
    }
  }
  const { size, sha256 } = await store.write(key, Readable.from(limited(), { objectMode: false }))
  const contentType = usableMediaType(part.headers.get('content-type'))
  return comparedByContent({ key, fileName: fileNameOf(part), contentType, size, sha256 })
}

/** Compares a repeated request by the content of its file, because its key differs each time. */
function comparedByContent(file: UploadedFile): UploadedFile {
  return Object.defineProperty(file, 'toJSON', { value: () => ({ sha256: file.sha256 }) })
}

/**
 * For a route with `config.upload` that stores a file itself. The file is removed like an upload if it is not needed.
 */
export function removeIfUnused(req: FastifyRequest, file: Omit<UploadedFile, 'fileName'>): UploadedFile {
  req.storedKey = file.key
  return comparedByContent({ ...file, fileName: undefined })
}

function nameOf(part: Part): string {
  const disposition = part.headers.get('content-disposition') ?? ''
  const name = /^form-data\s*(;|$)/i.test(disposition) ? parametersOf(disposition).get('name') : undefined
  if (!name) throw malformedMultipart('A part has no header \'Content-Disposition: form-data; name="…"\'.')
  return name
}

/** Keeps only the part after the last slash. The path describes the sender's machine. */
function fileNameOf(part: Part): string | undefined {
  const parameters = parametersOf(part.headers.get('content-disposition') ?? '')
  const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '')?.[1]
  const sent = extended === undefined ? parameters.get('filename')?.replaceAll('%22', '"') : decoded(extended)
  const name = sent?.replace(/^.*[/\\]/s, '')
  return name === undefined || /^\.{0,2}$/.test(name) ? undefined : name
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns undefined if the field is too long. */
async function textOf(part: Part, memory: BodyMemory | undefined): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of part.body) {
    size += piece.length
    if (size > MAX_FIELD_BYTES) continue
    memory?.take(piece.length + PIECE_BYTES)
    pieces.push(piece)
  }
  return size <= MAX_FIELD_BYTES ? Buffer.concat(pieces).toString('utf8') : undefined
}

async function drain(part: Part): Promise<void> {
  for await (const _piece of part.body);
}

const isMultipart = (req: FastifyRequest) => /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')

const tooLarge = (uploadLimitBytes: number) =>
  new AppError(413, 'body_too_large', `A file may have at most ${uploadLimitBytes} bytes. Send a smaller one.`)
