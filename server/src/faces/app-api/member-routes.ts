import { Type } from 'typebox'
import { notFound } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, Items, Nullable, named, OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { countAutomationsByOwner } from '../../product/automations/index.ts'
import { addMember, listMemberDetails, removeMember } from '../../product/projects/index.ts'

const tags = ['Access']
const Role = OneOf(['admin', 'editor', 'viewer'])
const Member = named(
  'Member',
  Type.Object({
    user: Type.Object({
      id: Uuid,
      display_name: Type.String({ examples: ['Ada Lovelace'] }),
      email: Type.String({ examples: ['ada@example.org'] }),
    }),
    role: Role,
    is_last_admin: Type.Boolean({ examples: [false] }),
    last_active_at: Nullable(Time),
    sessions: Type.Integer({ examples: [2] }),
    keys: Type.Integer({ examples: [1] }),
    expired_keys: Type.Integer({ examples: [0] }),
    automations: Type.Integer({ description: 'That are switched on.', examples: [1] }),
  }),
)
const IdOfUser = Type.Object({ user_id: Uuid })

/** Members with everything that acts for them. `GET /users` is the plain list that keys can read. */
export function registerMemberRoutes(face: Face) {
  const listAll = async ({ db, actor }: Parameters<typeof removeMember>[0]) => {
    const [members, automations] = await Promise.all([
      listMemberDetails(db, actor.projectId),
      countAutomationsByOwner(db, actor.projectId),
    ])
    const admins = members.filter(({ role }) => role === 'admin').length
    return members.map((row) => ({
      user: { id: row.id, display_name: row.name, email: row.email },
      role: row.role,
      is_last_admin: row.role === 'admin' && admins === 1,
      last_active_at: row.last_active_at,
      sessions: row.sessions,
      keys: row.keys,
      expired_keys: row.expired_keys,
      automations: automations.find(({ owner_id }) => owner_id === row.id)?.automations ?? 0,
    }))
  }
  const load = async (ctx: Parameters<typeof removeMember>[0], userId: string) => {
    const found = (await listAll(ctx)).find(({ user }) => user.id === userId.toLowerCase())
    if (!found) throw notFound('member', userId)
    return found
  }

  face.get(
    '/members',
    operation({
      id: 'listMembers',
      summary: 'List members with their roles and what acts for them',
      tags,
      answer: Items(Member),
    }),
    async (req) => ({ items: await listAll(req.ctx) }),
  )

  face.patch(
    '/members/:user_id',
    operation({
      id: 'setMemberRole',
      summary: 'Change the role of a member',
      description: 'For admins. The last admin keeps their role (409 `last_admin`).',
      tags,
      params: IdOfUser,
      body: Type.Object({ role: Role }),
      answer: Data(Member),
      refuses: [409],
    }),
    async (req) => {
      const { user } = await load(req.ctx, req.params.user_id)
      await addMember(req.ctx, user.id, req.body.role)
      return { data: await load(req.ctx, user.id) }
    },
  )

  face.delete(
    '/members/:user_id',
    operation({
      id: 'removeMember',
      summary: 'Remove a member',
      description:
        'For admins. Their sessions lose the project at once, their keys and invite links are revoked, and their automations stop. The last admin stays (409 `last_admin`).',
      tags,
      params: IdOfUser,
      answers: { 204: Empty },
      refuses: [409],
    }),
    async (req, reply) => {
      const { id, display_name: name, email } = (await load(req.ctx, req.params.user_id)).user
      await removeMember(req.ctx, { id, name, email })
      return reply.code(204).send(null)
    },
  )
}
