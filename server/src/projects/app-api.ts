import { Type } from 'typebox'
import { AppError, invalid } from '../kernel/errors.ts'
import type { Face } from '../kernel/http/request.ts'
import { Data, Empty, FilledText, Items, Nullable, named, OneOf, Time, Uuid } from '../kernel/http/schema.ts'
import { openProject, renameProject } from './actions.ts'
import type { OpenInvitation } from './invitation-queries.ts'
import { addInvitation, listInvitations, revokeInvitation } from './invitations.ts'
import { KEY_KINDS, roleOfKey } from './key.ts'
import type { KeyRow, OwnedKeyRow } from './key-queries.ts'
import { addKey, checkOrigins, listManagedKeys, revokeKey, rotateKey, setKeyOrigins } from './keys.ts'
import { PROJECT_ROLES, type Project } from './project.ts'

const tags = ['Access']
const Role = OneOf(PROJECT_ROLES)
const Someone = Type.Object({ id: Uuid, display_name: Type.String({ examples: ['Ada Lovelace'] }) })

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

const KeyShape = named(
  'ApiKey',
  Type.Object({
    id: Uuid,
    kind: OneOf(KEY_KINDS),
    name: Type.String({ examples: ['Release bot'] }),
    start: Nullable(Type.String({ examples: ['sofa-ext-h7Rk'] }), {
      description: 'The first characters. Null for keys of older versions.',
    }),
    acts_as: Someone,
    role: Nullable(Role, { description: 'What the key may do now. Null if its owner has left the project.' }),
    max_role: Nullable(Role, { description: 'The most that the key may do. Null: whatever its owner may do.' }),
    created_at: Time,
    expires_at: Nullable(Time),
    is_expired: Type.Boolean({ examples: [false] }),
    revoked_at: Nullable(Time),
    last_used_at: Nullable(Time),
    allowed_origins: Nullable(Type.Array(Type.String(), { examples: [['https://shop.example.org']] }), {
      description: 'The pages that may use a reporting key. Null: all.',
    }),
  }),
)
const Origins = Nullable(
  Type.Array(FilledText(300), { maxItems: 50, description: 'The pages that may use a reporting key. Null: all.' }),
)
const NewKeyShape = named(
  'NewApiKey',
  Type.Object({ id: Uuid, key: Type.String({ description: 'Shown once.', examples: ['sofa-ext-…'] }) }),
)
const IdOfKey = Type.Object({ key_id: Uuid })

const presentKey = (row: OwnedKeyRow) => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  start: row.start,
  acts_as: { id: row.user_id, display_name: row.owner },
  role: row.owner_role && roleOfKey(row.owner_role, row.role),
  max_role: row.role,
  created_at: row.created_at,
  expires_at: row.expires_at,
  is_expired: row.is_expired,
  revoked_at: row.revoked_at,
  last_used_at: row.last_used_at,
  allowed_origins: row.allowed_origins,
})
const presentNewKey = ({ id, key }: KeyRow & { key: string }) => ({ id, key })

const ProjectName = Type.Object({ name: FilledText(200, { examples: ['Harbor Checkout'] }) })
const ProjectShape = named('Project', Type.Object({ id: Uuid, name: Type.String({ examples: ['Harbor Checkout'] }) }))
const presentProject = ({ id, name }: Project) => ({ id, name })

export function registerProjectRoutes(face: Face) {
  const tags = ['Project']

  face.post(
    '/projects',
    {
      schema: {
        operationId: 'openProject',
        summary: 'Open another project',
        description:
          'For admins. It belongs to the same organization as the project of the request, and you are its only member.',
        tags,
        body: ProjectName,
        response: { 201: Data(ProjectShape) },
      },
    },
    async (req, reply) => {
      const project = await openProject(req.ctx, req.body.name)
      reply.code(201)
      return { data: presentProject(project) }
    },
  )

  face.patch(
    '/project',
    {
      schema: {
        operationId: 'renameProject',
        summary: 'Rename the project',
        description: 'For admins.',
        tags,
        body: ProjectName,
        response: { 200: Data(ProjectShape) },
      },
    },
    async (req) => ({ data: presentProject(await renameProject(req.ctx, req.body.name)) }),
  )
}

/** How people get into a project: invite links and keys. */
export function registerAccessRoutes(face: Face) {
  face.get(
    '/invitations',
    {
      config: { refuses: [403] },
      schema: {
        operationId: 'listInvitations',
        summary: 'List the invite links that can still be used',
        description: 'For admins.',
        tags,
        response: { 200: Items(InvitationShape) },
      },
    },
    async (req) => ({ items: (await listInvitations(req.ctx)).map(presentInvitation) }),
  )

  face.post(
    '/invitations',
    {
      config: { showsSecret: true },
      schema: {
        operationId: 'addInvitation',
        summary: 'Create an invite link',
        description: 'For admins. The answer is the only place where the link appears.',
        tags,
        body: Type.Object({
          role: Role,
          email: Type.Optional(FilledText(320, { description: 'The only person who can use it.' })),
          expires_in_days: Type.Integer({ minimum: 1, maximum: 30, default: 7 }),
          max_uses: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
        }),
        response: {
          201: Data(
            Type.Object({
              invitation: InvitationShape,
              url: Type.String({ examples: ['https://slipway.example.org/invite/…'] }),
            }),
          ),
        },
      },
    },
    async (req, reply) => {
      const { role, email, expires_in_days: days, max_uses: maxUses } = req.body
      const { token, ...row } = await addInvitation(req.ctx, { role, email, days, maxUses })
      reply.code(201)
      return { data: { invitation: presentInvitation(row), url: `${req.ctx.baseUrl}/invite/${token}` } }
    },
  )

  face.delete(
    '/invitations/:invitation_id',
    {
      schema: {
        operationId: 'revokeInvitation',
        summary: 'Revoke an invite link',
        tags,
        params: Type.Object({ invitation_id: Uuid }),
        response: { 204: Empty },
      },
    },
    async (req, reply) => {
      await revokeInvitation(req.ctx, req.params.invitation_id)
      return reply.code(204).send(null)
    },
  )

  face.get(
    '/api_keys',
    {
      schema: {
        operationId: 'listApiKeys',
        summary: 'List keys',
        description: 'Admins see all keys of the project, others their own. Revoked keys are listed for 30 days.',
        tags,
        response: { 200: Items(KeyShape) },
      },
    },
    async (req) => ({ items: (await listManagedKeys(req.ctx)).map(presentKey) }),
  )

  face.post(
    '/api_keys',
    {
      config: { showsSecret: true },
      schema: {
        operationId: 'addApiKey',
        summary: 'Create a key that acts as you',
        description: 'The answer is the only place where the key appears.',
        tags,
        body: Type.Object({
          name: FilledText(200, { examples: ['Release bot'] }),
          kind: OneOf(KEY_KINDS, { default: 'external' }),
          role: Type.Optional(
            OneOf(PROJECT_ROLES, {
              description: 'The most that the key may do, at most your own role. Whatever you may do if omitted.',
            }),
          ),
          expires_at: Type.Optional(Nullable(Time)),
          allowed_origins: Type.Optional(Origins),
        }),
        response: { 201: Data(NewKeyShape) },
      },
    },
    async (req, reply) => {
      const { name, kind, role, expires_at: expiresAt, allowed_origins: origins } = req.body
      if (expiresAt && Date.parse(expiresAt) <= Date.now())
        throw invalid([{ pointer: '/expires_at', detail: `"${expiresAt}" is in the past.` }])
      const userId = req.ctx.actor.userId!
      const added = await addKey(req.ctx, {
        kind,
        userId,
        role,
        name: name.trim(),
        ...(expiresAt && { expiresAt }),
        ...(origins && { allowedOrigins: checkOrigins(kind, origins) }),
      })
      reply.code(201)
      return { data: presentNewKey(added) }
    },
  )

  face.post(
    '/api_keys/:key_id/rotate',
    {
      config: { showsSecret: true, optionalBody: true },
      schema: {
        operationId: 'rotateApiKey',
        summary: 'Replace a key by a new one',
        description:
          'The new key has the same name, role and lifetime, and acts as you. The old one stops at once. Admins can replace a key of another member by one that acts as themselves.',
        tags,
        params: IdOfKey,
        response: { 201: Data(NewKeyShape) },
      },
    },
    async (req, reply) => {
      const added = await rotateKey(req.ctx, req.params.key_id).catch(hideOthers)
      reply.code(201)
      return { data: presentNewKey(added) }
    },
  )

  face.patch(
    '/api_keys/:key_id',
    {
      config: { refuses: [409] },
      schema: {
        operationId: 'setApiKeyOrigins',
        summary: 'Set which pages may use a reporting key',
        tags,
        params: IdOfKey,
        body: Type.Object({ allowed_origins: Origins }),
        response: { 204: Empty },
      },
    },
    async (req, reply) => {
      await setKeyOrigins(req.ctx, req.params.key_id, req.body.allowed_origins).catch(hideOthers)
      return reply.code(204).send(null)
    },
  )

  face.delete(
    '/api_keys/:key_id',
    {
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke a key',
        tags,
        params: IdOfKey,
        response: { 204: Empty },
      },
    },
    async (req, reply) => {
      await revokeKey(req.ctx, req.params.key_id).catch(hideOthers)
      return reply.code(204).send(null)
    },
  )
}

/** People see only the keys that they may manage. */
function hideOthers(err: unknown): never {
  if (err instanceof AppError && err.status === 403) throw new AppError(404, 'not_found', 'There is no such key.')
  throw err
}
