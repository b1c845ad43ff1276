import { Type } from 'typebox'
import { inSavepoint } from '../../../kernel/database/index.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Items, Nullable, named, OneOf, Uuid } from '../../../kernel/http/schema.ts'
import { createSearchQueue, limitStatements } from '../../../kernel/searches/search-queue.ts'
import { loadArtifact } from '../../../product/artifacts/index.ts'
import { RESOURCE_TYPES } from '../../../product/links/index.ts'
import { listUses } from './use-queries.ts'

const UseShape = named(
  'ArtifactUse',
  Type.Object({
    resource_type: OneOf(RESOURCE_TYPES),
    resource_id: Uuid,
    title: Type.String({ examples: ['Refunds'] }),
    number: Nullable(Type.Integer({ examples: [38] }), { description: 'Of a work order, a theme or a report.' }),
    status: Nullable(Type.String({ examples: ['in_progress'] })),
    place: OneOf(['connection', 'comment', 'text'] as const, {
      description: 'Connected to it, attached to or named in a comment, or named in its text.',
    }),
    line: Nullable(Type.Integer({ examples: [18] }), { description: 'Of the text of a document.' }),
  }),
)

const runSearch = createSearchQueue('Try again when fewer searches run.')

/** What a file of the knowledge base is used in. */
export function registerUseRoute(face: Face) {
  face.get(
    '/artifacts/:artifact_id/uses',
    operation({
      id: 'listArtifactUses',
      summary: 'List what an artifact is used in',
      description: 'What is connected to it, the comments it is attached to, and the texts that refer to its content.',
      tags: ['Artifacts'],
      params: Type.Object({ artifact_id: Uuid }),
      answer: Items(UseShape),
    }),
    async (req) => {
      const { ctx } = req
      const { projectId } = ctx.actor
      const { id, name } = await loadArtifact(ctx, req.params.artifact_id)
      const uses = await runSearch({ projectId, query: name }, ({ leftMs }) =>
        inSavepoint(ctx, async ({ db }) => {
          await limitStatements(db, leftMs())
          return listUses(db, projectId, id)
        }),
      )
      const items = uses.map(({ resourceType, resourceId, ...rest }) => ({
        resource_type: resourceType,
        resource_id: resourceId,
        ...rest,
      }))
      return { items }
    },
  )
}
