import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inertMediaType } from '../media-type.ts'
import { rangeOf } from './byte-range.ts'
import { attachmentHeader } from './disposition.ts'
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
 * Sends stored bytes as a download. Browsers never render them as a page of ours. Supports ranges and uses the SHA-256
 * as tag. Returns false if the key no longer exists.
 */
export async function sendStored(req: FastifyRequest, reply: FastifyReply, content: StoredContent): Promise<boolean> {
  const etag = `"${content.sha256}"`
  if (notModified(req, reply, etag)) {
    reply.send()
    return true
  }
  const { size } = content
  const range = rangeOf(req, etag, size)
  // Not every store can read an empty range.
  const isEmpty = req.method === 'HEAD' || size === 0
  const bytes = isEmpty ? Readable.from([]) : await req.ctx.store.read(content.key, range)
  if (!bytes) return false
  reply.headers({
    'accept-ranges': 'bytes',
    'content-type': inertMediaType(content.contentType),
    'content-disposition': attachmentHeader(content.name),
    'content-length': range ? range.end - range.start + 1 : size,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.send(bytes)
  return true
}
