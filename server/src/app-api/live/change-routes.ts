import { Type } from 'typebox'
import type { Face } from '../../kernel/http/request.ts'
import { Nullable, Uuid } from '../../kernel/http/schema.ts'
import { ChangeShape, maySee, presentChange } from './change.ts'
import { listChanges } from './queries.ts'

const Place = { pattern: '^\\d{1,18}$', examples: ['4711'] }

/** What happened in a project, or to one thing in it. */
export function registerChangeRoutes(face: Face) {
  face.get(
    '/changes',
    {
      schema: {
        operationId: 'listChanges',
        summary: 'List what happened and who did it, newest first',
        tags: ['Session'],
        querystring: Type.Object({
          subject_id: Type.Optional(Uuid),
          before: Type.Optional(Type.String({ ...Place, description: 'The `next_before` of the answer before.' })),
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
        }),
        response: {
          200: Type.Object({
            items: Type.Array(ChangeShape),
            next_before: Nullable(Type.String({ ...Place, description: 'Null at the end.' })),
          }),
        },
      },
    },
    async (req) => {
      const { db, actor } = req.ctx
      const { subject_id, before, limit } = req.query
      const changes = await listChanges(db, actor.projectId, { subjectId: subject_id, before, limit })
      const reader = { userId: actor.userId!, role: actor.projectRole }
      return {
        // Leaves out what others keep private, so a page can be shorter than the limit.
        items: changes.filter((one) => maySee(reader, one)).map(presentChange),
        next_before: changes.length === limit ? String(changes.at(-1)!.id) : null,
      }
    },
  )
}
