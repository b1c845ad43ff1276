import { Type } from 'typebox'
import { answerData } from '../../../kernel/http/answers/etag.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Markdown, named, Uuid } from '../../../kernel/http/schema.ts'
import { restoreArtifactVersion } from '../actions.ts'
import { representArtifact } from '../representation.ts'
import { ArtifactData } from '../schema.ts'
import { loadArtifactVersion } from './versions.ts'

const tags = ['Artifacts']
const params = Type.Object({ artifact_id: Uuid, version_id: Uuid })

const Version = named(
  'ArtifactVersion',
  Type.Object({
    version_id: Uuid,
    version_number: Type.Integer({ examples: [3] }),
    markdown_content: Markdown(),
  }),
)

/** The texts that a document has had. `app-api` lists them with who wrote each. */
export function registerVersionRoutes(face: Face) {
  face.get(
    '/artifacts/:artifact_id/versions/:version_id',
    operation({
      id: 'getArtifactVersion',
      summary: 'Read the text that a document had in a version',
      tags,
      params,
      answer: Data(Version),
    }),
    async (req) => {
      const version = await loadArtifactVersion(req.ctx, req.params.artifact_id, req.params.version_id)
      const { versionId, versionNumber, markdownContent } = version
      return { data: { version_id: versionId, version_number: versionNumber, markdown_content: markdownContent } }
    },
  )

  face.post(
    '/artifacts/:artifact_id/versions/:version_id/restore',
    operation({
      id: 'restoreArtifactVersion',
      summary: 'Write the text of an earlier version as a new one',
      description: 'What people are typing at the time is kept.',
      tags,
      params,
      answer: ArtifactData,
      etag: true,
    }),
    async (req, reply) => {
      const artifact = await restoreArtifactVersion(req.ctx, req.params.artifact_id, req.params.version_id)
      return answerData(req, reply, representArtifact(artifact, req.ctx.store.bucket))
    },
  )
}
