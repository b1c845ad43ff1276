import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { type Components, content, describeSchema, type Json, refer } from './schemas.ts'

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

const header = (description: string) => ({ schema: { type: 'string' }, description })
const HEADERS: Record<string, Json> = {
  'X-Request-Id': header('Names this request in the logs.'),
  ETag: header('Changes with anything shown.'),
  Link: header('first, prev, next and last page.'),
}

export const success = (shape: Json, route: RouteOptions, components: Components): Json => {
  const names = ['X-Request-Id', ...(route.config?.etag ? ['ETag'] : []), ...(isPaged(shape) ? ['Link'] : [])]
  const headers = Object.fromEntries(names.map((name) => [name, refer(components, 'headers', name, HEADERS[name]!)]))
  if (shape['x-bytes']) {
    const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }
    return { description: 'The bytes.', headers, content: { '*/*': { schema: bytes } } }
  }
  if (shape.type === 'null') return { description: 'Done; no content.', headers }
  return { description: 'Done.', headers, content: { 'application/json': content(shape, components) } }
}

const isPaged = (shape: Json) => 'total_pages' in ((shape.properties as Json | undefined) ?? {})

/** Each event has a name and data. In OpenAPI 3.1, the schema of a stream describes one event. */
export function streamed(events: Record<string, object>, components: Components): Json {
  const shapes = Object.entries(events).map(([name, data]) => ({
    type: 'object',
    required: ['event', 'data'],
    properties: {
      id: { type: 'string' },
      event: { type: 'string', enum: [name] },
      data: describeSchema(data, components),
    },
  }))
  return { description: 'Server-sent events.', content: { 'text/event-stream': { schema: { anyOf: shapes } } } }
}

export function refusal(status: number, texts: Record<number, string>, components: Components): Json {
  return refer(components, 'responses', `Problem${status}`, {
    description: texts[status] ?? REFUSALS[status] ?? STATUS_CODES[status],
    content: { 'application/problem+json': { schema: refer(components, 'schemas', 'Problem', PROBLEM) } },
  })
}
