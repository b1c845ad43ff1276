import type { RouteOptions } from 'fastify'
import type { Credentials } from '../../kernel/http/openapi.ts'
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
    if (route.config?.withoutProject) return { security: [{}], parameters: [], refuses }
    if (route.config?.ofPerson) return { parameters: [], refuses }
    const project = {
      parameters: reads ? [HEADER, QUERY] : [{ ...HEADER, required: true }],
      refuses: [...refuses, 404, 422],
    }
    const key = 'Nobody is signed in, and a key was sent: the same in the external API.'
    return route.config?.opensInBrowser ? { ...project, redirects: { 307: key } } : project
  },
}

export const appDescription: Description = {
  title: 'Slipway app API',
  description:
    'Everything that the external API offers, for people who are signed in, and what only the web needs. See [its guide](/docs/api/app-api).',
  tags: [
    ...TAGS,
    { name: 'Project', description: 'The project itself, and others beside it.' },
    { name: 'Access', description: 'Members, invite links and keys.' },
    { name: 'Account', description: 'What people change about themselves.' },
    { name: 'Session', description: 'Who is signed in, and what changes around them.' },
  ],
  credentials: sessions,
}
