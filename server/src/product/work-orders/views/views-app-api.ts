import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, FilledText, Items, Kind, named, Text, Uuid } from '../../../kernel/http/schema.ts'
import type { View } from './view-queries.ts'
import { addView, changeView, deleteView, listViews } from './views.ts'

const tags = ['Work orders']

const SavedView = named(
  'WorkOrderView',
  Type.Object({
    object: Kind('work_order_view'),
    id: Uuid,
    name: Type.String({ examples: ['Ready for agents'] }),
    query: Type.String({ examples: ['status=ready&group=phase'] }),
    shared: Type.Boolean({ examples: [true] }),
    owner_id: Uuid,
  }),
)

const values = {
  name: FilledText(100, { examples: ['Ready for agents'] }),
  query: Text(2_000, {
    description: 'The query of the address that shows the list: filters, order, groups and layout.',
    examples: ['status=ready&group=phase'],
  }),
}
const Shared = Type.Boolean({ description: 'Shown to every member of the project.', examples: [true] })
const Params = Type.Object({ view_id: Uuid })

const presentView = ({ id, name, query, shared, ownerId }: View) => ({
  object: 'work_order_view' as const,
  id,
  name,
  query,
  shared,
  owner_id: ownerId,
})

/** Lists of work orders that people keep under a name. */
export function registerViewRoutes(face: Face) {
  face.get(
    '/work_orders/views',
    operation({
      id: 'listWorkOrderViews',
      summary: 'List your saved views and those that are shared',
      tags,
      answer: Items(SavedView),
    }),
    async (req) => ({ items: (await listViews(req.ctx)).map(presentView) }),
  )

  face.post(
    '/work_orders/views',
    operation({
      id: 'addWorkOrderView',
      summary: 'Save a view',
      tags,
      body: Type.Object({
        ...values,
        shared: Type.Boolean({
          default: false,
          description: 'Shown to every member of the project.',
          examples: [false],
        }),
      }),
      answers: { 201: Data(SavedView) },
    }),
    async (req, reply) => {
      reply.code(201)
      return { data: presentView(await addView(req.ctx, req.body)) }
    },
  )

  face.patch(
    '/work_orders/views/:view_id',
    operation({
      id: 'updateWorkOrderView',
      summary: 'Rename, share or overwrite a view',
      tags,
      params: Params,
      body: Type.Partial(Type.Object({ ...values, shared: Shared })),
      answer: Data(SavedView),
    }),
    async (req) => ({ data: presentView(await changeView(req.ctx, req.params.view_id, req.body)) }),
  )

  face.delete(
    '/work_orders/views/:view_id',
    operation({ id: 'deleteWorkOrderView', summary: 'Delete a view', tags, params: Params, answers: { 204: Empty } }),
    async (req, reply) => {
      await deleteView(req.ctx, req.params.view_id)
      return reply.code(204).send(null)
    },
  )
}
