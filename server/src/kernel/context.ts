import type { FastifyBaseLogger } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db, Sql, SqlPart, Tx } from './database/index.ts'
import type { Face } from './http/face.ts'
import type { Settings, SliceSettings } from './settings.ts'
import type { Store } from './storage/index.ts'

export type ProjectRole = 'admin' | 'editor' | 'viewer'
export type OrganizationRole = 'member' | 'admin' | 'super_admin'

/** Through which door something was done. */
export type Origin = 'user' | 'external_api' | 'mcp' | 'agent' | 'automation' | 'system'

/** Who acts, in which project, with which rights. Everything is loaded through it. */
export interface Actor {
  origin: Origin
  organizationId: string
  projectId: string
  /** Null for the operator at the command line. */
  userId: string | null
  userName: string
  userEmail: string
  projectRole: ProjectRole
  organizationRole: OrganizationRole
  keyId: string | null
  /** From which pages the key may be used in a browser; undefined means from all. */
  allowedOrigins?: readonly string[]
}

/** The service's own, so that everything it does can be read in one place. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

export interface Ctx {
  db: Db
  actor: Actor
  requestId: string
  log: Log
  wiring: Wiring
  /** Never called while a transaction is open. */
  store: Store
  /** What absolute links start with. */
  baseUrl: string
  /** The caller's `If-Match` header, untouched. */
  ifMatch: string | undefined
  /** What was computed before the transaction, see `kernel/threads/compute-first.ts`. */
  computed?: Computed[] | undefined
}

export interface Computed {
  task: string
  input: unknown
  value: unknown
}

export interface NewEvent {
  kind: string
  subjectType: string
  subjectId: string
  payload?: Record<string, unknown>
  /** Of the request that caused it, where several are answered in one transaction. */
  requestId?: string
}

export interface RecordedEvent extends Required<Omit<NewEvent, 'requestId'>> {
  id: string
  projectId: string
  userId: string | null
  keyId: string | null
  origin: string
  requestId: string
}

/** What a slice of the product offers to the rest. `app.ts` lists the slices; nothing is discovered. */
export interface Slice {
  name: string
  /** What the operator can set for it. */
  settings?: SliceSettings<unknown>
  /** Routes under the project key's face. */
  externalApi?: (face: Face) => void
  /** Routes for people who are signed in. */
  appApi?: (face: Face) => void
  /** What agents may do here: the same actions as the routes, behind the rights of whoever the agent acts for. */
  tools?: Tool[]
  /** Routes under the reporting key's face. */
  reportingApi?: (face: Face) => void
  /** Runs in the transaction that caused the event: for pairs that may never differ. */
  during?: Record<string, (ctx: Ctx & { db: Tx }, event: RecordedEvent) => Promise<void>>
  /** Runs after commit as a job, at least once. */
  on?: Record<string, (event: RecordedEvent, deps: JobDeps) => Promise<void>>
  /**
   * A condition in SQL: whether an event need be delivered to `on`; without it, always. It is part of the statement that
   * records the event, and spares the queue what nobody waits for.
   */
  wanted?: Record<string, (db: Db, projectId: string) => SqlPart>
  /** Background work by name; `cron` starts it by the clock. */
  jobs?: Record<string, Job>
  /** What goes on beside requests and jobs on every node that has a worker. */
  background?: (deps: BackgroundDeps) => Background
  /** How others read what this slice owns when they show it as connected context. */
  resources?: Record<string, ResourceReader>
  /** Work to do in the transaction that makes a project. */
  onProjectCreated?: (ctx: Ctx & { db: Tx }) => Promise<void>
}

export interface JobDeps {
  db: Db
  wiring: Wiring
  store: Store
  log: Log
}

export interface BackgroundDeps extends JobDeps {
  db: Sql
}

export interface Background {
  stop(finishWithinMs: number): Promise<void>
}

export interface Job {
  cron?: string
  /** For a daily job: if no worker ran at its time, it runs when one starts. */
  catchUp?: boolean
  run: (payload: unknown, deps: JobDeps) => Promise<void>
}

export interface Tool {
  name: string
  /** What the tools of a slice are switched off by. */
  domain: string
  kind: 'view' | 'create' | 'edit' | 'delete'
  /** Other domains that it touches: who may not view one of them does not get it. */
  alsoViews?: string[]
  /** For a model: what it does and when to use it. */
  description: string
  input: TSchema
  run(ctx: Ctx, input: unknown): Promise<unknown>
}

export interface ResourceText {
  id: string
  title: string
  markdownContent: string
}

export type ResourceReader = (db: Db, projectId: string, ids: string[]) => Promise<ResourceText[]>

interface Subscriber {
  run: NonNullable<Slice['on']>[string]
  wanted: NonNullable<Slice['wanted']>[string] | undefined
}

/** The slices' offers, joined once at start. */
export interface Wiring {
  during: Map<string, NonNullable<Slice['during']>[string][]>
  on: Map<string, Subscriber[]>
  jobs: Map<string, Job>
  resources: Map<string, ResourceReader>
  onProjectCreated: NonNullable<Slice['onProjectCreated']>[]
  tools: Map<string, Tool>
  settings: Settings
}
