import { Type } from 'typebox'
import type { Sql } from '../../../kernel/database/index.ts'
import { AppError, invalid } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, Items, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import {
  allowApp,
  destinationOf,
  listConnectedApps,
  OAuthError,
  publicOrigin,
  readAuthorizationRequest,
  removeApp,
  SCOPES,
} from '../../../product/oauth/index.ts'

const tags = ['Account']
const Name = Type.String({ description: "The program's own words.", examples: ['Claude Code'] })
const Scope = OneOf(SCOPES, { description: '`read` changes nothing, `full` has all rights of the person.' })
const Query = Type.String({
  minLength: 1,
  maxLength: 8_000,
  description: 'The query that the program sent the browser with, as it is.',
})

const ConnectedApp = named(
  'ConnectedApp',
  Type.Object({
    id: Uuid,
    name: Name,
    destination: Type.String({ description: 'Where it was connected from.', examples: ['claude.ai'] }),
    scope: Scope,
    project: Type.Object({ id: Uuid, name: Type.String({ examples: ['Harbor Checkout'] }) }),
    created_at: Time,
    last_used_at: Time,
  }),
)

const AppRequest = named(
  'ConnectionRequest',
  Type.Object({
    name: Name,
    destination: Type.String({ description: 'Where the answer goes.', examples: ['claude.ai'] }),
    scopes: Type.Array(Scope, { description: 'What the person can choose from, the most last.' }),
    denied_url: Type.String({ description: 'Where to send the browser if the person refuses.' }),
  }),
)

interface Options extends Omit<JobDeps, 'db'> {
  sql: Sql
  baseUrl: string
}

/** Programs that people connect: the page that asks them, and the list of what they allowed. */
export function registerConnectedAppRoutes(face: Face, { sql, baseUrl, ...rest }: Options) {
  face.get(
    '/connected_apps/request',
    operation({
      id: 'readConnectionRequest',
      summary: 'Say what a program asks for',
      tags,
      query: Type.Object({ query: Query }),
      answer: Data(AppRequest),
      ofPerson: true,
      refuses: [400],
    }),
    async (req) => {
      const asked = await readAuthorizationRequest(sql, req.query.query, publicOrigin(req, baseUrl)).catch(inWords)
      const refusal = { error: 'access_denied', error_description: 'The person refused.' }
      return {
        data: {
          name: asked.client.name,
          destination: destinationOf(asked.redirectUri),
          scopes: asked.scopes,
          denied_url: asked.answer(refusal),
        },
      }
    },
  )

  face.post(
    '/connected_apps',
    {
      bodyLimit: 16 * 1024,
      ...operation({
        id: 'connectApp',
        summary: 'Let a program act as you in this project',
        description: 'Answers with the address to send the browser to, which hands the program a code for one minute.',
        tags,
        body: Type.Object({ query: Query, scope: Scope }),
        answers: { 201: Data(Type.Object({ url: Type.String({ examples: ['http://127.0.0.1:33418/?code=…'] }) })) },
        reads: true,
        refuses: [400],
      }),
    },
    async (req, reply) => {
      const { query, scope } = req.body
      const asked = await readAuthorizationRequest(sql, query, publicOrigin(req, baseUrl)).catch(inWords)
      if (!asked.scopes.includes(scope))
        throw invalid([{ pointer: '/scope', detail: `The program asks only for "${asked.scopes.join(' ')}".` }])
      const url = await allowApp(req.ctx, asked, scope)
      reply.code(201)
      return { data: { url } }
    },
  )

  face.get(
    '/connected_apps',
    operation({
      id: 'listConnectedApps',
      summary: 'List the programs that act as you',
      tags,
      answer: Items(ConnectedApp),
      ofPerson: true,
    }),
    async (req) => ({
      items: (await listConnectedApps(sql, req.signedIn!.userId)).map((row) => ({
        id: row.id,
        name: row.client_name,
        destination: destinationOf(row.redirect_uri),
        scope: row.scope,
        project: { id: row.project_id, name: row.project },
        created_at: row.created_at,
        last_used_at: row.last_used_at,
      })),
    }),
  )

  face.delete(
    '/connected_apps/:app_id',
    operation({
      id: 'disconnectApp',
      summary: 'End the access of a program',
      description: 'It takes effect with its next request.',
      tags,
      params: Type.Object({ app_id: Uuid }),
      answers: { 204: Empty },
      ofPerson: true,
    }),
    async (req, reply) => {
      const id = req.params.app_id
      if (!(await removeApp({ ...rest, db: sql }, req.signedIn!.userId, id, req.id)))
        throw new AppError(404, 'not_found', `You have no connected app "${id}". It may have ended.`)
      return reply.code(204).send(null)
    },
  )
}

function inWords(err: unknown): never {
  throw err instanceof OAuthError ? new AppError(400, err.code, err.message) : err
}
