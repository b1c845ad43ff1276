import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attachmentNamed } from '../kernel/http/disposition.ts'
import { notModified } from '../kernel/http/etag.ts'
import type { Face } from '../kernel/http/request.ts'
import { rangeOf } from './byte-range.ts'
import { loadWithContent, readContent, type WithContent } from './content.ts'
import * as schema from './schema.ts'

const MOST_ATTEMPTS = 3

export function registerContentRoute(face: Face) {
  face.get(
    '/artifacts/:artifact_id/content',
    {
      config: { etag: true, refuses: [409, 416] },
      schema: {
        operationId: 'getArtifactContent',
        summary: 'Download the content',
        description: 'The bytes as they were uploaded. One `Range` is served; the `ETag` is their SHA-256.',
        tags: ['Artifacts'],
        params: schema.ArtifactParams,
        response: { 200: schema.ArtifactContent, 206: schema.ArtifactContent },
      },
    },
    async (req, reply) => {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        if (await sendContent(req, reply, await loadWithContent(req.ctx, req.params.artifact_id))) return reply as never
      }
      throw new Error(`The bytes of artifact ${req.params.artifact_id} are gone.`)
    },
  )
}

/** False when the bytes were replaced between the row and the store. */
async function sendContent(req: FastifyRequest, reply: FastifyReply, artifact: WithContent): Promise<boolean> {
  const etag = `"${artifact.sha256}"`
  if (notModified(req, reply, etag)) {
    reply.send()
    return true
  }
  const size = artifact.sizeBytes
  const range = rangeOf(req, etag, size)
  const bytes = req.method === 'HEAD' ? Readable.from([]) : await readContent(req.ctx.store, artifact, range)
  if (!bytes) return false
  reply.headers({
    'accept-ranges': 'bytes',
    'content-type': artifact.contentType,
    'content-disposition': attachmentNamed(artifact.name),
    'content-length': range ? range.end - range.start + 1 : size,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.send(bytes)
  return true
}
