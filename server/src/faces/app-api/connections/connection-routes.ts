import { Type } from 'typebox'
import { notFound } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, Items, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { findResources, RESOURCE_TYPES } from '../../../product/links/index.ts'
import { confirmConnection, connect, disconnect } from './connect.ts'
import { type Connection, listConnections } from './connection-queries.ts'

const tags = ['Session']
const One = Type.Object({ resource_id: Uuid })
const Pair = Type.Object({ resource_id: Uuid, other_id: Uuid })
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [12] })

const ConnectionShape = named(
  'Connection',
  Type.Object({
    resource_type: OneOf(RESOURCE_TYPES),
    resource_id: Uuid,
    title: Type.String({ examples: ['Refunds'] }),
    number: Nullable(Type.Integer({ examples: [38] }), { description: 'Of a work order, a theme or a report.' }),
    status: Nullable(Type.String({ examples: ['in_progress'] })),
    detail: Nullable(Type.String({ description: 'Its category, type or folder.', examples: ['FEATURE'] })),
    version_number: Nullable(Type.Integer({ examples: [14] }), { description: 'Of a document.' }),
    is_fixed: Type.Boolean({ description: 'The other half of a feature, which nobody connects or disconnects.' }),
    changed: Type.Array(
      Type.Object({
        document_id: Uuid,
        confirmed_version: Type.Integer({ examples: [12] }),
        version_number: Type.Integer({ examples: [14] }),
      }),
      { description: 'The documents at either end that changed since the connection was confirmed.' },
    ),
    confirmed_at: Nullable(Time),
  }),
)

const Versions = Type.Array(Type.Object({ document_id: Uuid, version_number: Version }), { maxItems: 2 })

const present = (one: Connection) => ({
  resource_type: one.resourceType,
  resource_id: one.resourceId,
  title: one.title,
  number: one.number,
  status: one.status,
  detail: one.detail,
  version_number: one.version,
  is_fixed: one.isFixed,
  changed: one.changed.map(({ id, confirmedVersion, version }) => ({
    document_id: id,
    confirmed_version: confirmedVersion,
    version_number: version,
  })),
  confirmed_at: one.confirmedAt,
})

const readVersions = (versions: { document_id: string; version_number: number }[] = []) =>
  versions.map(({ document_id, version_number }) => ({ documentId: document_id, versionNumber: version_number }))

/** What is connected to what, seen and changed from either end. */
export function registerConnectionRoutes(face: Face) {
  face.get(
    '/connections/:resource_id',
    operation({
      id: 'listConnections',
      summary: 'List what something is connected to, and whether it still fits',
      tags,
      params: One,
      answer: Items(ConnectionShape),
    }),
    async (req) => {
      const { db, actor } = req.ctx
      const { resource_id: id } = req.params
      const connections = await listConnections(db, actor.projectId, id)
      if (connections.length === 0 && (await findResources(db, actor.projectId, [id])).size === 0)
        throw notFound('resource', id)
      return { items: connections.map(present) }
    },
  )

  face.put(
    '/connections/:resource_id/:other_id',
    operation({
      id: 'connectResources',
      summary: 'Connect two things',
      description:
        'Does nothing if they are connected. A theme has one feature; `replaced_id` is the one it had before.',
      tags,
      params: Pair,
      body: Type.Object({
        confirmed_versions: Type.Optional(
          Type.Unsafe<{ document_id: string; version_number: number }[]>({
            ...Versions,
            description: 'To bring back a connection as it was. Otherwise it is confirmed with the current versions.',
          }),
        ),
      }),
      answer: Data(Type.Object({ replaced_id: Nullable(Uuid) })),
    }),
    async (req) => {
      const { resource_id, other_id } = req.params
      const versions = readVersions(req.body.confirmed_versions)
      return { data: { replaced_id: await connect(req.ctx, resource_id, other_id, versions) } }
    },
  )

  face.delete(
    '/connections/:resource_id/:other_id',
    operation({
      id: 'disconnectResources',
      summary: 'Disconnect two things',
      tags,
      params: Pair,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await disconnect(req.ctx, req.params.resource_id, req.params.other_id)
      return reply.code(204).send(null)
    },
  )

  face.put(
    '/connections/:resource_id/:other_id/confirmation',
    operation({
      id: 'confirmConnection',
      summary: 'Confirm that a connection still fits',
      description: 'Name the versions that were compared. A version that was written since stays unconfirmed.',
      tags,
      params: Pair,
      body: Type.Object({ versions: Versions }),
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      const { resource_id, other_id } = req.params
      await confirmConnection(req.ctx, resource_id, other_id, readVersions(req.body.versions))
      return reply.code(204).send(null)
    },
  )
}
