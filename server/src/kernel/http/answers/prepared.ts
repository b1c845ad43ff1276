import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bestEncoding, type Encoding } from './compression.ts'
import { notModified } from './etag.ts'

/** An answer that is the same for everyone, with its compressed forms. A request for it costs no more than sending it. */
export interface Prepared {
  type: string
  /** Changes with the content. */
  tag: string
  encodings: Encoding[]
  read(encoding: Encoding | undefined): Buffer
}

/** Shorter answers gain nothing from being compressed. */
const WORTH_BYTES = 1_000
const COMPRESSIBLE = /^(text\/|application\/json|image\/svg)/
/** The best one takes a second for the largest documents, and saves a tenth more. */
const BROTLI_QUALITY = 9

const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
}

/** Compresses in another thread. */
export async function prepare(type: string, text: string | Buffer): Promise<Prepared> {
  const content = Buffer.from(text as string)
  const encodings: Encoding[] = COMPRESSIBLE.test(type) && content.length >= WORTH_BYTES ? ['br', 'gzip'] : []
  const compressed = await Promise.all(encodings.map((encoding) => compressors[encoding](content)))
  const forms = new Map(encodings.map((encoding, at) => [encoding, compressed[at]!]))
  return {
    type,
    tag: tagOf(content),
    encodings,
    read: (encoding) => (encoding && forms.get(encoding)) ?? content,
  }
}

export const tagOf = (content: Buffer) => hash('sha1', content, 'base64url')

/** Prepares each answer when it is first asked for. Call it only with names of things that exist: all are kept. */
export function prepareOnUse() {
  const known = new Map<string, Promise<Prepared>>()
  return (name: string, make: () => Promise<Prepared>): Promise<Prepared> => {
    const made = known.get(name) ?? make()
    known.set(name, made)
    made.catch(() => known.delete(name))
    return made
  }
}

/** Sends the smallest form that the client can read, or 304 if it has it already. */
export function sendPrepared(req: FastifyRequest, reply: FastifyReply, prepared: Prepared): FastifyReply {
  const encoding = bestEncoding(req.headers['accept-encoding'], prepared.encodings)
  reply.code(200).headers({ 'content-type': prepared.type, vary: 'Accept-Encoding' })
  if (notModified(req, reply, `"${prepared.tag}${encoding ? `-${encoding}` : ''}"`)) return reply.send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(prepared.read(encoding))
}
