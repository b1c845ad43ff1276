import { Type } from 'typebox'
import type { Face } from '../kernel/http/request.ts'
import { Data, Empty, FilledText, Nullable, Text } from '../kernel/http/schema.ts'
import { addIntegration, removeIntegration } from './actions.ts'
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

/** Routes with which people connect and disconnect their own integrations. */
export function registerOwnIntegrationRoutes(face: Face) {
  face.post(
    '/integrations',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        operationId: 'connectIntegration',
        summary: 'Connect an integration of your own',
        tags,
        body: ConnectBody,
        response: { 201: Data(ConnectedIntegration) },
      },
    },
    async (req, reply) => {
      const { display_name, url, command, token } = req.body
      const wanted = { displayName: display_name, url: url ?? undefined, commandName: command ?? undefined }
      const added = await addIntegration(req.ctx, req.ctx.actor.userId!, { ...wanted, token: token ?? undefined })
      reply.code(201)
      return { data: presentIntegration(added) }
    },
  )

  face.delete(
    '/integrations/:integration_id',
    {
      schema: {
        operationId: 'removeIntegration',
        summary: 'Disconnect an integration of your own',
        tags,
        params: Type.Object({ integration_id: Text(200) }),
        response: { 204: Empty },
      },
    },
    async (req, reply) => {
      await removeIntegration(req.ctx, req.ctx.actor.userId, req.params.integration_id)
      return reply.code(204).send(null)
    },
  )
}
