import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText, Items, Nullable, named, OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { openProject, renameProject } from './actions.ts'
import type { OpenInvitation } from './invitations/invitation-queries.ts'
import { addInvitation, listInvitations, revokeInvitation } from './invitations/invitations.ts'
import { PROJECT_ROLES, type Project } from './project.ts'

const tags = ['Access']
const Role = OneOf(PROJECT_ROLES)
export const Someone = Type.Object({ id: Uuid, display_name: Type.String({ examples: ['Ada Lovelace'] }) })

const InvitationShape = named(
  'Invitation',
  Type.Object({
    id: Uuid,
    role: Role,
    email: Nullable(Type.String({ examples: ['hedy@example.org'] }), {
      description: 'The only person who can use it. Null: anyone who has the link.',
    }),
    max_uses: Type.Integer({ examples: [1] }),
    uses: Type.Integer({ examples: [0] }),
    invited_by: Someone,
    created_at: Time,
    expires_at: Time,
  }),
)

const presentInvitation = (row: OpenInvitation) => ({
  id: row.id,
  role: row.role,
  email: row.email,
  max_uses: row.max_uses,
  uses: row.uses,
  invited_by: { id: row.invited_by, display_name: row.inviter },
  created_at: row.created_at,
  expires_at: row.expires_at,
})

const ProjectName = Type.Object({ name: FilledText(200, { examples: ['Harbor Checkout'] }) })
const ProjectShape = named('Project', Type.Object({ id: Uuid, name: Type.String({ examples: ['Harbor Checkout'] }) }))
const presentProject = ({ id, name }: Project) => ({ id, name })

export function registerProjectRoutes(face: Face) {
  const tags = ['Project']

  face.post(
    '/projects',
    operation({
      id: 'openProject',
      summary: 'Open another project',
      description:
        'For admins. It belongs to the same organization as the project of the request, and you are its only member.',
      tags,
      body: ProjectName,
      answers: { 201: Data(ProjectShape) },
    }),
    async (req, reply) => {
      const project = await openProject(req.ctx, req.body.name)
      reply.code(201)
      return { data: presentProject(project) }
    },
  )

  face.patch(
    '/project',
    operation({
      id: 'renameProject',
      summary: 'Rename the project',
      description: 'For admins.',
      tags,
      body: ProjectName,
      answer: Data(ProjectShape),
    }),
    async (req) => ({ data: presentProject(await renameProject(req.ctx, req.body.name)) }),
  )
}

/** How people get into a project. */
export function registerInvitationRoutes(face: Face) {
  face.get(
    '/invitations',
    operation({
      id: 'listInvitations',
      summary: 'List the invite links that can still be used',
      description: 'For admins.',
      tags,
      answer: Items(InvitationShape),
      refuses: [403],
    }),
    async (req) => ({ items: (await listInvitations(req.ctx)).map(presentInvitation) }),
  )

  face.post(
    '/invitations',
    operation({
      id: 'addInvitation',
      summary: 'Create an invite link',
      description: 'For admins. The answer is the only place where the link appears.',
      tags,
      body: Type.Object({
        role: Role,
        email: Type.Optional(FilledText(320, { description: 'The only person who can use it.' })),
        expires_in_days: Type.Integer({ minimum: 1, maximum: 30, default: 7 }),
        max_uses: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
      }),
      answers: {
        201: Data(
          Type.Object({
            invitation: InvitationShape,
            url: Type.String({ examples: ['https://slipway.example.org/invite/…'] }),
          }),
        ),
      },
      showsSecret: true,
    }),
    async (req, reply) => {
      const { role, email, expires_in_days: days, max_uses: maxUses } = req.body
      const { token, ...row } = await addInvitation(req.ctx, { role, email, days, maxUses })
      reply.code(201)
      return { data: { invitation: presentInvitation(row), url: `${req.ctx.baseUrl}/invite/${token}` } }
    },
  )

  face.delete(
    '/invitations/:invitation_id',
    operation({
      id: 'revokeInvitation',
      summary: 'Revoke an invite link',
      tags,
      params: Type.Object({ invitation_id: Uuid }),
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await revokeInvitation(req.ctx, req.params.invitation_id)
      return reply.code(204).send(null)
    },
  )
}
