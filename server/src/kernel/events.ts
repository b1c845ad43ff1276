import type { Ctx, JobDeps, NewEvent, RecordedEvent } from './context.ts'
import { forProject, json, type SqlPart, type Statement, sendTogether, type Tx } from './database/index.ts'
import { enqueue } from './jobs/jobs.ts'

export type { NewEvent, RecordedEvent } from './context.ts'

/** The job that runs `deliverEvent`. */
export const DELIVER_EVENT = 'deliver_event'

/**
 * Writes events in the caller's transaction, runs what must happen with them and queues what may happen after. The
 * statements that make the change may go along, in front of the events: that saves a round trip.
 */
export async function recordEvents(
  ctx: Ctx & { db: Tx },
  events: NewEvent[],
  changes: Statement<unknown>[] = [],
): Promise<void> {
  if (events.length === 0) {
    await sendTogether(changes)
    return
  }
  const inserting = events.length === 1 ? insertEvent(ctx, events[0]!) : insertEvents(ctx, events)
  const recorded = (await sendTogether([...changes, inserting])).at(-1) as Inserted
  const waiting: string[] = []
  for (const [index, event] of events.entries()) {
    const { id, wanted } = recorded[index]!
    const during = ctx.wiring.during.get(event.kind)
    if (during) {
      const happened = toRecorded(ctx, event, id)
      for (const run of during) await run(ctx, happened)
    }
    if (wanted) waiting.push(id)
  }
  if (waiting.length > 0)
    await enqueue(
      ctx.db,
      DELIVER_EVENT,
      waiting.map((id) => ({ projectId: ctx.actor.projectId, id })),
    )
}

type Inserted = { id: string; wanted: boolean }[]

/** What most writes do: it needs no JSON to be taken apart. */
const insertEvent = (ctx: Ctx, event: NewEvent) => {
  const { actor, db } = ctx
  return db<Inserted>`
    with recorded as (
      insert into events (project_id, kind, subject_type, subject_id, user_id, key_id, origin, request_id, payload)
      values (${actor.projectId}, ${event.kind}, ${event.subjectType}, ${event.subjectId}, ${actor.userId}, ${actor.keyId},
        ${actor.origin}, ${event.requestId ?? ctx.requestId}, ${json(event.payload ?? {})})
      returning id
    )
    select id, ${isWanted(ctx, event.kind)} as wanted from recorded`
}

const insertEvents = (ctx: Ctx, events: NewEvent[]) => {
  const { actor, db } = ctx
  const rows = events.map((event) => ({
    kind: event.kind,
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    payload: event.payload ?? {},
    request_id: event.requestId ?? ctx.requestId,
  }))
  const kinds = new Set(events.map((event) => event.kind))
  return db<Inserted>`
    with recorded as (
      insert into events (project_id, kind, subject_type, subject_id, user_id, key_id, origin, request_id, payload)
      select ${actor.projectId}, e.kind, e.subject_type, e.subject_id, ${actor.userId}, ${actor.keyId}, ${actor.origin},
        e.request_id, e.payload
      from rows from (jsonb_to_recordset(${json(rows)})
        as (kind text, subject_type text, subject_id uuid, payload jsonb, request_id text)) with ordinality
        as e (kind, subject_type, subject_id, payload, request_id, position)
      order by e.position
      returning id, kind
    )
    select id, ${[...kinds].map((kind) => db`(kind = ${kind} and ${isWanted(ctx, kind)}) or`)} false as wanted
    from recorded order by id`
}

/**
 * The parts of a larger statement that records events of one kind and queues what waits for them, for where a round trip
 * counts. `source` selects `subject_id`, `payload` and `request_id` in their order. Undefined when something must happen
 * during such an event: that needs `recordEvents`.
 */
export function recordingEvents(ctx: Ctx, kind: string, subjectType: string, source: SqlPart) {
  const { actor, db, wiring } = ctx
  if (wiring.during.has(kind)) return undefined
  const record = db`
    insert into events (project_id, kind, subject_type, subject_id, user_id, key_id, origin, request_id, payload)
    select ${actor.projectId}, ${kind}, ${subjectType}, e.subject_id, ${actor.userId}, ${actor.keyId}, ${actor.origin},
      e.request_id, e.payload
    from (${source}) as e
    returning id`
  // What selects is run only where it is asked for, so whoever uses this must select from both.
  const queue = wiring.on.has(kind)
    ? db`select graphile_worker.add_job(${DELIVER_EVENT}, json_build_object('projectId', ${actor.projectId}::text, 'id', r.id::text))
        from recorded r where ${isWanted(ctx, kind)} order by r.id`
    : db`select 1 from recorded`
  return db`recorded as (${record}), queued as (${queue})`
}

/** In SQL: whether some subscriber waits for such an event. */
function isWanted({ db, actor, wiring }: Ctx, kind: string) {
  const subscribers = wiring.on.get(kind) ?? []
  if (subscribers.length === 0) return db`false`
  const [one, ...others] = subscribers.map(({ wanted }) => wanted?.(db, actor.projectId) ?? db`true`)
  return others.length === 0 ? one! : db`(${[one!, ...others].map((part) => db`${part} or`)} false)`
}

export const recordEvent = (ctx: Ctx & { db: Tx }, event: NewEvent, changes?: Statement<unknown>[]) =>
  recordEvents(ctx, [event], changes)

function toRecorded(ctx: Ctx, event: NewEvent, id: string): RecordedEvent {
  return {
    kind: event.kind,
    subjectType: event.subjectType,
    subjectId: event.subjectId,
    payload: event.payload ?? {},
    id,
    projectId: ctx.actor.projectId,
    userId: ctx.actor.userId,
    keyId: ctx.actor.keyId,
    origin: ctx.actor.origin,
    requestId: event.requestId ?? ctx.requestId,
  }
}

/** Hands a committed event to its `on` subscribers. */
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
