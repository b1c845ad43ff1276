import { Type } from 'typebox'
import type { Face } from '../kernel/http/request.ts'
import { Data, Items, OneOf, Time, Title, Uuid } from '../kernel/http/schema.ts'
import { addLabel } from './planning/labels.ts'
import { addPhase } from './planning/phases.ts'
import { listSigns } from './planning/sign-queries.ts'
import { Label, Phase } from './schema.ts'
import { LABEL_COLORS, presentLabel, presentPhase } from './work-order.ts'

const tags = ['Work orders']
const Sign = Type.Object({
  work_order_id: Uuid,
  updated_at: Time,
  comment_count: Type.Integer({ examples: [3] }),
})

/** What only people do in the web: see signs of life in lists, and add to the vocabulary of the project. */
export function registerOwnWorkOrderRoutes(face: Face) {
  face.get(
    '/work_orders/signs',
    {
      schema: {
        operationId: 'listWorkOrderSigns',
        summary: 'Say when each work order changed last and how many comments it has',
        tags,
        response: { 200: Items(Sign) },
      },
    },
    async (req) => ({ items: await listSigns(req.ctx.db, req.ctx.actor.projectId) }),
  )

  face.post(
    '/work_orders/phases',
    {
      schema: {
        operationId: 'addPhase',
        summary: 'Add a phase, as the last one',
        tags,
        body: Type.Object({ title: Title({ examples: ['Launch'] }) }),
        response: { 201: Data(Phase) },
      },
    },
    async (req, reply) => {
      reply.code(201)
      return { data: presentPhase(await addPhase(req.ctx, req.body)) }
    },
  )

  face.post(
    '/work_orders/labels',
    {
      schema: {
        operationId: 'addLabel',
        summary: 'Add a label',
        tags,
        body: Type.Object({
          title: Title({ examples: ['checkout'] }),
          color: OneOf(LABEL_COLORS, { default: 'gray' }),
        }),
        response: { 201: Data(Label) },
      },
    },
    async (req, reply) => {
      reply.code(201)
      return { data: presentLabel(await addLabel(req.ctx, req.body)) }
    },
  )
}
