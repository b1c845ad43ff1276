import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Items } from '../../../kernel/http/schema.ts'
import { listClaims } from './claim-queries.ts'
import { ClaimShape, presentClaim } from './claims-external-api.ts'

/** What lists show of claims: which work orders agents are working on, and until when. */
export function registerClaimListRoute(face: Face) {
  face.get(
    '/work_orders/claims',
    operation({
      id: 'listWorkOrderClaims',
      summary: 'List the claims that hold now',
      tags: ['Work orders'],
      answer: Items(ClaimShape),
    }),
    async (req) => ({ items: (await listClaims(req.ctx.db, req.ctx.actor.projectId)).map(presentClaim) }),
  )
}
