import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { type Prepared, prepare, prepareOnUse, sendPrepared } from '../../kernel/http/answers/prepared.ts'
import { type Credentials, describeRoutes } from '../../kernel/http/openapi/describe.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { VERSION } from './health.ts'

export const TAGS = [
  { name: 'Requirements', description: 'What should be built and why.' },
  { name: 'Blueprints', description: 'How it is built.' },
  { name: 'Work orders', description: 'Planned work with status, phases, labels and comments.' },
  { name: 'Feedback', description: 'What customers say, and the themes it is grouped into.' },
  { name: 'Artifacts', description: 'The knowledge base: documents, files and folders.' },
  { name: 'Automations', description: 'Agents that run on their own: triggers, runs and results.' },
  { name: 'Agent conversations', description: 'Messages of people and agents, and the tools that agents used.' },
  { name: 'Webhooks', description: 'URLs that receive the events of the project.' },
  { name: 'Code hosts', description: 'Pushes and pull requests received from GitHub and GitLab.' },
  { name: 'Users', description: 'The members of the project.' },
  { name: 'Service', description: 'Liveness and this document.' },
]

export interface Description {
  title: string
  description: string
  tags: typeof TAGS
  credentials: Credentials
  examples: boolean
}

export const keys: Credentials = {
  schemes: {
    ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    Bearer: { type: 'http', scheme: 'bearer' },
  },
  refusals: {},
  of: () => ({ parameters: {}, refuses: [] }),
}

export const externalDescription: Description = {
  title: 'Slipway external API',
  description:
    'Everything in one project, for scripts and coding agents. Read the [conventions](/docs/api/conventions) first.',
  tags: TAGS,
  credentials: keys,
  examples: true,
}

/** Collects the routes of a scope that the document describes. Call it before adding them. */
export function collectOperations(face: Face): RouteOptions[] {
  const routes: RouteOptions[] = []
  face.addHook('onRoute', (route) => {
    if (route.schema?.operationId && route.method !== 'HEAD') routes.push(route)
  })
  return routes
}

/** Leaves out the operations that another API describes. */
export function ownOperations(routes: RouteOptions[], others: RouteOptions[]): RouteOptions[] {
  const described = new Set(others.map(({ schema }) => schema?.operationId))
  return routes.filter(({ schema }) => !described.has(schema?.operationId))
}

/** The OpenAPI document of the routes, built from the schemas that they run with. */
export interface OpenApi {
  document(): object
  prepared(): Promise<Prepared>
}

export function describeOperations(routes: RouteOptions[], baseUrl: string, description: Description): OpenApi {
  const once = prepareOnUse()
  const document = () => describeRoutes(routes, { version: VERSION, ...description, serverUrl: baseUrl })
  const prepared = () => once('document', () => prepare('application/json; charset=utf-8', JSON.stringify(document())))
  return { document, prepared }
}

/** Serves the OpenAPI document of the routes. */
export function registerOpenApi(
  face: Face,
  routes: RouteOptions[],
  baseUrl: string,
  description: Description,
): OpenApi {
  const openApi = describeOperations(routes, baseUrl, description)
  face.get(
    '/openapi.json',
    operation({
      id: 'getOpenApi',
      summary: 'Describe this interface',
      tags: ['Service'],
      answer: Type.Object(
        { openapi: Type.String({ examples: ['3.1.0'] }) },
        { additionalProperties: true, examples: [{ openapi: '3.1.0' }] },
      ),
      withoutProject: true,
    }),
    async (req, reply) => sendPrepared(req, reply, await openApi.prepared()),
  )
  return openApi
}
