import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { InjectOptions } from 'fastify'
import { inject, onTestFinished } from 'vitest'
import { type App, type AppOptions, createApp, slices } from '../src/app.ts'
import type { Ctx, ProjectRole } from '../src/kernel/context.ts'
import { type Connection, connect, type Sql } from '../src/kernel/database/index.ts'
import type { OrganizationCtx } from '../src/kernel/organization-events.ts'
import { type JobDeps, wire } from '../src/kernel/slice.ts'
import { createFolderStore, type Store } from '../src/kernel/storage/index.ts'
import { addOrganization, addUser, organizationOperator } from '../src/product/accounts/index.ts'
import {
  addKey,
  addMember,
  addProject,
  type KeyKind,
  operatorCtx,
  type Project,
} from '../src/product/projects/index.ts'
import { failOnUnregisteredEvents } from './event-watch.ts'
import { onDatabase } from './global-setup.ts'
import { outsideTransaction } from './transaction-watch.ts'

let databases = 0

/** Creates a database from the migrated template. */
export async function cloneDatabase(): Promise<string | Connection> {
  const server = inject('databaseServer')
  const name = `slipway_test_${process.ppid}_${process.pid}_${++databases}`
  const root = connect(server, { max: 1 })
  await root.pool.query(`create database ${name} template ${inject('templateDatabase')}`)
  await root.end()
  return onDatabase(server, name)
}

export interface Answer {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  text: string
  bytes: Buffer
}

type Headers = Record<string, string>

export interface Client {
  get(path: string, headers?: Headers): Promise<Answer>
  head(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  delete(path: string, headers?: Headers, body?: unknown): Promise<Answer>
}

export interface Member {
  key: string
  keyId: string
  userId: string
  email: string
  name: string
  api: Client
}

export interface Workspace {
  app: App
  sql: Sql
  where: string | Connection
  /** The dependencies of a background job. */
  deps: JobDeps
  /** For actions on people and organizations. */
  operator: OrganizationCtx
  /** A separate folder, unless the options name another store. */
  store: Store
  /** Creates a project in a new organization, with an admin who has a key. */
  project(): Promise<
    Project & {
      admin: Member
      /** For actions that have no route. */
      operator: Ctx
      join(role: ProjectRole, kind?: KeyKind): Promise<Member>
    }
  >
  client(key: string | undefined, app?: App): Client
  /** Starts another node on the same database. */
  node(options?: Partial<AppOptions>): Promise<App>
  close(): Promise<void>
}

const BASE = '/v2/external-api'
let people = 0

/** Opens the whole service on a fresh database, without a network socket. */
export async function openWorkspace(options: Partial<AppOptions> = {}): Promise<Workspace> {
  const where = await cloneDatabase()
  const sql = connect(where, { max: 8 })
  const wiring = wire(options.slices ?? slices, options.settings)
  const acting = { db: sql, wiring, log: console }
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-files-'))
  const store = options.store ?? createFolderStore({ folder, bucket: 'slipway', installationId: randomUUID() })
  const apps: App[] = []
  const node = async (more: Partial<AppOptions> = {}) => {
    const app = await createApp({
      sql,
      store,
      baseUrl: 'http://slipway.test',
      bodyLimitBytes: 10 * 1024 * 1024,
      uploadLimitBytes: 100 * 1024 * 1024,
      rateLimitExternal: 0,
      rateLimitReporting: 0,
      rateLimitApp: 0,
      ...options,
      ...more,
    })
    apps.push(app)
    return app
  }
  const app = await node()
  const operator = organizationOperator(sql)
  const client = (key: string | undefined, on = app) => clientOf(on, key)

  async function project() {
    const tag = ++people
    const organization = await addOrganization(operator, { name: `Organization ${tag}` })
    const made = await addProject(acting, { name: `Project ${tag}`, organizationId: organization.id })
    const inProject = operatorCtx(acting, made)
    const join = async (role: ProjectRole, kind: KeyKind = 'external'): Promise<Member> => {
      const number = ++people
      const email = `person${number}@example.org`
      const name = `Person ${number}`
      const user = await addUser(operator, { email, name, organizationId: organization.id, role: 'member' })
      await addMember(inProject, user.id, role)
      const key = await addKey(inProject, { kind, userId: user.id, name: 'test' })
      return { key: key.key, keyId: key.id, userId: user.id, email, name, api: client(key.key) }
    }
    return { ...made, operator: inProject, admin: await join('admin'), join }
  }

  const close = async () => {
    // As in main.ts: a connection that was busy when closing began stays open until someone closes it. One that never sent
    // a request does not count as idle, and would stay open for a minute.
    const since = Date.now()
    const sweep = setInterval(() => {
      for (const { server } of apps)
        if (Date.now() - since < 2_000) server.closeIdleConnections()
        else server.closeAllConnections()
    }, 20)
    await Promise.all(apps.map((one) => one.close())).finally(() => clearInterval(sweep))
    await failOnUnregisteredEvents(sql, wiring.events).finally(() => sql.end())
    await rm(folder, { recursive: true, force: true })
  }
  return { app, sql, where, operator, store, deps: { ...acting, store }, project, client, node, close }
}

function clientOf(app: App, key: string | undefined): Client {
  const call = async (
    method: InjectOptions['method'],
    path: string,
    body: unknown,
    headers: Headers = {},
  ): Promise<Answer> => {
    const raw = typeof body === 'string' || Buffer.isBuffer(body)
    const request: InjectOptions = {
      method: method!,
      url: /^\/(v1|v2|livez|readyz|widget)\b/.test(path) ? path : `${BASE}${path}`,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: raw ? (body as string) : JSON.stringify(body) }),
    }
    const res = await outsideTransaction(async () => app.inject(request))
    const json = String(res.headers['content-type'] ?? '').includes('json') && res.payload !== ''
    return {
      status: res.statusCode,
      headers: res.headers as Record<string, string | undefined>,
      body: json ? JSON.parse(res.payload) : undefined,
      text: res.payload,
      bytes: res.rawPayload,
    }
  }
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    head: (path, headers) => call('HEAD', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, headers, body) => call('DELETE', path, body, headers),
  }
}

/** Polls until the condition holds. For work that another process does in its own time; never use a fixed wait. */
export async function eventually<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 30_000,
): Promise<T> {
  const until = Date.now() + withinMs
  for (;;) {
    const value = await check()
    if (value) return value as T
    if (Date.now() > until) throw new Error(`It did not happen within ${withinMs} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export { onTestFinished }
