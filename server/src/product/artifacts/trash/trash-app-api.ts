import { Type } from 'typebox'
import { answerData } from '../../../kernel/http/answers/etag.ts'
import { operation } from '../../../kernel/http/operation.ts'
import { answerPage, offsetOf, Paged, PageQuery } from '../../../kernel/http/paging.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Empty, Items, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { TYPES } from '../artifact.ts'
import { doEach, Ids, Outcomes } from '../batches.ts'
import { representArtifact } from '../representation.ts'
import { ArtifactData, ArtifactParams } from '../schema.ts'
import { listEarlierContents, restoreContent } from './earlier-contents.ts'
import { deleteForever, restoreArtifact, trashArtifact } from './trash.ts'
import { KEPT_DAYS, listTrashed, type Trashed } from './trash-queries.ts'

const tags = ['Artifacts']

const TrashedArtifact = named(
  'TrashedArtifact',
  Type.Object({
    id: Uuid,
    name: Type.String({ examples: ['personas.md'] }),
    type: OneOf(TYPES),
    folder_path: Type.String({ examples: ['research/2026'], description: 'The folders that it was in.' }),
    size_bytes: Nullable(Type.Integer({ examples: [1834] })),
    item_count: Type.Integer({ examples: [0], description: 'How much was deleted with a folder.' }),
    deleted_by_id: Nullable(Uuid),
    deleted_by: Type.String({ examples: ['Ada Lovelace'] }),
    deleted_at: Time,
  }),
)

const present = (one: Trashed) => ({
  id: one.id,
  name: one.name,
  type: one.type,
  folder_path: one.folderPath,
  size_bytes: one.sizeBytes,
  item_count: one.itemCount,
  deleted_by_id: one.deletedById,
  deleted_by: one.deletedBy,
  deleted_at: one.deletedAt,
})

/** The trash of the knowledge base. */
export function registerTrashRoutes(face: Face) {
  face.post(
    '/artifacts/batch_trash',
    operation({
      id: 'trashArtifacts',
      summary: 'Move several artifacts to the trash',
      description: `A folder goes with everything in it. All of it can be restored for ${KEPT_DAYS} days.`,
      tags,
      body: Type.Object({ ids: Ids }),
      answer: Outcomes,
    }),
    (req) => doEach(req.ctx, req.body.ids, trashArtifact),
  )

  face.post(
    '/artifacts/batch_restore',
    operation({
      id: 'restoreArtifacts',
      summary: 'Restore several artifacts from the trash',
      description: 'Each comes back under its old id, into its old folder or, if that is gone, into the root.',
      tags,
      body: Type.Object({ ids: Ids }),
      answer: Outcomes,
    }),
    (req) => doEach(req.ctx, req.body.ids, restoreArtifact),
  )

  face.get(
    '/artifacts/trash',
    operation({
      id: 'listTrashedArtifacts',
      summary: 'List what is in the trash, the newest first',
      tags,
      query: Type.Object(PageQuery),
      answer: Paged(TrashedArtifact),
    }),
    async (req, reply) => {
      const { db, actor } = req.ctx
      const page = { limit: req.query.page_size, offset: offsetOf(req.query) }
      const { rows, total } = await listTrashed(db, actor.projectId, page)
      return answerPage(req, reply, { rows: rows.map(present), total })
    },
  )

  face.get(
    '/artifacts/:artifact_id/earlier_contents',
    operation({
      id: 'listEarlierContents',
      summary: 'List what a file had before its content was replaced, the newest first',
      description: `Each is in the trash for ${KEPT_DAYS} days, as a file of its own.`,
      tags,
      params: ArtifactParams,
      answer: Items(TrashedArtifact),
    }),
    async (req) => ({ items: (await listEarlierContents(req.ctx, req.params.artifact_id)).map(present) }),
  )

  face.post(
    '/artifacts/:artifact_id/earlier_contents/:earlier_id/restore',
    operation({
      id: 'restoreEarlierContent',
      summary: 'Give a file an earlier content again',
      description: 'The content that it has now becomes an earlier one.',
      tags,
      params: Type.Object({ artifact_id: Uuid, earlier_id: Uuid }),
      answer: ArtifactData,
      etag: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const artifact = await restoreContent(req.ctx, req.params.artifact_id, req.params.earlier_id)
      return answerData(req, reply, representArtifact(artifact, req.ctx.store.bucket))
    },
  )

  face.delete(
    '/artifacts/trash/:artifact_id',
    operation({
      id: 'deleteTrashedArtifact',
      summary: 'Delete something in the trash for good',
      tags,
      params: ArtifactParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await deleteForever(req.ctx, req.params.artifact_id)
      return reply.code(204).send(null)
    },
  )
}
