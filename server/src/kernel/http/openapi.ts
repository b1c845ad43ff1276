import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { exampleOf } from './openapi-example.ts'

type Json = Record<string, unknown>

interface DocumentOptions {
  title: string
  version: string
  description: string
  serverUrl: string
  tags: { name: string; description: string }[]
  credentials: Credentials
}

/** How callers prove who they are, and what follows from it for each operation. */
export interface Credentials {
  schemes: Json
  /** Replace the common texts. */
  refusals: Record<number, string>
  of(route: RouteOptions): {
    security?: Json[]
    parameters: Json[]
    refuses: number[]
    /** When the answer names another address instead, by status. */
    redirects?: Record<number, string>
  }
}

const REFUSALS: Record<number, string> = {
  400: 'The URL or the body is malformed, or a required body is missing.',
  401: 'No valid key was sent.',
  403: 'The key may not do this.',
  404: 'Nothing in this project has this id.',
  409: 'The current state does not allow it; `code` says why.',
  410: 'It existed, but has expired or was used.',
  412: '`If-Match` names an older version; `current_etag` is the current one.',
  413: 'The body is too large.',
  415: 'The content type is not accepted.',
  416: 'The content has no such range; `Content-Range` says how long it is.',
  422: 'A field has the wrong shape or value; `errors` says which.',
  429: 'Rate limit reached. `Retry-After` says when to try again.',
  500: 'Internal error. The server logged it under `request_id`.',
  503: 'The database is unavailable or the request took too long. Nothing was changed.',
  507: 'The server has no disk space left. Nothing was changed.',
}

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', examples: ['urn:slipway:problem:not_found'] },
    title: { type: 'string', examples: ['Not Found'] },
    status: { type: 'integer', examples: [404] },
    detail: {
      type: 'string',
      description: 'For a person: what is wrong and what to do.',
      examples: ['There is no such thing.'],
    },
    code: { type: 'string', description: 'Stable, for programs.', examples: ['not_found'] },
    request_id: { type: 'string', examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', examples: ['/title'] },
          detail: { type: 'string', examples: ['It must not be empty.'] },
        },
      },
    },
  },
}

/** Builds the OpenAPI 3.1 document from the schemas that validate and serialize. */
export function describeRoutes(
  routes: RouteOptions[],
  { serverUrl, tags, credentials, ...info }: DocumentOptions,
): Json {
  const components: Record<string, Json> = { Problem: PROBLEM }
  const used = new Set<number>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    if (!route.schema?.operationId) continue
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][String(route.method).toLowerCase()] = operation(route, credentials, components, used)
  }
  const responses = Object.fromEntries(
    [...used].sort().map((status) => [
      `Problem${status}`,
      {
        description: credentials.refusals[status] ?? REFUSALS[status] ?? STATUS_CODES[status],
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    security: Object.keys(credentials.schemes).map((name) => ({ [name]: [] })),
    tags,
    paths,
    components: {
      securitySchemes: credentials.schemes,
      schemas: components,
      responses,
    },
  }
}

function operation(
  route: RouteOptions,
  credentials: Credentials,
  components: Record<string, Json>,
  used: Set<number>,
): Json {
  const schema = route.schema!
  const method = String(route.method)
  const reads = method === 'GET' || route.config?.reads === true
  const { security, parameters, refuses, redirects = {} } = credentials.of(route)
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

  const responses: Json = {}
  for (const [status, shape] of Object.entries((schema.response ?? {}) as Record<string, Json>)) {
    responses[status] = success(shape, route, components)
  }
  if (route.config?.streams) responses['200'] = streamed(route.config.streams, components)
  if (method === 'GET' && route.config?.etag) responses['304'] = { description: 'You have this already.' }
  for (const [status, description] of Object.entries(redirects)) {
    const location = { schema: { type: 'string' }, description: 'The other address, relative to this server.' }
    responses[status] = { description, headers: { Location: location } }
  }
  for (const status of [...refusals].sort()) {
    used.add(status)
    responses[status] = { $ref: `#/components/responses/Problem${status}` }
  }
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    ...(schema.description ? { description: schema.description } : {}),
    tags: schema.tags,
    ...(schema.deprecated ? { deprecated: true } : {}),
    ...(security ? { security } : {}),
    parameters: [
      ...parameters,
      ...parametersIn('path', schema.params as Json | undefined, components),
      ...parametersIn('query', schema.querystring as Json | undefined, components),
      ...headerParameters(method, reads, route.config?.etag === true),
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

function bodyContent(body: Json, components: Record<string, Json>): Json {
  const byType = body.content as Record<string, { schema: Json }> | undefined
  if (!byType) return { 'application/json': content(asSent(body) as Json, components) }
  return Object.fromEntries(
    Object.entries(byType).map(([type, { schema }]) => [
      type,
      // Binary content has no JSON example.
      type === 'application/json' ? content(schema, components) : { schema: hoist(schema, components) },
    ]),
  )
}

/** A caller may leave out a field with a default. Named schemas are also those of answers, which have all fields. */
function asSent(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asSent)
  if (node === null || typeof node !== 'object' || 'x-component' in node) return node
  const sent = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, asSent(value)]))
  const { required, properties } = sent as { required?: string[]; properties?: Record<string, Json> }
  if (!Array.isArray(required) || !properties) return sent
  return { ...sent, required: required.filter((name) => !('default' in (properties[name] ?? {}))) }
}

function success(shape: Json, route: RouteOptions, components: Record<string, Json>): Json {
  const headers: Json = {
    'X-Request-Id': { schema: { type: 'string' }, description: 'Names this request in the logs.' },
  }
  if (route.config?.etag) headers.ETag = { schema: { type: 'string' }, description: 'Changes with anything shown.' }
  if (isPaged(shape)) headers.Link = { schema: { type: 'string' }, description: 'first, prev, next and last page.' }
  if (shape['x-bytes']) {
    const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }
    return { description: 'The bytes.', headers, content: { '*/*': { schema: bytes } } }
  }
  if (shape.type === 'null') return { description: 'Done; no content.', headers }
  return { description: 'Done.', headers, content: { 'application/json': content(shape, components) } }
}

/** Each event has a name and data. In OpenAPI 3.1, the schema of a stream describes one event. */
function streamed(events: Record<string, object>, components: Record<string, Json>): Json {
  const shapes = Object.entries(events).map(([name, data]) => ({
    type: 'object',
    required: ['event', 'data'],
    properties: {
      id: { type: 'string' },
      event: { type: 'string', enum: [name] },
      data: hoist(data, components),
    },
  }))
  return { description: 'Server-sent events.', content: { 'text/event-stream': { schema: { anyOf: shapes } } } }
}

const isPaged = (shape: Json) => 'total_pages' in ((shape.properties as Json | undefined) ?? {})

function content(shape: Json, components: Record<string, Json>): Json {
  return { schema: hoist(shape, components), example: exampleOf(shape) }
}

function parametersIn(place: 'path' | 'query', schema: Json | undefined, components: Record<string, Json>): Json[] {
  const required = new Set((schema?.required as string[] | undefined) ?? [])
  return Object.entries((schema?.properties as Record<string, Json> | undefined) ?? {}).map(([name, one]) => {
    const { description, deprecated, ...rest } = one
    return {
      name,
      in: place,
      required: place === 'path' || (required.has(name) && !('default' in one)),
      ...(description ? { description } : {}),
      ...(deprecated ? { deprecated } : {}),
      schema: hoist(rest, components),
    }
  })
}

const IGNORED_KEY = 'Checked for its length and otherwise ignored: this changes nothing and is always safe to repeat.'

function headerParameters(method: string, reads: boolean, etag: boolean): Json[] {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  })
  const found: Json[] = []
  if (method === 'POST')
    found.push(
      header('Idempotency-Key', reads ? IGNORED_KEY : 'Makes the request safe to repeat for 24 hours.', {
        type: 'string',
        minLength: 1,
        maxLength: 255,
      }),
    )
  if (method === 'GET' && etag)
    found.push(header('If-None-Match', 'Answers 304 when this ETag is still the current one.'))
  if (!reads && etag) found.push(header('If-Match', 'Writes only if this ETag is still the current one, else 412.'))
  return found
}

/**
 * Replaces named schemas by references, removes internal keywords, and adds rules that are documented but checked
 * outside the validator of the route.
 */
function hoist(node: unknown, components: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((one) => hoist(one, components))
  if (node === null || typeof node !== 'object') return node
  if ('x-shown-as' in node) return node['x-shown-as']
  const { 'x-component': name, 'x-split': _split, 'x-documented': documented, ...rest } = node as Json
  if (documented) rest.properties = { ...(rest.properties as Json), ...(documented as Json) }
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : hoist(value, components)]),
  )
  if (plain.format === 'text') delete plain.format
  if (typeof name !== 'string') return plain
  if (Array.isArray(plain.type) && plain.type.includes('null')) {
    components[name] ??= { ...plain, type: (plain.type as string[]).find((type) => type !== 'null') }
    return { anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] }
  }
  components[name] ??= plain
  return { $ref: `#/components/schemas/${name}` }
}
