import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Sql } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { answerError } from '../../kernel/http/answers/problem.ts'
import { clientNetwork } from '../../kernel/http/clients/client-network.ts'
import type { Face } from '../../kernel/http/request.ts'
import { createMinuteCounts } from '../../kernel/minute-counts.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { isUuid, uuidv7 } from '../../kernel/uuid.ts'
import { checkRedirectUri, shownName } from './client.ts'
import { redeemCode, refreshTokens, revokeToken } from './grants.ts'
import { RESOURCES, resourceMetadata, serverMetadata } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { publicOrigin } from './origin.ts'
import { insertClient } from './queries.ts'
import { RefusedRequest, readAuthorizationRequest, readResource } from './request.ts'
import * as schema from './schema.ts'

/** Requests per minute and address. A program registers once and asks for a token about once an hour. */
const LIMITS = { register: 20, token: 120, authorize: 120 }
const BODY_LIMIT_BYTES = 16 * 1024

interface Options extends Omit<JobDeps, 'db'> {
  sql: Sql
  baseUrl: string
}

/** What programs call to get access: RFC 6749 with PKCE, 7009, 7591, 8414 and 9728. None of it needs a key. */
export function registerOAuth(face: Face, { sql, baseUrl, ...rest }: Options): void {
  const counts = createMinuteCounts()
  const limit =
    (name: keyof typeof LIMITS) => (req: FastifyRequest, _reply: FastifyReply, done: (err?: Error) => void) => {
      const wait = counts.take([{ name: `${name} ${clientNetwork(req.ip)}`, limit: LIMITS[name] }])
      done(wait > 0 ? tooMany(wait) : undefined)
    }
  const depsOf = (req: FastifyRequest) => ({ ...rest, db: sql, requestId: req.id })
  face.setErrorHandler(answerInOAuth)
  allowPages(face)

  const anonymous = { config: { anonymous: true } }
  const describing = { ...anonymous, schema: { response: { 200: schema.ResourceMetadata } } }
  face.get('/.well-known/oauth-protected-resource', describing, async (req) =>
    resourceMetadata(publicOrigin(req, baseUrl), '/mcp'),
  )
  for (const resource of RESOURCES)
    face.get(`/.well-known/oauth-protected-resource${resource}`, describing, async (req) =>
      resourceMetadata(publicOrigin(req, baseUrl), resource),
    )
  for (const suffix of ['', ...RESOURCES])
    face.get(
      `/.well-known/oauth-authorization-server${suffix}`,
      { ...anonymous, schema: { response: { 200: schema.ServerMetadata } } },
      async (req) => serverMetadata(publicOrigin(req, baseUrl)),
    )

  face.post(
    '/oauth/register',
    {
      onRequest: limit('register'),
      bodyLimit: BODY_LIMIT_BYTES,
      schema: { body: schema.ClientMetadata, response: { 201: schema.RegisteredClient, ...schema.REFUSALS } },
    },
    async ({ body }, reply) => {
      const { redirect_uris: redirectUris, grant_types, response_types } = body
      for (const uri of redirectUris) checkRedirectUri(uri)
      if (grant_types && !grant_types.includes('authorization_code'))
        throw new OAuthError('invalid_client_metadata', 'Only the grant type "authorization_code" is possible.')
      if (response_types && !response_types.includes('code'))
        throw new OAuthError('invalid_client_metadata', 'Only the response type "code" is possible.')
      const client = { id: uuidv7(), name: shownName(body.client_name, redirectUris[0]!), redirectUris }
      await insertClient(sql, client)
      reply.code(201).header('cache-control', 'no-store')
      return {
        client_id: client.id,
        client_id_issued_at: Math.floor(Date.now() / 1_000),
        client_name: client.name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
    },
  )

  // A browser comes here. The page that asks the person is part of the web app, which also signs them in first.
  face.get('/oauth/authorize', { onRequest: limit('authorize'), exposeHeadRoute: false }, async (req, reply) => {
    const at = req.url.indexOf('?')
    const query = at < 0 ? '' : req.url.slice(at + 1)
    const refused = await readAuthorizationRequest(sql, query, publicOrigin(req, baseUrl)).catch((err) => {
      if (err instanceof OAuthError) return err
      throw err
    })
    reply.header('cache-control', 'no-store')
    return reply.redirect(refused instanceof RefusedRequest ? refused.redirectTo : `/connect-app?${query}`)
  })

  const form = { bodyLimit: BODY_LIMIT_BYTES, config: { form: true } }
  face.post(
    '/oauth/token',
    {
      ...form,
      onRequest: limit('token'),
      schema: { body: schema.TokenForm, response: { 200: schema.Tokens, ...schema.REFUSALS } },
    },
    async (req, reply) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      const { body } = req
      const resource = body.resource === undefined ? undefined : readResource(body.resource, publicOrigin(req, baseUrl))
      const asked = { clientId: needed(body, 'client_id'), resource }
      switch (needed(body, 'grant_type')) {
        case 'authorization_code': {
          const verifier = needed(body, 'code_verifier')
          return redeemCode(depsOf(req), needed(body, 'code'), { ...asked, verifier, redirectUri: body.redirect_uri })
        }
        case 'refresh_token':
          return refreshTokens(depsOf(req), needed(body, 'refresh_token'), asked)
      }
      throw new OAuthError(
        'unsupported_grant_type',
        'Only the grant types "authorization_code" and "refresh_token" are possible.',
      )
    },
  )

  face.post(
    '/oauth/revoke',
    {
      ...form,
      onRequest: limit('token'),
      schema: { body: schema.RevocationForm, response: { 200: Type.Object({}), ...schema.REFUSALS } },
    },
    async (req, reply) => {
      reply.header('cache-control', 'no-store')
      await revokeToken(depsOf(req), req.body.token, needed(req.body, 'client_id'))
      return {}
    },
  )
}

function needed<K extends string>(form: Partial<Record<K, string | undefined>>, name: K): string {
  const value = form[name]
  if (!value) throw new OAuthError('invalid_request', `"${name}" is missing.`)
  if (name === 'client_id' && !isUuid(value)) throw new OAuthError('invalid_client', 'This program is not known.', 401)
  return value
}

/** Programs that run in a browser may call these, too: nothing here depends on a cookie. */
function allowPages(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_req, reply, done) => {
    reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
    done()
  })
  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke', '/.well-known/oauth-*'])
    scope.options(path, (_req, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
          'access-control-max-age': 7_200,
        })
        .code(204)
        .send(),
    )
}

function answerInOAuth(err: FastifyError, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (err instanceof OAuthError) return reply.code(err.status).send(err.toJSON())
  if (!(err instanceof AppError) || err.status >= 500) return answerError(err, req, reply)
  const isClient = req.routeOptions.url === '/oauth/register'
  const code = err.status === 429 ? 'too_many_requests' : isClient ? 'invalid_client_metadata' : 'invalid_request'
  const status = err.status === 422 ? 400 : err.status
  return reply.code(status).headers(err.headers).send(new OAuthError(code, err.message).toJSON())
}

const tooMany = (seconds: number) =>
  new AppError(429, 'too_many_requests', `Too many requests from this address. Wait ${seconds} s and send it again.`, {
    headers: { 'retry-after': String(seconds) },
  })
