import { Type } from 'typebox'
import { compressAnswer } from '../../../kernel/http/answers/compression.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Items, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { PRIORITIES, STATUSES, TYPES } from '../work-order.ts'
import { findRowPosition, findTouched, listAssignees, listLeanRows } from './row-queries.ts'

/** Few enough to be written without holding up others. */
const PAGE = 2_500
const tags = ['Work orders']

const Row = named(
  'WorkOrderRow',
  Type.Object({
    id: Uuid,
    work_order_number: Type.Integer({ examples: [12] }),
    title: Type.String({ examples: ['Round the total once'] }),
    status: OneOf(STATUSES),
    priority: OneOf(PRIORITIES),
    type: OneOf(TYPES),
    phase_id: Nullable(Uuid),
    assignee_id: Nullable(Uuid),
    label_ids: Type.Array(Uuid),
    updated_at: Time,
    comment_count: Type.Integer({ examples: [3] }),
  }),
)

const Rows = Type.Object({
  items: Type.Array(Row),
  removed_ids: Type.Array(Uuid, { description: 'What is gone since `after`.' }),
  is_complete: Type.Boolean({ description: 'False if only what changed since `after` is listed.', examples: [true] }),
  next_below: Nullable(Type.Integer({ description: 'The `below` of the next request. Null at the end.' })),
  position: Type.String({ description: 'The `after` of the next request.', examples: ['4711'] }),
})

const Assignee = named(
  'Assignee',
  Type.Object({
    id: Uuid,
    name: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ examples: ['ada@example.org'] }),
    is_member: Type.Boolean({ description: 'False for someone who left the project.', examples: [true] }),
    is_agent: Type.Boolean({ description: 'Nobody can sign in with it; agents work under it.', examples: [false] }),
  }),
)

/** What the lists of the web hold in memory: every row, and later only what changed. */
export function registerRowRoutes(face: Face) {
  face.get(
    '/work_orders/rows',
    {
      onSend: compressAnswer,
      ...operation({
        id: 'listWorkOrderRows',
        summary: 'List work orders in short, newest first, or those that changed since',
        tags,
        query: Type.Object({
          after: Type.Optional(
            Type.String({ pattern: '^\\d{1,18}$', description: 'The `position` of an earlier answer.' }),
          ),
          below: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The `next_below` of the answer before.' }),
          ),
        }),
        answer: Rows,
      }),
    },
    async (req) => {
      const { db, actor } = req.ctx
      const { after, below } = req.query
      // Read before the rows, so that what happens in between is listed again rather than missed.
      const position = await findRowPosition(db, actor.projectId)
      const touched = after === undefined ? undefined : await findTouched(db, actor.projectId, after)
      const limit = touched ? touched.length : PAGE
      const items = await listLeanRows(db, actor.projectId, { ids: touched, below, limit })
      const found = new Set(items.map(({ id }) => id))
      const removed_ids = touched?.filter((id) => !found.has(id)) ?? []
      const next_below = !touched && items.length === PAGE ? items.at(-1)!.work_order_number : null
      return { items, removed_ids, is_complete: touched === undefined, next_below, position }
    },
  )

  face.get(
    '/work_orders/assignees',
    operation({
      id: 'listAssignees',
      summary: 'List the people and agents that work is or can be assigned to',
      tags,
      answer: Items(Assignee),
    }),
    async (req) => ({ items: await listAssignees(req.ctx.db, req.ctx.actor.projectId) }),
  )
}
