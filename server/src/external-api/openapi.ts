import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { describeRoutes } from '../kernel/http/openapi.ts'
import type { Face } from '../kernel/http/request.ts'
import { VERSION } from './health.ts'

const TAGS = [
  { name: 'Requirements', description: 'What should be built and why.' },
  { name: 'Blueprints', description: 'How it is built.' },
  { name: 'Work orders', description: 'Planned work with status, phases, labels and comments.' },
  { name: 'Feedback', description: 'What customers say, and the themes it is grouped into.' },
  { name: 'Artifacts', description: 'The knowledge base: documents, files and folders.' },
  { name: 'Automations', description: 'What agents do by themselves, what starts it, and how it went.' },
  { name: 'Agent conversations', description: 'What people and agents said, and what agents did.' },
  { name: 'Users', description: 'The members of the project.' },
  { name: 'Service', description: 'Liveness and this document.' },
]

/** Serves the OpenAPI document of the routes, built from the schemas that they run with. */
export function registerOpenApi(face: Face, routes: RouteOptions[], baseUrl: string): () => object {
  const describe = () =>
    describeRoutes(routes, {
      title: 'Slipway external API',
      version: VERSION,
      description: 'Everything in one project, for scripts and coding agents. Conventions: docs/api/conventions.md.',
      serverUrl: baseUrl,
      tags: TAGS,
    })
  let made: string | undefined
  face.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'Describe this interface',
        tags: ['Service'],
        response: {
          200: Type.Object(
            { openapi: Type.String({ examples: ['3.1.0'] }) },
            { additionalProperties: true, examples: [{ openapi: '3.1.0' }] },
          ),
        },
      },
    },
    async (_req, reply) => {
      made ??= JSON.stringify(describe())
      reply.type('application/json; charset=utf-8')
      // Strings are sent as they are, so the document is serialized only once.
      return made as never
    },
  )
  return describe
}
