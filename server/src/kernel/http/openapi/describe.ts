import type { RouteOptions } from 'fastify'
import { refusal, streamed, success } from './answers.ts'
import { headerParameters, parametersIn } from './parameters.ts'
import { type Operation, shareRepeated } from './repeated.ts'
import { asSent, type Components, content, describeSchema, type Json, refer } from './schemas.ts'

interface DocumentOptions {
  title: string
  version: string
  description: string
  serverUrl: string
  tags: { name: string; description: string }[]
  credentials: Credentials
  /** Bodies have complete examples. Without them, readers make one from those of the fields. */
  examples: boolean
}

/** How callers prove who they are, and what follows from it for each operation. */
export interface Credentials {
  schemes: Json
  /** Replace the common texts. */
  refusals: Record<number, string>
  of(route: RouteOptions): {
    security?: Json[]
    /** By the names of their components. */
    parameters: Record<string, Json>
    refuses: number[]
  }
}

/** Builds the OpenAPI 3.1 document from the schemas that validate and serialize. */
export function describeRoutes(
  routes: RouteOptions[],
  { serverUrl, tags, credentials, examples, ...info }: DocumentOptions,
): Json {
  const components: Components = { schemas: {}, parameters: {}, headers: {}, responses: {} }
  const operations: Operation[] = []
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    if (!route.schema?.operationId) continue
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const operation = describeOperation(route, credentials, components)
    operations.push(operation)
    paths[path] ??= {}
    paths[path][String(route.method).toLowerCase()] = operation
  }
  if (!examples) leaveOutExamples(operations)
  shareRepeated(operations, components)
  const used = new Set(operations.flatMap((one) => one.tags))
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    security: Object.keys(credentials.schemes).map((name) => ({ [name]: [] })),
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: { securitySchemes: credentials.schemes, ...components },
  }
}

function describeOperation(route: RouteOptions, credentials: Credentials, components: Components): Operation {
  const schema = route.schema!
  const method = String(route.method)
  const reads = method === 'GET' || route.config?.reads === true
  const { security, parameters, refuses } = credentials.of(route)
  const refusals = new Set([401, 429, 500, 503, ...refuses, ...(route.config?.refuses ?? [])])
  if (!reads) refusals.add(403).add(507)
  // A path with invalid encoding is refused before its parameters are validated.
  if (schema.params) for (const status of [400, 404, 422]) refusals.add(status)
  if (schema.querystring) refusals.add(422)
  // A DELETE needs no body, but a body is validated if sent.
  if (method !== 'GET') for (const status of [400, 413, 415]) refusals.add(status)
  if (schema.body) refusals.add(422)
  if (method === 'POST') refusals.add(422)
  if (method === 'POST' && !reads) refusals.add(409)
  if (!reads && route.config?.etag) refusals.add(412)

  const responses: Record<string, Json> = {}
  for (const [status, shape] of Object.entries((schema.response ?? {}) as Record<string, Json>)) {
    responses[status] = success(shape, route, components)
  }
  if (route.config?.streams) responses['200'] = streamed(route.config.streams, components)
  if (method === 'GET' && route.config?.etag) responses['304'] = { description: 'You have this already.' }
  for (const status of [...refusals].sort()) responses[status] = refusal(status, credentials.refusals, components)
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    ...(schema.description ? { description: schema.description } : {}),
    tags: schema.tags ?? [],
    ...(schema.deprecated ? { deprecated: true } : {}),
    ...(security ? { security } : {}),
    parameters: [
      ...Object.entries(parameters).map(([name, one]) => refer(components, 'parameters', name, one)),
      ...parametersIn('path', schema.params as Json | undefined, components),
      ...parametersIn('query', schema.querystring as Json | undefined, components),
      ...headerParameters(method, reads, route.config?.etag === true, components),
    ],
    ...(schema.body
      ? {
          requestBody: {
            required: !route.config?.optionalBody,
            content: bodyContent(schema.body as Json, components),
          },
        }
      : {}),
    responses,
  }
}

function leaveOutExamples(operations: Operation[]): void {
  const bodies = operations.flatMap(({ requestBody, responses }) => [requestBody ?? {}, ...Object.values(responses)])
  for (const { content = {} } of bodies as { content?: Record<string, Json> }[])
    for (const type of Object.values(content)) delete type.example
}

function bodyContent(body: Json, components: Components): Json {
  const byType = body.content as Record<string, { schema: Json }> | undefined
  if (!byType) return { 'application/json': content(asSent(body) as Json, components) }
  return Object.fromEntries(
    Object.entries(byType).map(([type, { schema }]) => [
      type,
      // Binary content has no JSON example.
      type === 'application/json' ? content(schema, components) : { schema: describeSchema(schema, components) },
    ]),
  )
}
