import { Type } from 'typebox'
import { ExpectedTitle } from '../../../kernel/expected.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, OneOf, Title, Uuid } from '../../../kernel/http/schema.ts'
import { Label, Phase, PhaseItems } from '../schema.ts'
import { LABEL_COLORS, presentLabel, presentPhase } from '../work-order.ts'
import { addLabel, changeLabel, deleteLabel } from './labels.ts'
import { addPhase, deletePhase, renamePhase, reorderPhases } from './phases.ts'

const tags = ['Work orders']
const PhaseTitle = Title({ examples: ['Launch'] })
const LabelTitle = Title({ examples: ['checkout'] })
const PhaseParams = Type.Object({ phase_id: Uuid })
const LabelParams = Type.Object({ label_id: Uuid })

/** The phases and labels of the project. */
export function registerPlanningRoutes(face: Face) {
  face.post(
    '/work_orders/phases',
    operation({
      id: 'addPhase',
      summary: 'Add a phase, as the last one',
      tags,
      body: Type.Object({ title: PhaseTitle }),
      answers: { 201: Data(Phase) },
    }),
    async (req, reply) => {
      reply.code(201)
      return { data: presentPhase(await addPhase(req.ctx, req.body)) }
    },
  )

  face.put(
    '/work_orders/phases/order',
    operation({
      id: 'reorderPhases',
      summary: 'Number the phases in this order',
      tags,
      body: Type.Object({
        phase_ids: Type.Array(Uuid, { maxItems: 1_000, description: 'Each phase of the project, once.' }),
      }),
      answer: PhaseItems,
    }),
    async (req) => ({ items: (await reorderPhases(req.ctx, req.body.phase_ids)).map(presentPhase) }),
  )

  face.patch(
    '/work_orders/phases/:phase_id',
    operation({
      id: 'renamePhase',
      summary: 'Rename a phase',
      tags,
      params: PhaseParams,
      body: Type.Object({ title: PhaseTitle, expected_title: ExpectedTitle }),
      answer: Data(Phase),
      refuses: [412],
    }),
    async (req) => {
      const { title, expected_title } = req.body
      return { data: presentPhase(await renamePhase(req.ctx, req.params.phase_id, title, expected_title)) }
    },
  )

  face.delete(
    '/work_orders/phases/:phase_id',
    operation({
      id: 'deletePhase',
      summary: 'Delete a phase',
      description: 'The phases after it get the numbers that follow.',
      tags,
      params: PhaseParams,
      query: Type.Object({
        move_to: Type.Optional(
          Type.String({
            pattern: '^(none|[0-9a-fA-F-]{36})$',
            description: 'Where its work orders go: the id of a phase, or `none`. Needed if it has any.',
            examples: ['none'],
          }),
        ),
      }),
      answers: { 204: Empty },
      refuses: [409],
    }),
    async (req, reply) => {
      const { move_to } = req.query
      await deletePhase(req.ctx, req.params.phase_id, move_to === 'none' ? null : move_to?.toLowerCase())
      return reply.code(204).send(null)
    },
  )

  face.post(
    '/work_orders/labels',
    operation({
      id: 'addLabel',
      summary: 'Add a label',
      tags,
      body: Type.Object({ title: LabelTitle, color: OneOf(LABEL_COLORS, { default: 'gray' }) }),
      answers: { 201: Data(Label) },
    }),
    async (req, reply) => {
      reply.code(201)
      return { data: presentLabel(await addLabel(req.ctx, req.body)) }
    },
  )

  face.patch(
    '/work_orders/labels/:label_id',
    operation({
      id: 'updateLabel',
      summary: 'Rename, recolor or archive a label',
      tags,
      params: LabelParams,
      body: Type.Partial(
        Type.Object({
          title: LabelTitle,
          expected_title: ExpectedTitle,
          color: OneOf(LABEL_COLORS),
          archived: Type.Boolean({ description: 'Kept on the work orders that have it.', examples: [false] }),
        }),
      ),
      answer: Data(Label),
      refuses: [409, 412],
    }),
    async (req) => {
      const { expected_title, ...change } = req.body
      return { data: presentLabel(await changeLabel(req.ctx, req.params.label_id, change, expected_title)) }
    },
  )

  face.delete(
    '/work_orders/labels/:label_id',
    operation({
      id: 'deleteLabel',
      summary: 'Delete a label and take it off every work order',
      tags,
      params: LabelParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await deleteLabel(req.ctx, req.params.label_id)
      return reply.code(204).send(null)
    },
  )
}
