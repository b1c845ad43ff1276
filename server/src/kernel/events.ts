import { announceEvents } from './announcements.ts'
import type { Ctx, JobDeps, RecordedEvent, TxCtx } from './context.ts'
import { type Db, forProject, json, raw, type SqlPart, sendLater } from './database/index.ts'
import type { EventKind, NewEvent } from './event-kinds.ts'

export type { RecordedEvent } from './context.ts'
export type { NewEvent } from './event-kinds.ts'

/** The job that runs `deliverEvent`. */
export const DELIVER_EVENT = 'deliver_event'

/** Inserts events in the caller's transaction, queues jobs for `on` subscribers and runs `during` subscribers. */
export async function recordEvents(ctx: TxCtx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  announceEvents(ctx.db, ctx.actor.projectId)
  const inserting = insertEvents(ctx, events)
  if (!events.some((event) => ctx.wiring.during.has(event.kind))) return sendLater(ctx.db, [inserting])
  const recorded = await inserting
  for (const [index, event] of events.entries())
    for (const run of ctx.wiring.during.get(event.kind) ?? [])
      await run(ctx, toRecorded(ctx, event, recorded[index]!.id))
}

const insertEvents = (ctx: Ctx, events: NewEvent[]) => {
  const { db } = ctx
  const kinds = [...new Set(events.map((event) => event.kind))]
  // Most writes record a single event. It needs no JSON recordset.
  const source = events.length === 1 ? oneEvent(ctx, events[0]!) : manyEvents(ctx, events)
  return db<{ id: string }[]>`with ${recording(ctx, kinds, source)}
    select id, (select count(*) from queued) as queued from recorded order by id`
}

/** What a person does for an agent, by accepting what it proposed, names its run. What an MCP client does names the client. */
function payloadOf({ actor, agent }: Ctx, { payload }: NewEvent) {
  if (actor.origin === 'mcp' && actor.agentName !== undefined) return { ...payload, agent: actor.agentName }
  const isAgent = actor.origin === 'agent' || actor.origin === 'automation'
  return agent?.via && !isAgent ? { ...payload, proposed_by_run: agent.via.runId } : payload
}

const oneEvent = (ctx: Ctx, event: NewEvent) => ctx.db`
  select ${event.kind}::text as kind, ${event.subjectType}::text as subject_type, ${event.subjectId}::uuid as subject_id,
    ${json(payloadOf(ctx, event))}::jsonb as payload, ${event.requestId ?? ctx.requestId}::text as request_id`

const manyEvents = (ctx: Ctx, events: NewEvent[]) => {
  const { db, requestId } = ctx
  const rows = events.map((event) => ({
    kind: event.kind,
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    payload: payloadOf(ctx, event),
    request_id: event.requestId ?? requestId,
  }))
  return db`
    select * from rows from (jsonb_to_recordset(${json(rows)})
      as (kind text, subject_type text, subject_id uuid, payload jsonb, request_id text)) with ordinality
      as e (kind, subject_type, subject_id, payload, request_id, position)
    order by e.position`
}

/**
 * Returns common table expressions that record events of one kind and queue their jobs, for statements where a round
 * trip matters. `source` selects `subject_id`, `payload` and `request_id`, in the order of the events. Throws for a
 * kind with `during` subscribers; use `recordEvents` for those.
 */
export function recordingEvents(ctx: Ctx, { kind, subjectType }: EventKind, source: SqlPart) {
  if (ctx.wiring.during.has(kind)) throw new Error(`Something happens during "${kind}". Use recordEvents.`)
  return recording(
    ctx,
    [kind],
    ctx.db`select ${kind}::text as kind, ${subjectType}::text as subject_type, s.* from (${source}) as s`,
  )
}

/**
 * PostgreSQL runs a selecting expression only if it is used, so the statement must select from both `recorded` and
 * `queued`.
 */
function recording(ctx: Ctx, kinds: string[], source: SqlPart) {
  const { actor, db, wiring } = ctx
  const subscribed = kinds.filter((kind) => wiring.on.has(kind))
  const wanted = subscribed.map((kind) => db`(kind = ${kind} and ${isWanted(ctx, kind)}) or`)
  const alongside = [...wiring.alongside].map(([job, write], index) => ({
    job,
    name: raw(`alongside_${index}`),
    statement: write(db, actor.projectId),
  }))
  const jobs = alongside.map(({ job, name }) => db`select ${job}::text, payload, null::bigint from ${name}`)
  if (subscribed.length > 0)
    jobs.push(db`select ${DELIVER_EVENT}::text, json_build_object('projectId', ${actor.projectId}::text, 'id', id::text), id
      from recorded where ${wanted} false`)
  return db`
    recorded as (
      insert into events (project_id, kind, subject_type, subject_id, user_id, key_id, origin, request_id, payload)
      select ${actor.projectId}, e.kind, e.subject_type, e.subject_id, ${actor.userId}, ${actor.keyId}, ${actor.origin},
        e.request_id, e.payload
      from (${source}) as e
      returning id, kind, subject_type, subject_id, payload
    ), ${alongside.length > 0 ? alongside.map(({ name, statement }) => db`${name} as (${statement}),`) : db``}
    queued as (${jobs.length > 0 ? queueing(db, jobs) : db`select 1 from recorded`})`
}

/** Adds all jobs in one call: adding 500 one by one takes longer than the batch that caused them. */
const queueing = (db: Db, jobs: SqlPart[]) => db`
  select 1 from (
    select array_agg(row(j.name, j.payload, null, null, null, null, null, null)::graphile_worker.job_spec
      order by j.event_id) as jobs
    from (${jobs.map((job, index) => (index > 0 ? db`union all ${job}` : job))}) as j (name, payload, event_id) having count(*) > 0) as w, graphile_worker.add_jobs(w.jobs)`

/** Returns an SQL condition that is true if a subscriber wants the event. */
function isWanted({ db, actor, wiring }: Ctx, kind: string) {
  const subscribers = wiring.on.get(kind) ?? []
  if (subscribers.length === 0) return db`false`
  const [one, ...others] = subscribers.map(({ wanted }) => wanted?.(db, actor.projectId) ?? db`true`)
  return others.length === 0 ? one! : db`(${[one!, ...others].map((part) => db`${part} or`)} false)`
}

export const recordEvent = (ctx: TxCtx, event: NewEvent) => recordEvents(ctx, [event])

function toRecorded(ctx: Ctx, event: NewEvent, id: string): RecordedEvent {
  return {
    kind: event.kind,
    subjectType: event.subjectType,
    subjectId: event.subjectId,
    payload: event.payload,
    id,
    projectId: ctx.actor.projectId,
    userId: ctx.actor.userId,
    keyId: ctx.actor.keyId,
    origin: ctx.actor.origin,
    requestId: event.requestId ?? ctx.requestId,
  }
}

/** Passes a committed event to its `on` subscribers. */
export async function deliverEvent(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId, id } = payload as { projectId: string; id: string }
  const [event] = await deps.db<RecordedEvent[]>`
    select id, project_id as "projectId", kind, subject_type as "subjectType", subject_id as "subjectId",
      user_id as "userId", key_id as "keyId", origin, request_id as "requestId",
      payload
    from events where project_id = ${projectId} and id = ${id}`
  if (!event) return
  const inProject = { ...deps, db: forProject(deps.db, projectId) }
  for (const { run } of deps.wiring.on.get(event.kind) ?? []) await run(event, inProject)
}
