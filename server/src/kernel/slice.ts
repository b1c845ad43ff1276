import type { Static, TSchema } from 'typebox'
import type { Ctx, Log } from './context.ts'
import type { Db, Sql, SqlPart, Tx } from './database/index.ts'
import type { RecordedEvent } from './events.ts'
import type { Face } from './http/request.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'
import type { Store } from './storage/index.ts'

/** What a slice of the product offers to the rest. `app.ts` lists the slices; nothing is discovered. */
export interface Slice {
  name: string
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

/** Ties the type of what `run` takes to the schema that is checked before it runs. */
export function defineTool<T extends TSchema>(
  tool: Omit<Tool, 'input' | 'run'> & { input: T; run(ctx: Ctx, input: Static<T>): Promise<unknown> },
): Tool {
  return tool as Tool
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

export function wire(slices: Slice[], settings: Settings = DEFAULT_SETTINGS): Wiring {
  const wiring: Wiring = {
    during: new Map(),
    on: new Map(),
    jobs: new Map(),
    resources: new Map(),
    onProjectCreated: [],
    tools: new Map(),
    settings,
  }
  for (const slice of slices) {
    for (const [kind, run] of Object.entries(slice.during ?? {})) append(wiring.during, kind, run)
    for (const [kind, run] of Object.entries(slice.on ?? {}))
      append(wiring.on, kind, { run, wanted: slice.wanted?.[kind] })
    for (const [name, job] of Object.entries(slice.jobs ?? {})) wiring.jobs.set(name, job)
    for (const [type, reader] of Object.entries(slice.resources ?? {})) wiring.resources.set(type, reader)
    for (const tool of slice.tools ?? []) wiring.tools.set(tool.name, tool)
    if (slice.onProjectCreated) wiring.onProjectCreated.push(slice.onProjectCreated)
  }
  return wiring
}

function append<T>(map: Map<string, T[]>, key: string, value: T) {
  map.set(key, [...(map.get(key) ?? []), value])
}

/** Starts what the slices do beside requests, as one thing to stop. */
export function startBackground(slices: Slice[], deps: BackgroundDeps): Background {
  const started = slices.flatMap((slice) => (slice.background ? [slice.background(deps)] : []))
  return {
    async stop(finishWithinMs) {
      await Promise.all(started.map((one) => one.stop(finishWithinMs)))
    },
  }
}
