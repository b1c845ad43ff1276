import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText, Items, Nullable, named, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { mayManage } from '../projects/index.ts'
import { removeIntegration } from './actions.ts'
import { connectIntegration, reconnectIntegration, testIntegration } from './connecting.ts'
import { ConnectedIntegration } from './external-api.ts'
import { type KnownTool, listShown, type ShownIntegration } from './health-queries.ts'
import { type Integration, presentIntegration } from './integration.ts'

const BODY_LIMIT_BYTES = 64 * 1024
const tags = ['Automations']
const ConnectBody = Type.Object({
  display_name: FilledText(200),
  url: Type.Optional(Nullable(Text(2_000))),
  command: Type.Optional(Nullable(Text(200))),
  token: Type.Optional(Nullable(Text(10_000))),
})

const ReconnectBody = Type.Object({ token: Type.Optional(Nullable(Text(10_000))) })
const IntegrationParams = Type.Object({ integration_id: Text(200) })

const TestedIntegration = named(
  'TestedIntegration',
  Type.Object({
    ...ConnectedIntegration.properties,
    tools: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['find_ticket'] }),
        description: Type.String({ examples: ['Finds a ticket by its number.'] }),
        read_only: Type.Boolean({ examples: [true], description: 'The server says that it changes nothing.' }),
      }),
    ),
  }),
)

const presentTested = (tested: Integration & { tools: KnownTool[] }) => ({
  ...presentIntegration(tested),
  tools: tested.tools.map(({ name, description, isReadOnly }) => ({ name, description, read_only: isReadOnly })),
})

const ShownShape = named(
  'ShownIntegration',
  Type.Object({
    ...ConnectedIntegration.properties,
    url: Nullable(Type.String({ examples: ['https://tickets.example.org/mcp'] })),
    command: Nullable(Type.String({ examples: [null] })),
    has_token: Type.Boolean({ examples: [true] }),
    owner: Type.Object({ id: Uuid, display_name: Type.String({ examples: ['Ada Lovelace'] }) }),
    created_at: Time,
    checked_at: Nullable(Time, { description: 'When it was last called to list its tools.' }),
    fault: Nullable(Type.String({ examples: [null] }), { description: 'Why that failed. Null if it answered.' }),
    tools: TestedIntegration.properties.tools,
    granted_to: Type.Array(Type.Object({ id: Uuid, name: Type.String({ examples: ['Errors to work orders'] }) }), {
      description: 'The automations that may use it.',
    }),
  }),
)

const presentShown = (one: ShownIntegration) => ({
  ...presentTested(one),
  url: one.url,
  command: one.commandName,
  has_token: one.hasToken,
  owner: { id: one.ownerId, display_name: one.ownerName },
  created_at: one.createdAt,
  checked_at: one.checkedAt,
  fault: one.fault,
  granted_to: one.grants,
})

/** Routes with which people connect and disconnect their own integrations. */
export function registerOwnIntegrationRoutes(face: Face) {
  face.get(
    '/connected_integrations',
    operation({
      id: 'listConnectedIntegrations',
      summary: 'List integrations with their tools, health and grants',
      description: 'Your own; for an admin, those of all members.',
      tags,
      answer: Items(ShownShape),
    }),
    async (req) => ({ items: (await listShown(req.ctx)).map(presentShown) }),
  )

  face.post(
    '/integrations',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      ...operation({
        id: 'connectIntegration',
        summary: 'Connect an integration of your own',
        description: 'It is called first. One that does not answer, or refuses the token, is not connected.',
        tags,
        body: ConnectBody,
        answers: { 201: Data(TestedIntegration) },
        refuses: [409],
        callsOthers: true,
      }),
    },
    async (req, reply) => {
      const { display_name, url, command, token } = req.body
      const wanted = { displayName: display_name, url: url ?? undefined, commandName: command ?? undefined }
      const tested = await connectIntegration(req.ctx, { ...wanted, token: token ?? undefined })
      reply.code(201)
      return { data: presentTested(tested) }
    },
  )

  face.post(
    '/integrations/:integration_id/test',
    operation({
      id: 'testIntegration',
      summary: 'Call an integration of your own and list its tools',
      tags,
      params: IntegrationParams,
      answer: Data(TestedIntegration),
      optionalBody: true,
      refuses: [409],
      callsOthers: true,
    }),
    async (req) => ({ data: presentTested(await testIntegration(req.ctx, req.params.integration_id)) }),
  )

  face.put(
    '/integrations/:integration_id/token',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      ...operation({
        id: 'reconnectIntegration',
        summary: 'Reconnect an integration of your own with another token',
        tags,
        params: IntegrationParams,
        body: ReconnectBody,
        answer: Data(TestedIntegration),
        refuses: [409],
      }),
    },
    async (req) => {
      const { integration_id } = req.params
      return { data: presentTested(await reconnectIntegration(req.ctx, integration_id, req.body.token ?? undefined)) }
    },
  )

  face.delete(
    '/integrations/:integration_id',
    operation({
      id: 'removeIntegration',
      summary: 'Disconnect an integration',
      description: 'Your own; an admin, that of any member.',
      tags,
      params: IntegrationParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      const { actor } = req.ctx
      await removeIntegration(req.ctx, mayManage(actor) ? null : actor.userId, req.params.integration_id)
      return reply.code(204).send(null)
    },
  )
}
