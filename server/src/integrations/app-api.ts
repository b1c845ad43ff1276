import { Type } from 'typebox'
import type { Face } from '../kernel/http/request.ts'
import { Data, Empty, FilledText, Nullable, named, Text } from '../kernel/http/schema.ts'
import { removeIntegration } from './actions.ts'
import { connectIntegration, reconnectIntegration, type Tested, testIntegration } from './connecting.ts'
import { ConnectedIntegration } from './external-api.ts'
import { presentIntegration } from './integration.ts'

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

const presentTested = (tested: Tested) => ({
  ...presentIntegration(tested),
  tools: tested.tools.map(({ name, description, isReadOnly }) => ({ name, description, read_only: isReadOnly })),
})

/** Routes with which people connect and disconnect their own integrations. */
export function registerOwnIntegrationRoutes(face: Face) {
  face.post(
    '/integrations',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { refuses: [409] },
      schema: {
        operationId: 'connectIntegration',
        summary: 'Connect an integration of your own',
        description: 'It is called first. One that does not answer, or refuses the token, is not connected.',
        tags,
        body: ConnectBody,
        response: { 201: Data(TestedIntegration) },
      },
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
    {
      config: { optionalBody: true, refuses: [409] },
      schema: {
        operationId: 'testIntegration',
        summary: 'Call an integration of your own and list its tools',
        tags,
        params: IntegrationParams,
        response: { 200: Data(TestedIntegration) },
      },
    },
    async (req) => ({ data: presentTested(await testIntegration(req.ctx, req.params.integration_id)) }),
  )

  face.put(
    '/integrations/:integration_id/token',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { refuses: [409] },
      schema: {
        operationId: 'reconnectIntegration',
        summary: 'Reconnect an integration of your own with another token',
        tags,
        params: IntegrationParams,
        body: ReconnectBody,
        response: { 200: Data(TestedIntegration) },
      },
    },
    async (req) => {
      const { integration_id } = req.params
      return { data: presentTested(await reconnectIntegration(req.ctx, integration_id, req.body.token ?? undefined)) }
    },
  )

  face.delete(
    '/integrations/:integration_id',
    {
      schema: {
        operationId: 'removeIntegration',
        summary: 'Disconnect an integration of your own',
        tags,
        params: IntegrationParams,
        response: { 204: Empty },
      },
    },
    async (req, reply) => {
      await removeIntegration(req.ctx, req.ctx.actor.userId, req.params.integration_id)
      return reply.code(204).send(null)
    },
  )
}
