import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Items, Kind, Nullable, named, Uuid } from '../../kernel/http/schema.ts'
import { listIntegrations, listIntegrationsOfAutomation } from './actions.ts'
import { presentIntegration } from './integration.ts'

export const ConnectedIntegration = named(
  'ConnectedIntegration',
  Type.Object({
    object: Kind('connected_integration'),
    id: Type.String({ examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] }),
    display_name: Type.String({ examples: ['Issue tracker'] }),
  }),
)

export function registerIntegrationRoutes(face: Face) {
  face.get(
    '/integrations',
    operation({
      id: 'listIntegrations',
      summary: 'List connected integrations',
      description: 'Those of the user whom the key acts for, or those of the owner of `automation_id`.',
      tags: ['Automations'],
      query: Type.Object({
        automation_id: Type.Optional(Nullable(Uuid, { description: 'Those of the owner of this automation.' })),
      }),
      answer: Items(ConnectedIntegration),
      refuses: [404],
    }),
    async (req) => {
      const { automation_id: automationId } = req.query
      const found = automationId
        ? await listIntegrationsOfAutomation(req.ctx, automationId)
        : await listIntegrations(req.ctx)
      return { items: found.map(presentIntegration) }
    },
  )
}
