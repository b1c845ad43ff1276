import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { approveRequirement, changeRequirementState, loadApprovalState, withdrawApproval } from './actions.ts'
import { presentState, STATUSES } from './approval.ts'

const State = named(
  'RequirementState',
  Type.Object({
    status: OneOf(STATUSES),
    owner: Nullable(Type.Object({ id: Uuid, name: Type.String({ examples: ['Ada Lovelace'] }) })),
    approvals: Type.Array(
      Type.Object({
        id: Uuid,
        version_id: Uuid,
        version_number: Type.Integer({ examples: [12] }),
        user_id: Nullable(Uuid, { description: 'Null if that account is gone.' }),
        approved_by_name: Type.String({ examples: ['Ada Lovelace'] }),
        approved_at: Time,
      }),
      { description: 'Who approved which version, newest first.' },
    ),
  }),
)

const tags = ['Requirements']
const params = Type.Object({ document_id: Uuid })

/** Where a requirement stands, who answers for it, and who approved which version. */
export function registerApprovalRoutes(face: Face): void {
  face.get(
    '/requirements/:document_id/state',
    operation({
      id: 'getRequirementState',
      summary: 'Show the status, the owner and the approvals',
      tags,
      params,
      answer: Data(State),
    }),
    async (req) => ({ data: presentState(await loadApprovalState(req.ctx, req.params.document_id)) }),
  )

  face.patch(
    '/requirements/:document_id/state',
    operation({
      id: 'changeRequirementState',
      summary: 'Set the status or the owner',
      tags,
      params,
      body: Type.Partial(
        Type.Object({ status: OneOf(STATUSES), owner_id: Nullable(Uuid, { description: 'A member, or null.' }) }),
      ),
      answer: Data(State),
    }),
    async (req) => {
      const change = { status: req.body.status, ownerId: req.body.owner_id }
      return { data: presentState(await changeRequirementState(req.ctx, req.params.document_id, change)) }
    },
  )

  face.post(
    '/requirements/:document_id/approvals',
    operation({
      id: 'approveRequirement',
      summary: 'Approve the current version',
      description: '409 `changed_since` if the version that you name is not the current one any more.',
      tags,
      params,
      body: Type.Object({ version_id: Uuid }),
      answers: { 201: Data(State) },
    }),
    async (req, reply) => {
      const state = await approveRequirement(req.ctx, req.params.document_id, req.body.version_id)
      reply.code(201)
      return { data: presentState(state) }
    },
  )

  face.delete(
    '/requirements/:document_id/approvals/:approval_id',
    operation({
      id: 'withdrawRequirementApproval',
      summary: 'Withdraw an approval of your own',
      tags,
      params: Type.Object({ document_id: Uuid, approval_id: Uuid }),
      answer: Data(State),
    }),
    async (req) => ({
      data: presentState(await withdrawApproval(req.ctx, req.params.document_id, req.params.approval_id)),
    }),
  )
}
