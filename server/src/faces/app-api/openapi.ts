import type { RouteOptions } from 'fastify'
import type { Credentials } from '../../kernel/http/openapi/describe.ts'
import type { Description } from '../external-api/openapi.ts'
import { TAGS } from '../external-api/openapi.ts'

const PROJECT = { type: 'string', format: 'uuid' }
const HEADER = {
  name: 'X-Project-Id',
  in: 'header',
  required: false,
  description: 'The project. Required unless the query names it.',
  schema: PROJECT,
}
const QUERY = {
  name: 'project_id',
  in: 'query',
  required: false,
  description: 'The project, for addresses that a browser opens by itself and without headers.',
  schema: PROJECT,
}

const sessions: Credentials = {
  schemes: { Session: { type: 'apiKey', in: 'cookie', name: 'slipway.session_token' } },
  refusals: {
    401: 'Nobody is signed in.',
    403: 'You may not do this, or a page of another site sends it.',
    404: 'No such thing in this project, or no such project.',
  },
  of(route: RouteOptions) {
    const reads = route.method === 'GET'
    const refuses = reads ? [] : [403]
    if (route.config?.withoutProject) return { security: [{}], parameters: {}, refuses }
    if (route.config?.ofPerson) return { parameters: {}, refuses }
    return {
      parameters: reads ? { ProjectHeader: HEADER, ProjectQuery: QUERY } : { Project: { ...HEADER, required: true } },
      refuses: [...refuses, 404, 422],
    }
  },
}

export const appDescription: Description = {
  title: 'Slipway app API',
  description: [
    'What only people who are signed in can do. See [its guide](/docs/api/app-api).',
    'Besides, every operation of the [external API](/docs/external.openapi.json) exists here at the same path, below `/v2/app-api` instead of `/v2/external-api`: with a session instead of a key, and with the header `X-Project-Id`, which a GET may replace by the parameter `project_id`. Its body and its answers are the same, and like the operations below it answers 403, 404 and 422 to a session, a project or a page that may not use it. An address of the content of an artifact answers 307 to a key, and names the same in the external API.',
  ].join('\n\n'),
  tags: [
    ...TAGS,
    { name: 'Project', description: 'The project itself, and others beside it.' },
    { name: 'Access', description: 'Members, invite links and keys.' },
    { name: 'Account', description: 'What people change about themselves.' },
    { name: 'Session', description: 'Who is signed in, and what changes around them.' },
  ],
  credentials: sessions,
  examples: false,
}
