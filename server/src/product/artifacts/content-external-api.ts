import { sendStored } from '../../kernel/http/answers/stored-content.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { loadWithContent } from './content.ts'
import * as schema from './schema.ts'

const MOST_ATTEMPTS = 3

export function registerContentRoute(face: Face) {
  face.get(
    '/artifacts/:artifact_id/content',
    operation({
      id: 'getArtifactContent',
      summary: 'Download the content',
      description:
        'The bytes as they were uploaded. One `Range` is served; the `ETag` is their SHA-256. Texts refer to pictures and files with this path, so it also serves members who are signed in.',
      tags: ['Artifacts'],
      params: schema.ArtifactParams,
      answers: { 200: schema.ArtifactContent, 206: schema.ArtifactContent },
      etag: true,
      refuses: [409, 416],
      opensInBrowser: true,
    }),
    async (req, reply) => {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        const { contentKey: key, sizeBytes: size, ...rest } = await loadWithContent(req.ctx, req.params.artifact_id)
        if (await sendStored(req, reply, { ...rest, key, size })) return reply
      }
      throw new Error(`The bytes of artifact ${req.params.artifact_id} are gone.`)
    },
  )
}
