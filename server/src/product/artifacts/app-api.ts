import { Type } from 'typebox'
import { answerData } from '../../kernel/http/answers/etag.ts'
import { FilePart } from '../../kernel/http/bodies/multipart.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Nullable, Uuid } from '../../kernel/http/schema.ts'
import { registerLiveStateRoute } from '../live-texts/index.ts'
import { changeArtifact, replaceContent } from './actions.ts'
import { STORE_PLACE } from './artifact.ts'
import { doEach, Ids, Outcomes } from './batches.ts'
import { registerBrowseRoutes } from './browsing/browse-app-api.ts'
import { loadFolder } from './folders.ts'
import { representArtifact } from './representation.ts'
import * as schema from './schema.ts'
import { registerTrashRoutes } from './trash/trash-app-api.ts'
import { registerUploadRoutes } from './uploads/uploads-app-api.ts'
import { registerVersionRoutes } from './versions/versions-app-api.ts'

const tags = ['Artifacts']

/** What only people do in the web: look through folders, move many things at once, and bring back what was deleted. */
export function registerOwnArtifactRoutes(face: Face) {
  registerBrowseRoutes(face)
  registerTrashRoutes(face)
  registerUploadRoutes(face)
  registerVersionRoutes(face)
  registerLiveStateRoute(face, {
    kind: 'artifact',
    path: '/artifacts',
    idParam: 'artifact_id',
    noun: 'Artifact',
    words: 'document of the knowledge base',
    tag: 'Artifacts',
  })

  face.post(
    '/artifacts/batch_move',
    operation({
      id: 'moveArtifacts',
      summary: 'Move several artifacts into a folder',
      description: 'Each is moved or refused, for example because its name is taken there.',
      tags,
      body: Type.Object({
        ids: Ids,
        parent_id: Nullable(Uuid, { description: 'The folder to move them to; null for the root.' }),
        expected_parent_id: Type.Optional(
          Nullable(Uuid, { description: 'Where they lie. One that somebody has moved since is refused.' }),
        ),
      }),
      answer: Outcomes,
      refuses: [404],
    }),
    async (req) => {
      const { ids, parent_id: parentId, expected_parent_id: expectedParentId } = req.body
      if (parentId !== null) await loadFolder(req.ctx, parentId)
      return doEach(req.ctx, ids, (ctx, id) => changeArtifact(ctx, id, { parentId, expectedParentId }))
    },
  )

  face.put(
    '/artifacts/:artifact_id/content',
    operation({
      id: 'replaceArtifactContent',
      summary: 'Replace the content of a file',
      description: 'The file keeps its id, name and connections.',
      tags,
      params: schema.ArtifactParams,
      body: { content: { 'multipart/form-data': { schema: Type.Object({ file: FilePart }) } } },
      answer: schema.ArtifactData,
      upload: STORE_PLACE,
      etag: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const { file } = req.body as { file: Parameters<typeof replaceContent>[2] }
      const artifact = await replaceContent(req.ctx, req.params.artifact_id, file)
      return answerData(req, reply, representArtifact(artifact, req.ctx.store.bucket))
    },
  )
}
