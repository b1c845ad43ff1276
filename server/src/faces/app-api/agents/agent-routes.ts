import { Type } from 'typebox'
import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Empty, Items, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { destinationOf, endApp, SCOPES } from '../../../product/oauth/index.ts'
import { mayManage, mayWrite, revokeKey } from '../../../product/projects/index.ts'
import { releaseClaimsOf } from '../../../product/work-orders/index.ts'
import { type AgentRow, CALL_DAYS, listAgents } from './agent-queries.ts'

const tags = ['Access']

const AgentShape = named(
  'ConnectedAgent',
  Type.Object({
    id: Uuid,
    type: OneOf(['app', 'key'], { description: 'A connected app, or an API key.' }),
    name: Type.String({ examples: ['Claude Code'] }),
    start: Nullable(Type.String({ examples: ['sofa-ext-h7Rk'] }), { description: 'The first characters of a key.' }),
    destination: Nullable(Type.String({ examples: ['claude.ai'] }), {
      description: 'Where an app was connected from.',
    }),
    scope: OneOf(SCOPES, { description: '`read` changes nothing.' }),
    acts_as: Type.Object({ id: Uuid, display_name: Type.String({ examples: ['Ada Lovelace'] }) }),
    created_at: Time,
    last_used_at: Nullable(Time),
    ended_at: Nullable(Time, { description: 'When it was revoked or expired.' }),
    last_call: Nullable(
      Type.Object({
        name: Type.String({ description: 'The tool, or the operation of the API.', examples: ['find_work_orders'] }),
        at: Time,
      }),
    ),
    calls: Type.Array(
      Type.Object({
        day: Type.String({ examples: ['2026-11-18'] }),
        calls: Type.Integer({ examples: [318] }),
      }),
      { description: `The last ${CALL_DAYS} days by UTC, today last. A call is counted within about a second.` },
    ),
    claims: Type.Array(
      Type.Object({
        work_order_id: Uuid,
        work_order_number: Type.Integer({ examples: [38] }),
        title: Type.String({ examples: ['Round the total once'] }),
        expires_at: Time,
      }),
      { description: 'What it has claimed now.' },
    ),
  }),
)

const presentAgent = (row: AgentRow) => ({
  id: row.id,
  type: row.type,
  name: row.name,
  start: row.start,
  destination: row.redirectUri && destinationOf(row.redirectUri),
  scope: row.scope,
  acts_as: { id: row.userId, display_name: row.userName },
  created_at: row.createdAt,
  last_used_at: row.lastUsedAt,
  ended_at: row.endedAt,
  last_call: row.lastCall !== null && row.lastCallAt !== null ? { name: row.lastCall, at: row.lastCallAt } : null,
  calls: row.calls,
  claims: row.claims.map(({ workOrderId, number, title, expiresAt }) => ({
    work_order_id: workOrderId,
    work_order_number: number,
    title,
    expires_at: expiresAt,
  })),
})

/** Ends the access of an app or a key, and gives back what it has claimed. */
const revokeAgent = (ctx: Ctx, id: string) =>
  inTransaction(ctx, async (ctx) => {
    if (!(await endApp(ctx, id))) await revokeKey(ctx, id)
    if (mayWrite(ctx.actor)) await releaseClaimsOf(ctx, id)
  })

/** Coding agents: what works here as a person, by a key or as a connected app. */
export function registerAgentRoutes(face: Face) {
  face.get(
    '/agents',
    operation({
      id: 'listAgents',
      summary: 'List connected apps and keys with their calls and claims',
      description:
        'Admins see all of the project, others their own. What has ended is listed for 30 days. Reporting keys are not listed.',
      tags,
      answer: Items(AgentShape),
    }),
    async ({ ctx: { db, actor } }) => {
      const rows = await listAgents(db, actor.projectId, mayManage(actor) ? undefined : actor.userId!)
      return { items: rows.map(presentAgent) }
    },
  )

  face.delete(
    '/agents/:agent_id',
    operation({
      id: 'revokeAgent',
      summary: 'End the access of a connected app or a key',
      description:
        'It takes effect with its next request. What it has claimed is ready for others again. Admins may revoke all, others their own.',
      tags,
      params: Type.Object({ agent_id: Uuid }),
      answers: { 204: Empty },
      reads: true,
    }),
    async (req, reply) => {
      await revokeAgent(req.ctx, req.params.agent_id)
      return reply.code(204).send(null)
    },
  )
}
