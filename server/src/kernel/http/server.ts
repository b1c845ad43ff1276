import type { IncomingMessage } from 'node:http'
import serializers from '@fastify/fast-json-stringify-compiler'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { AppError, toProblem } from '../errors.ts'
import { loggedError } from '../logged-error.ts'
import { uuidv7 } from '../uuid.ts'
import { answerError, noSuchRoute, sendProblem } from './answers/problem.ts'
import { acceptForms, acceptJson, acceptOptionalBody, bodyHook } from './bodies/body.ts'
import { BODY_MEMORY_BYTES, createBodyBudget } from './bodies/budget.ts'
import { DEFAULT_DEADLINES, type Deadlines, maxDurationMs } from './bodies/deadlines.ts'
import { acceptMultipart, type UploadOptions } from './bodies/multipart.ts'
import { keepingBody, watchBody } from './bodies/watch-body.ts'
import { isAnonymous, limitAnonymous } from './clients/anonymous.ts'
import { isLoopback, limitConnections } from './clients/connections.ts'
import { withIdempotency } from './idempotency.ts'
import { AGENT_HEADER, agentMark, leadsBack } from './own-agents.ts'
import { queryHook } from './query.ts'
import './request.ts'
import { type TrustProxy, trustNobody } from './clients/trust-proxy.ts'
import { withSharedReads } from './shared-reads.ts'
import { validatorCompiler } from './validation.ts'

const LINGER_MS = 5_000
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-cache',
}

export interface ServerOptions extends UploadOptions {
  logger: FastifyServerOptions['logger']
  bodyLimitBytes: number
  /** What all bodies that are read at a moment may occupy. */
  bodyMemoryBytes: number | undefined
  /** Requests per minute that one address may send to what needs no key. */
  rateLimitAnonymous: number | undefined
  https: boolean
  trustProxy: TrustProxy | undefined
  maxConnections: number | undefined
  maxConnectionsPerAddress: number | undefined
  deadlines: Partial<Deadlines> | undefined
  /** Answers a path outside all scopes. Returns undefined if there is nothing at that path. */
  otherPaths?: (req: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined
  /** Hides the secret parts of a path from the log. */
  loggedPath?: (path: string) => string
}

/** Creates a Fastify server with the conventions that all APIs share. It knows routes but not their purpose. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { logger, bodyLimitBytes, https, store, uploadLimitBytes, trustProxy = trustNobody } = options
  const { loggedPath = (path) => path } = options
  const deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines }
  const budget = createBodyBudget(options.bodyMemoryBytes ?? BODY_MEMORY_BYTES)
  const anonymous = limitAnonymous(options.rateLimitAnonymous)
  const app = Fastify({
    logger: logger ? { ...(logger === true ? {} : logger), serializers: { err: loggedError } } : false,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    // A logger per request costs more than adding the request id to the lines that are logged.
    childLoggerFactory: (parent) => parent,
    genReqId: (req) => {
      const sent = req.headers['x-request-id']
      return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : uuidv7()
    },
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    trustProxy,
    connectionTimeout: deadlines.idleMs,
    requestTimeout: deadlines.headersMs + maxDurationMs(deadlines, Math.max(bodyLimitBytes, uploadLimitBytes)),
    http: { headersTimeout: deadlines.headersMs, connectionsCheckingInterval: deadlines.headersMs / 4 },
    routerOptions: { maxParamLength: 4_000, ignoreTrailingSlash: false },
    schemaController: { compilersFactory: { buildSerializer: serializersOnUse } },
    frameworkErrors: (err, req, reply) => {
      reply.header('x-request-id', req.id)
      answerError(err, req, reply as never)
    },
    clientErrorHandler(err, socket) {
      if (!socket.writable) return socket.destroy()
      socket.end(rawRefusal((err as { code?: string }).code))
    },
  })
  const ownMark = agentMark(store)
  const headers = https ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' } : SECURITY_HEADERS

  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(
    (req, reply) => options.otherPaths?.(req, reply) ?? sendProblem(noSuchRoute(req.method, req.url), req, reply),
  )
  app.decorateRequest('ctx', null as never)
  app.decorateRequest('storedKey', undefined)
  app.decorateRequest('prepared', undefined)
  app.decorateRequest('bodyMemory', undefined)
  app.decorateRequest('bodyHolder', undefined)
  app.decorate('bodyDeadlines', deadlines)
  acceptJson(app)
  acceptForms(app)
  acceptMultipart(app, { store, uploadLimitBytes })
  limitConnections(app.server, {
    maxConnections: options.maxConnections,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress,
    isProxy: (address) => isLoopback(address) || trustProxy(address, 0),
    log: app.log,
  })

  app.addHook('onRequest', (req, reply, done) => {
    reply.header('x-request-id', req.id).headers(headers)
    if (req.headers[AGENT_HEADER] === ownMark) return done(leadsBack())
    done(isAnonymous(req) ? anonymous(req) : undefined)
  })
  // Responds before reading the body: nobody needs a key to ask for a route that does not exist.
  app.addHook('preParsing', (req, reply, _payload, done) => {
    const hasBody = req.method !== 'GET' && req.method !== 'HEAD'
    if (req.is404 && hasBody) return done(noSuchRoute(req.method, req.url))
    if (hasBody) watchBody(budget, req, reply)
    done(null)
  })
  app.addHook('onResponse', (req, reply, done) => {
    req.bodyMemory?.release()
    if (req.raw.complete === false) lingerThenClose(req.raw)
    req.log.info(
      {
        request_id: req.id,
        method: req.method,
        path: loggedPath(req.url.split('?', 1)[0]!),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        project_id: req.ctx?.actor.projectId,
        key_id: req.ctx?.actor.keyId ?? undefined,
      },
      'request',
    )
    done()
  })
  app.addHook('onRoute', (route) => {
    // Also runs for the HEAD route that Fastify derives from each GET route.
    acceptOptionalBody(route)
    const schema = route.schema
    const hooks = [route.preValidation ?? []].flat()
    if (schema?.querystring) hooks.push(queryHook(schema.querystring as object) as never)
    if (schema?.body) hooks.push(bodyHook(schema.body as object, String(route.method)) as never)
    if (hooks.length > 0) route.preValidation = hooks
    if (route.method === 'POST') route.handler = withIdempotency(route.handler)
    if (route.method !== 'GET' && route.method !== 'HEAD') route.handler = keepingBody(route.handler)
    if (route.config?.sharedRead) route.handler = withSharedReads(route.handler)
  })
  return app
}

/** Compiling all serializers takes a third of startup, and most processes never use most of them. */
const serializersOnUse: serializers.SerializerFactory = (schemas, options) => {
  const compile = serializers()(schemas, options)
  return (route) => {
    let serialize: serializers.Serializer | undefined
    return (answer) => {
      serialize ??= compile(route)
      return serialize(answer)
    }
  }
}

/**
 * Handles a request that was answered before its body was read, such as a large upload without a key. A client that is
 * still sending when the connection closes may never see the response, so the server discards input for a while before
 * it closes the connection.
 */
function lingerThenClose(req: IncomingMessage): void {
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref()
  const stop = () => clearTimeout(timer)
  req.once('end', stop).once('close', stop).resume()
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Responds 405 with `Allow` if the path exists but not for this method. Call it before adding the routes of the scope.
 */
export function refuseOtherMethods(face: FastifyInstance): { finish(): void } {
  const allowed = new Map<string, Set<string>>()
  let collecting = true
  face.addHook('onRoute', ({ url, method }) => {
    if (!collecting) return
    const methods = allowed.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    allowed.set(url, methods)
  })
  return {
    finish() {
      collecting = false
      for (const [url, methods] of allowed) {
        const path = face.prefix && url.startsWith(face.prefix) ? url.slice(face.prefix.length) : url
        const allow = METHODS.filter((method) => methods.has(method)).join(', ')
        const rest = METHODS.filter((method) => !methods.has(method))
        face.route({
          method: [...rest],
          url: path,
          exposeHeadRoute: false,
          onRequest: (req, _reply, done) => {
            done(
              new AppError(405, 'method_not_allowed', `"${req.method}" is not possible here. Use ${allow}.`, {
                headers: { allow },
              }),
            )
          },
          handler: () => undefined,
        })
      }
    },
  }
}

/** Builds a response to a request that is not valid HTTP. */
function rawRefusal(code: string | undefined): string {
  const tooLarge = code === 'HPE_HEADER_OVERFLOW'
  const timeout = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = tooLarge ? 431 : timeout ? 408 : 400
  const requestId = uuidv7()
  const detail = tooLarge
    ? 'The request headers are too large.'
    : timeout
      ? 'The request was not finished in time.'
      : 'The request is not valid HTTP.'
  const problem = toProblem(new AppError(status, timeout ? 'request_timeout' : 'malformed_request', detail), requestId)
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${status} ${problem.title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
