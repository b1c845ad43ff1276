import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Empty } from '../../kernel/http/schema.ts'
import * as actions from './actions.ts'
import { presentAutomation } from './automation.ts'
import { listAutomations } from './queries.ts'
import { registerRunRoutes } from './runs-external-api.ts'
import * as schema from './schema.ts'
import { readChange, readValues } from './values.ts'

const tags = ['Automations']

export function registerAutomationRoutes(face: Face) {
  face.get(
    '/automations',
    operation({
      id: 'listAutomations',
      summary: 'List automations',
      description: 'All of them, oldest first.',
      tags,
      query: schema.ListQuery,
      answer: schema.AutomationItems,
    }),
    async (req) => ({
      items: (await listAutomations(req.ctx.db, req.ctx.actor.projectId, req.query)).map(presentAutomation),
    }),
  )

  face.post(
    '/automations',
    operation({
      id: 'createAutomation',
      summary: 'Create an automation',
      description: 'It is on at once, belongs to the creator of the key and runs with that person’s rights.',
      tags,
      body: schema.NewAutomationBody,
      answers: { 201: schema.AutomationData },
    }),
    async (req, reply) => {
      const automation = await actions.createAutomation(req.ctx, readValues(req.body))
      reply.code(201)
      return { data: presentAutomation(automation) }
    },
  )

  face.get(
    '/automations/:automation_id',
    operation({
      id: 'getAutomation',
      summary: 'Read an automation',
      tags,
      params: schema.AutomationParams,
      answer: schema.AutomationData,
    }),
    async (req) => ({ data: presentAutomation(await actions.loadAutomation(req.ctx, req.params.automation_id)) }),
  )

  face.patch(
    '/automations/:automation_id',
    operation({
      id: 'updateAutomation',
      summary: 'Change an automation',
      description:
        'Only its owner or a Super Admin. Of a built-in one only `enabled` can be changed, by any project admin.',
      tags,
      params: schema.AutomationParams,
      body: schema.AutomationChangeBody,
      answer: schema.AutomationData,
      refuses: [412],
    }),
    async ({ ctx, params, body }) => ({
      data: presentAutomation(
        await actions.updateAutomation(ctx, params.automation_id, readChange(body), body.expected_updated_at),
      ),
    }),
  )

  face.delete(
    '/automations/:automation_id',
    operation({
      id: 'deleteAutomation',
      summary: 'Delete an automation and its history',
      description: 'Only its owner or a Super Admin, never a built-in one, and not while a run is going on.',
      tags,
      params: schema.AutomationParams,
      answers: { 204: Empty },
      refuses: [409],
    }),
    async (req, reply) => {
      await actions.deleteAutomation(req.ctx, req.params.automation_id)
      return reply.code(204).send(null)
    },
  )

  registerRunRoutes(face)
}
