import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { usableMediaType } from '../media-type.ts'
import { rangeOf } from './byte-range.ts'
import { attachmentNamed } from './disposition.ts'
import { notModified } from './etag.ts'
import '../request.ts'

export interface StoredContent {
  key: string
  name: string
  contentType: string
  size: number
  sha256: string
}

/**
 * Sends bytes from the store as a download: never shown by a browser as a page of ours, in ranges, with their SHA-256 as
 * tag. False when there is nothing under the key any more.
 */
export async function sendStored(req: FastifyRequest, reply: FastifyReply, content: StoredContent): Promise<boolean> {
  const etag = `"${content.sha256}"`
  if (notModified(req, reply, etag)) {
    reply.send()
    return true
  }
  const { size } = content
  const range = rangeOf(req, etag, size)
  // Not every store can read a range of nothing.
  const isEmpty = req.method === 'HEAD' || size === 0
  const bytes = isEmpty ? Readable.from([]) : await req.ctx.store.read(content.key, range)
  if (!bytes) return false
  reply.headers({
    'accept-ranges': 'bytes',
    // What older versions stored may not fit into a header.
    'content-type': usableMediaType(content.contentType),
    'content-disposition': attachmentNamed(content.name),
    'content-length': range ? range.end - range.start + 1 : size,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.send(bytes)
  return true
}
