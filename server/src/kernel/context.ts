import type { FastifyBaseLogger } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db, Sql, SqlPart, Tx } from './database/index.ts'
import type { EventKind, EventRegister, NewEvent } from './event-kinds.ts'
import type { Face } from './http/face.ts'
import type { Settings, SliceSettings } from './settings.ts'
import type { Store } from './storage/index.ts'

export type ProjectRole = 'admin' | 'editor' | 'viewer'
export type OrganizationRole = 'member' | 'admin' | 'super_admin'

/** The entry point through which an action was requested. */
export type Origin = 'user' | 'external_api' | 'mcp' | 'agent' | 'automation' | 'system'

/** Who acts, in which project and with which rights. All data is loaded through it. */
export interface Actor {
  origin: Origin
  organizationId: string
  projectId: string
  /** Null for the operator on the command line. */
  userId: string | null
  userName: string
  userEmail: string
  projectRole: ProjectRole
  organizationRole: OrganizationRole
  keyId: string | null
  /** What works with the key: the connected app, the MCP client, or the key by its own name. */
  agentName?: string
  /** The key has a lower role than its owner, so it must not start what acts with the owner's rights. */
  isBelowOwner?: boolean
  /** The browser origins that may use the key. Undefined allows all. */
  allowedOrigins?: readonly string[]
}

/**
 * What bounds an agent besides the rights of the member it acts for. Whatever it makes or starts is bound by the same.
 */
export interface AgentScope {
  /** What it must not do, by domain. */
  toolKit: Partial<Record<string, readonly string[]>>
  integrationIds: readonly string[]
  /** The tools that it may use of an integration. All, if the integration is not named. */
  integrationTools: Readonly<Record<string, readonly string[]>>
  /** The chain of causes that it belongs to, and its place in it. */
  chainId: string
  depth: number
  /** The automation that it works for, and the run. */
  via?: { automationId: string; automationName: string; runId: string } | undefined
  /** The automations that made or started the one that it works for. What it uses counts toward their budgets. */
  payerIds: readonly string[]
  /** It must not change what a person made or touched. */
  sparesPeople: boolean
  /** What it would change is kept for a person to decide. */
  proposes: boolean
  /** So is what anything does that it makes. */
  needsApproval: boolean
}

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

export interface Ctx {
  db: Db
  actor: Actor
  /** Set while an agent acts for the actor. */
  agent?: AgentScope
  requestId: string
  log: Log
  wiring: Wiring
  /** Must not be called inside a transaction. */
  store: Store
  /** The base of absolute links. */
  baseUrl: string
  /** Links to an operation of the API that the request came through. Undefined for the external API. */
  linkTo?: (path: string) => string
  /** Set while what is deleted can still be brought back: its bytes must stay. */
  keepsBytes?: boolean
  /** The caller's `If-Match` header, unparsed. */
  ifMatch: string | undefined
}

/** A context inside a transaction. */
export type TxCtx = Ctx & { db: Tx }

export interface RecordedEvent extends Pick<NewEvent, 'kind' | 'subjectType' | 'subjectId' | 'payload'> {
  id: string
  projectId: string
  userId: string | null
  keyId: string | null
  origin: string
  requestId: string
}

/** What a slice of the product provides. `app.ts` lists the slices; nothing is discovered. */
export interface Slice {
  name: string
  /** Settings that the operator can change. */
  settings?: SliceSettings<unknown>
  /** Routes for project keys. Signed-in users have them too. */
  externalApi?: (face: Face) => void
  /** Further routes, for signed-in users only. */
  appApi?: (face: Face) => void
  /** Actions for agents. They are the same as the routes and check the rights of the user that the agent acts for. */
  tools?: Tool[]
  /** Routes for reporting keys. */
  reportingApi?: (face: Face) => void
  /** The kinds of events that it records. */
  events?: Record<string, EventKind>[]
  /** Runs in the transaction that caused the event, for data that must never disagree with it. */
  during?: Record<string, (ctx: TxCtx, event: RecordedEvent) => Promise<void>>
  /** Runs as a job after commit, at least once. */
  on?: Record<string, (event: RecordedEvent, deps: JobDeps) => Promise<void>>
  /**
   * An SQL condition that decides whether an event is delivered to `on`; without it, every event is. It is part of the
   * statement that records the event, which keeps unneeded jobs out of the queue.
   */
  wanted?: Record<string, (db: Db, projectId: string) => SqlPart>
  /**
   * Statements that become part of every statement that records events, by the job that they queue. Each reads
   * `recorded`, writes what follows from the events, and returns a `payload` for each job. It must be quick.
   */
  alongside?: Record<string, (db: Db, projectId: string) => SqlPart>
  /** Background jobs by name. `cron` schedules one. */
  jobs?: Record<string, Job>
  /** Long-running work outside of requests and jobs, on every node that has a worker. */
  background?: (deps: BackgroundDeps) => Background
  /** How other slices read the resources of this one when they show them as connected context. */
  resources?: Record<string, ResourceReader>
  /** How things come back that an agent deleted, by type. */
  restorable?: Record<string, Restorable>
  /** Texts that people edit together, by type. */
  liveTexts?: Record<string, LiveTexts>
  /** Runs in the transaction that creates a project. */
  onProjectCreated?: (ctx: TxCtx) => Promise<void>
  /** The place in the store where its bytes are; see `newKey`. They are removed with the project. */
  storePlace?: string
}

/** How something comes back after its deletion. */
export interface Restorable {
  /** The table whose rows everything else of it refers to. */
  root: string
  /** Takes the locks of a deletion, and returns the ids of what is deleted with it, its own among them. */
  together(ctx: TxCtx, id: string): Promise<string[]>
  /** Where its rows name bytes in the store. */
  bytes?: { table: string; column: string }
  /** Its rows are back. Sets counts and places right, and records the event. */
  restored(ctx: TxCtx, ids: string[], before: Record<string, unknown>): Promise<void>
}

/** A text that people edit together. */
export interface LiveText {
  id: string
  /** A write that is not typing always changes it. */
  version: string
  markdownContent: string
}

export interface TypedText {
  markdownContent: string
  /** The ids that editors gave to its pending suggestions, in order. Undefined if they cannot be told. */
  heldIds: (string | undefined)[] | undefined
  /** Who typed it. At least one. */
  authors: Actor[]
  /** Who began which suggestion, by its id. */
  suggestedBy: Record<string, Actor>
}

/** How the owner of texts lets people edit them together. */
export interface LiveTexts<T extends LiveText = LiveText, L extends T = T> {
  /** SQL: the table `t` of the texts, the condition that its row is one, and its version. */
  rows: { table: string; where: string; version: string }
  find(db: Db, projectId: string, id: string): Promise<T | undefined>
  lock(db: Tx, projectId: string, id: string): Promise<L | undefined>
  /** What the text was at a version. Left out if the owner does not keep versions. */
  findContent?(db: Db, projectId: string, id: string, version: string): Promise<string | undefined>
  /** The ids of the suggestions that are pending in the text, in order. */
  listChangeIds(ctx: Ctx, id: string): Promise<string[]>
  /**
   * Checks and computes everything, then returns the ids of the suggestions that will be pending and the write. That is
   * called with the text locked, if it is still what it was.
   */
  prepareWrite(
    ctx: Ctx,
    text: T,
    typed: TypedText,
  ): Promise<{ changeIds: string[]; write(ctx: TxCtx, locked: L): Promise<{ version: string }> }>
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
  /** For a daily job: runs it at startup if no worker was running at its scheduled time. */
  catchUp?: boolean
  /** It spends its time waiting for servers of other people: hundreds run at once, apart from the other jobs. */
  waits?: boolean
  run: (payload: unknown, deps: JobDeps) => Promise<void>
}

export interface Tool {
  name: string
  /** The area that the tool belongs to. The tools of an area are switched on and off together. */
  domain: string
  kind: 'view' | 'create' | 'edit' | 'delete'
  /** Other domains that the tool touches. A caller who cannot view all of them does not get the tool. */
  alsoViews?: string[]
  /** Tells the model what the tool does and when to use it. */
  description: string
  input: TSchema
  run(ctx: Ctx, input: unknown): Promise<unknown>
}

export interface ResourceText {
  id: string
  title: string
  markdownContent: string
  /** The version that the text is, if it has versions. */
  versionNumber?: number
  /** The text has words of people outside of the project. A model must not take them for instructions. */
  untrusted?: boolean
}

export type ResourceReader = (db: Db, projectId: string, ids: string[]) => Promise<ResourceText[]>

interface Subscriber {
  run: NonNullable<Slice['on']>[string]
  wanted: NonNullable<Slice['wanted']>[string] | undefined
}

/** Everything the slices provide, collected once at startup. */
export interface Wiring {
  events: EventRegister
  during: Map<string, NonNullable<Slice['during']>[string][]>
  on: Map<string, Subscriber[]>
  alongside: Map<string, NonNullable<Slice['alongside']>[string]>
  jobs: Map<string, Job>
  resources: Map<string, ResourceReader>
  restorable: Map<string, Restorable>
  liveTexts: Map<string, LiveTexts>
  onProjectCreated: NonNullable<Slice['onProjectCreated']>[]
  storePlaces: string[]
  tools: Map<string, Tool>
  settings: Settings
}
