import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions, RouteOptions } from 'fastify'
import { registerAccountRoutes } from './faces/app-api/account-routes.ts'
import { registerAgentRoutes } from './faces/app-api/agents/agent-routes.ts'
import { authenticateSession } from './faces/app-api/authenticate.ts'
import { registerConnectedAppRoutes } from './faces/app-api/connected-apps/connected-app-routes.ts'
import { registerConnectionRoutes } from './faces/app-api/connections/connection-routes.ts'
import { registerCountRoute } from './faces/app-api/counts/count-route.ts'
import { registerHistoryRoutes } from './faces/app-api/history/history-routes.ts'
import { registerInvitationRoutes } from './faces/app-api/invitation-routes.ts'
import { registerChangeRoutes } from './faces/app-api/live/change-routes.ts'
import { registerStreamRoute } from './faces/app-api/live/stream-route.ts'
import { registerMemberRoutes } from './faces/app-api/member-routes.ts'
import { appDescription } from './faces/app-api/openapi.ts'
import { createPeople } from './faces/app-api/people.ts'
import { createReaders } from './faces/app-api/readers.ts'
import { registerSearchRoute } from './faces/app-api/search/search-route.ts'
import { registerSessionRoutes } from './faces/app-api/session-routes.ts'
import { createSessions } from './faces/app-api/sessions.ts'
import { createSignInGate } from './faces/app-api/sign-in-gate.ts'
import { createSingleSignOn } from './faces/app-api/single-sign-on.ts'
import { registerSingleSignOnRoutes } from './faces/app-api/single-sign-on-routes.ts'
import { registerUseRoute } from './faces/app-api/uses/use-route.ts'
import { authenticateKeys } from './faces/external-api/authenticate.ts'
import { registerHealth } from './faces/external-api/health.ts'
import {
  collectOperations,
  describeOperations,
  externalDescription,
  type OpenApi,
  ownOperations,
  registerOpenApi,
} from './faces/external-api/openapi.ts'
import { registerGuides } from './faces/guides/index.ts'
import { registerMcp } from './faces/mcp/index.ts'
import { allowOtherOrigins, refuseOtherPages } from './faces/reporting-api/cors.ts'
import { limitAddresses, limitBodies, limitFiles } from './faces/reporting-api/limits.ts'
import { reportingDescription } from './faces/reporting-api/openapi.ts'
import { registerRetiredEndpoint } from './faces/reporting-api/retired.ts'
import { createWeb } from './faces/web/index.ts'
import type { Actor } from './kernel/context.ts'
import type { Sql } from './kernel/database/index.ts'
import { closeEventStreams } from './kernel/http/answers/event-stream.ts'
import { noSuchRoute } from './kernel/http/answers/problem.ts'
import type { Deadlines } from './kernel/http/bodies/deadlines.ts'
import type { TrustProxy } from './kernel/http/clients/trust-proxy.ts'
import { handleUpgrades } from './kernel/http/clients/upgrades.ts'
import { registerProbes } from './kernel/http/probes.ts'
import { createServer, refuseOtherMethods } from './kernel/http/server.ts'
import { housekeeping } from './kernel/jobs/housekeeping.ts'
import { createRateLimiter } from './kernel/rate-limit.ts'
import type { Settings } from './kernel/settings.ts'
import { type Slice, wire } from './kernel/slice.ts'
import type { Store } from './kernel/storage/index.ts'
import type { OidcSettings } from './product/accounts/index.ts'
import { artifacts } from './product/artifacts/index.ts'
import { automations } from './product/automations/index.ts'
import { blueprints } from './product/blueprints/index.ts'
import { codeHosts, registerCodeHostReceivers } from './product/code-hosts/index.ts'
import { conversations } from './product/conversations/index.ts'
import { feedback, registerUnsubscribe, registerWidget, UPLOADS } from './product/feedback/index.ts'
import { integrations } from './product/integrations/index.ts'
import { links } from './product/links/index.ts'
import { createLiveEditing, liveTexts } from './product/live-texts/index.ts'
import { oauth, registerOAuth } from './product/oauth/index.ts'
import { createCallCounter, createKeyring, projects } from './product/projects/index.ts'
import { requirements } from './product/requirements/index.ts'
import { transfers } from './product/transfers/index.ts'
import { webhooks } from './product/webhooks/index.ts'
import { workOrders } from './product/work-orders/index.ts'

/** The slices that make up Slipway. */
export const slices: Slice[] = [
  projects,
  oauth,
  links,
  liveTexts,
  artifacts,
  requirements,
  blueprints,
  workOrders,
  feedback,
  integrations,
  conversations,
  automations,
  transfers,
  codeHosts,
  webhooks,
  housekeeping,
]

export interface AppOptions {
  sql: Sql
  store: Store
  baseUrl: string
  bodyLimitBytes: number
  uploadLimitBytes: number
  rateLimitExternal: number
  rateLimitReporting: number
  rateLimitApp: number
  /** Requests per minute that one address may send with a reporting key. Defaults to half of the key's limit. */
  rateLimitReportingPerAddress?: number | undefined
  reportingUploadLimitBytes?: number
  /** What all bodies that are read at a moment may occupy. */
  bodyMemoryBytes?: number
  /** Requests per minute that one address may send to what needs no key. */
  rateLimitAnonymous?: number
  trustProxy?: TrustProxy
  maxConnections?: number
  maxConnectionsPerAddress?: number
  /** Overridden by tests that need shorter deadlines. */
  deadlines?: Partial<Deadlines>
  /** Lets several nodes share typing at once. Without it they share only what is stored. */
  redisUrl?: string | undefined
  /** The identity provider that people can sign in with. */
  oidc?: OidcSettings | undefined
  settings?: Settings
  logger?: FastifyServerOptions['logger']
  /** Overridden by tests only. */
  slices?: Slice[]
  /** Another build of the web, for tests. */
  webFolder?: string
  /** Lets tests see every route. */
  onRoute?: (route: RouteOptions) => void
}

export type App = FastifyInstance & {
  openApiDocument(): object
  appOpenApiDocument(): object
}

/** Creates one encapsulated scope per API, named after its URL segment. */
export async function createApp(options: AppOptions): Promise<App> {
  const { sql, store, baseUrl, bodyLimitBytes, uploadLimitBytes, logger } = options
  const app = createServer({
    logger,
    bodyLimitBytes,
    https: baseUrl.startsWith('https:'),
    store,
    uploadLimitBytes,
    bodyMemoryBytes: options.bodyMemoryBytes,
    rateLimitAnonymous: options.rateLimitAnonymous,
    trustProxy: options.trustProxy,
    maxConnections: options.maxConnections,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress,
    deadlines: options.deadlines,
    otherPaths: createWeb(options.webFolder),
    // Whoever can read the logs must not be able to accept an invitation, or to unsubscribe somebody.
    loggedPath: (path) => path.replace(/^\/(invite|unsubscribe)\/.*/, '/$1/…'),
  })
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  const wiring = wire(options.slices ?? slices, options.settings)
  const keyring = createKeyring(sql)
  const sessions = createSessions({ sql, baseUrl, settings: wiring.settings })
  const live = createLiveEditing({
    sql,
    keyring,
    people: createPeople({ sessions, sql, baseUrl }),
    wiring,
    store,
    baseUrl,
    log: app.log,
    redisUrl: options.redisUrl,
  })
  handleUpgrades(app.server, live.handleUpgrade)
  app.addHook('preClose', live.close)
  registerProbes(app, sql)
  const limiter = options.rateLimitExternal > 0 ? createRateLimiter(sql, options.rateLimitExternal) : undefined
  const calls = createCallCounter(sql, app.log)
  app.addHook('onClose', calls.close)
  const countOperation = (req: FastifyRequest, _reply: unknown, actor: Actor) => {
    const name = (req.routeOptions.schema as { operationId?: string } | undefined)?.operationId
    if (name !== undefined) calls.count(actor, name)
  }
  const byKey = { keyring, limiter, sql, wiring, store, baseUrl }
  let externalOpenApi: OpenApi
  let externalOperations: RouteOptions[]
  let appOpenApi: OpenApi
  let reportingOpenApi: OpenApi

  await app.register(
    async (scope) => {
      const face = scope.withTypeProvider<TypeBoxTypeProvider>()
      const findPerson = createReaders({ sessions, sql })
      authenticateKeys(scope, { kind: 'external', ...byKey, findPerson, alsoAdmit: countOperation })
      const otherMethods = refuseOtherMethods(scope)
      externalOperations = collectOperations(face)
      registerHealth(face)
      for (const slice of options.slices ?? slices) slice.externalApi?.(face)
      externalOpenApi = registerOpenApi(face, externalOperations, baseUrl, externalDescription)
      otherMethods.finish()
      scope.setNotFoundHandler((req) => {
        throw noSuchRoute(req.method, req.url)
      })
    },
    { prefix: '/v2/external-api' },
  )
  app.addHook('preClose', (done) => {
    closeEventStreams(app.server)
    done()
  })
  await app.register(
    async (scope) => {
      const face = scope.withTypeProvider<TypeBoxTypeProvider>()
      const limit = options.rateLimitApp
      const limiter = limit > 0 ? createRateLimiter(sql, limit, 'this account') : undefined
      limitFiles(scope, UPLOADS, options.reportingUploadLimitBytes)
      authenticateSession(scope, { sessions, limiter, sql, wiring, store, baseUrl })
      const otherMethods = refuseOtherMethods(scope)
      const routes = collectOperations(face)
      const acting = { db: sql, wiring, log: app.log }
      const shown = { uploadLimitBytes, currency: wiring.settings.model.currency }
      const gate = createSignInGate()
      const singleSignOn = options.oidc && createSingleSignOn({ acting, baseUrl, oidc: options.oidc })
      const singleSignOnName = singleSignOn?.name
      registerSessionRoutes(face, { sessions, gate, sql, baseUrl, singleSignOnName, shown })
      registerSingleSignOnRoutes(face, { gate, sql, singleSignOn })
      registerInvitationRoutes(face, { sessions, gate, acting, shown })
      registerAccountRoutes(face, { gate, sql })
      registerConnectedAppRoutes(face, { sql, wiring, store, log: app.log, baseUrl })
      registerMemberRoutes(face)
      registerAgentRoutes(face)
      registerStreamRoute(face, sql, wiring.events)
      registerChangeRoutes(face)
      registerCountRoute(face)
      registerSearchRoute(face)
      registerConnectionRoutes(face)
      registerUseRoute(face)
      registerHistoryRoutes(face)
      registerHealth(face)
      for (const slice of options.slices ?? slices) {
        slice.externalApi?.(face)
        slice.appApi?.(face)
      }
      appOpenApi = registerOpenApi(face, ownOperations(routes, externalOperations), baseUrl, appDescription)
      otherMethods.finish()
      scope.setNotFoundHandler((req) => {
        throw noSuchRoute(req.method, req.url)
      })
    },
    { prefix: '/v2/app-api' },
  )

  await app.register(
    async (scope) => {
      const face = scope.withTypeProvider<TypeBoxTypeProvider>()
      const limiter = options.rateLimitReporting > 0 ? createRateLimiter(sql, options.rateLimitReporting) : undefined
      const limitAddress = limitAddresses(options.rateLimitReporting, options.rateLimitReportingPerAddress)
      limitBodies(scope, bodyLimitBytes, options.reportingUploadLimitBytes)
      allowOtherOrigins(scope)
      const alsoAdmit = refuseOtherPages
      authenticateKeys(scope, {
        kind: 'reporting',
        keyring,
        limiter,
        limitAddress,
        sql,
        wiring,
        store,
        baseUrl,
        alsoAdmit,
      })
      const otherMethods = refuseOtherMethods(scope)
      const routes = collectOperations(face)
      for (const slice of options.slices ?? slices) slice.reportingApi?.(face)
      reportingOpenApi = describeOperations(routes, baseUrl, reportingDescription)
      otherMethods.finish()
      scope.setNotFoundHandler((req) => {
        throw noSuchRoute(req.method, req.url)
      })
    },
    { prefix: '/v2/reporting-api' },
  )
  await app.register(async (scope) => registerMcp(scope, { ...byKey, calls }))
  await app.register(async (scope) => {
    registerOAuth(scope.withTypeProvider<TypeBoxTypeProvider>(), { sql, wiring, store, log: app.log, baseUrl })
  })
  await app.register(async (scope) => registerCodeHostReceivers(scope, { sql, wiring, log: app.log }), {
    prefix: '/v2/hooks',
  })
  registerRetiredEndpoint(app, baseUrl)
  registerWidget(app, sql)
  await app.register(async (scope) => registerUnsubscribe(scope, { sql, wiring, log: app.log }))
  registerGuides(app, {
    baseUrl,
    descriptions: {
      external: () => externalOpenApi.prepared(),
      reporting: () => reportingOpenApi.prepared(),
      app: () => appOpenApi.prepared(),
    },
  })
  return Object.assign(app, {
    openApiDocument: () => externalOpenApi.document(),
    appOpenApiDocument: () => appOpenApi.document(),
  })
}
