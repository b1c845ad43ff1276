import { Type } from 'typebox'
import { AppError, invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText, Items, Nullable, named, OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { Someone } from './app-api.ts'
import { KEY_KINDS, roleOfKey } from './key.ts'
import type { KeyRow, OwnedKeyRow } from './key-queries.ts'
import { addKey, checkOrigins, listManagedKeys, revokeKey, rotateKey, setKeyOrigins } from './keys.ts'
import { PROJECT_ROLES } from './project.ts'

const tags = ['Access']
const Role = OneOf(PROJECT_ROLES)

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

/** What acts for people: keys of scripts, agents and applications that report. */
export function registerKeyRoutes(face: Face) {
  face.get(
    '/api_keys',
    operation({
      id: 'listApiKeys',
      summary: 'List keys',
      description: 'Admins see all keys of the project, others their own. Revoked keys are listed for 30 days.',
      tags,
      answer: Items(KeyShape),
    }),
    async (req) => ({ items: (await listManagedKeys(req.ctx)).map(presentKey) }),
  )

  face.post(
    '/api_keys',
    operation({
      id: 'addApiKey',
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
      answers: { 201: Data(NewKeyShape) },
      showsSecret: true,
    }),
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
    operation({
      id: 'rotateApiKey',
      summary: 'Replace a key by a new one',
      description:
        'The new key has the same name, role and lifetime, and acts as you. The old one stops at once. Admins can replace a key of another member by one that acts as themselves.',
      tags,
      params: IdOfKey,
      answers: { 201: Data(NewKeyShape) },
      showsSecret: true,
      optionalBody: true,
    }),
    async (req, reply) => {
      const added = await rotateKey(req.ctx, req.params.key_id).catch(hideOthers)
      reply.code(201)
      return { data: presentNewKey(added) }
    },
  )

  face.patch(
    '/api_keys/:key_id',
    operation({
      id: 'setApiKeyOrigins',
      summary: 'Set which pages may use a reporting key',
      tags,
      params: IdOfKey,
      body: Type.Object({ allowed_origins: Origins }),
      answers: { 204: Empty },
      refuses: [409],
    }),
    async (req, reply) => {
      await setKeyOrigins(req.ctx, req.params.key_id, req.body.allowed_origins).catch(hideOthers)
      return reply.code(204).send(null)
    },
  )

  face.delete(
    '/api_keys/:key_id',
    operation({ id: 'revokeApiKey', summary: 'Revoke a key', tags, params: IdOfKey, answers: { 204: Empty } }),
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
