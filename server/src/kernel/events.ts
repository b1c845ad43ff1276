import type { Ctx } from './context.ts'
import type { Tx } from './database.ts'
import { enqueue } from './jobs.ts'
import type { JobDeps } from './slice.ts'

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

/** The job that runs `deliverEvent`. */
export const DELIVER_EVENT = 'deliver_event'

/** Writes events in the caller's transaction, runs what must happen with them and queues what may happen after. */
export async function recordEvents(ctx: Ctx & { db: Tx }, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const { actor, db } = ctx
  const rows = events.map((event) => ({
    kind: event.kind,
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    payload: event.payload ?? {},
    request_id: event.requestId ?? ctx.requestId,
  }))
  const ids = await db<{ id: string }[]>`
    insert into events (project_id, kind, subject_type, subject_id, user_id, key_id, origin, request_id, payload)
    select ${actor.projectId}, e.kind, e.subject_type, e.subject_id, ${actor.userId}, ${actor.keyId}, ${actor.origin},
      e.request_id, e.payload
    from rows from (jsonb_to_recordset(${db.json(rows as never)})
      as (kind text, subject_type text, subject_id uuid, payload jsonb, request_id text)) with ordinality
      as e (kind, subject_type, subject_id, payload, request_id, position)
    order by e.position
    returning id`
  const waiting: string[] = []
  const awaited = await awaitedKinds(ctx, new Set(events.map((event) => event.kind)))
  for (const [index, event] of events.entries()) {
    const id = ids[index]!.id
    const during = ctx.wiring.during.get(event.kind)
    if (during) {
      const recorded = toRecorded(ctx, event, id)
      for (const run of during) await run(ctx, recorded)
    }
    if (awaited.has(event.kind)) waiting.push(id)
  }
  if (waiting.length > 0)
    await enqueue(
      db,
      DELIVER_EVENT,
      waiting.map((id) => ({ projectId: actor.projectId, id })),
    )
}

/** The kinds that some subscriber wants to hear of. */
async function awaitedKinds(ctx: Ctx & { db: Tx }, kinds: Set<string>): Promise<Set<string>> {
  const awaited = new Set<string>()
  for (const kind of kinds)
    for (const { wanted } of ctx.wiring.on.get(kind) ?? [])
      if (!wanted || (await wanted(ctx))) {
        awaited.add(kind)
        break
      }
  return awaited
}

export const recordEvent = (ctx: Ctx & { db: Tx }, event: NewEvent) => recordEvents(ctx, [event])

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
    requestId: ctx.requestId,
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
  for (const { run } of deps.wiring.on.get(event.kind) ?? []) await run(event, deps)
}
