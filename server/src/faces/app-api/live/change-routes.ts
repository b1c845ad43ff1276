import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Nullable, Uuid } from '../../../kernel/http/schema.ts'
import { ChangeShape, maySee, presentChange } from './change.ts'
import { listChanges } from './queries.ts'

const Place = { pattern: '^\\d{1,18}$', examples: ['4711'] }

/** What happened in a project, or to one thing in it. */
export function registerChangeRoutes(face: Face) {
  for (const [path, operationId] of [
    ['/changes', 'listChanges'],
    ['/events', 'listEvents'],
  ] as const)
    face.get(
      path,
      operation({
        id: operationId,
        summary: 'List what happened and who did it, newest first',
        tags: ['Session'],
        query: Type.Object({
          subject_id: Type.Optional(Uuid),
          kind: Type.Optional(Type.String({ maxLength: 200, examples: ['work_order.updated'] })),
          actor_id: Type.Optional({ ...Uuid, description: 'Who did it, or whom an agent or a key acted for.' }),
          run_id: Type.Optional({ ...Uuid, description: 'What this run of an automation did.' }),
          before: Type.Optional(Type.String({ ...Place, description: 'The `next_before` of the answer before.' })),
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
        }),
        answer: Type.Object({
          items: Type.Array(ChangeShape),
          next_before: Nullable(Type.String({ ...Place, description: 'Null at the end.' })),
        }),
      }),
      async (req) => {
        const { db, actor, wiring } = req.ctx
        const { subject_id, before, limit, kind, actor_id, run_id } = req.query
        const past = { subjectId: subject_id, before, limit, kind, userId: actor_id, runId: run_id?.toLowerCase() }
        const changes = await listChanges(db, actor.projectId, past)
        const reader = { userId: actor.userId!, role: actor.projectRole }
        return {
          // Leaves out what others keep private, so a page can be shorter than the limit.
          items: changes
            .filter((one) => maySee(wiring.events, reader, one))
            .map((one) => presentChange(wiring.events, one)),
          next_before: changes.length === limit ? String(changes.at(-1)!.id) : null,
        }
      },
    )
}
