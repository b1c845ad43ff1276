import type { Ctx } from '../../kernel/context.ts'
import { inTransaction, json, type Tx } from '../../kernel/database/index.ts'
import { conflict, fieldNotFound, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvents } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { findResources, type Link } from '../../links/index.ts'
import { loadAutomation, lockAutomation } from '../actions.ts'
import type { Automation, TriggerType } from '../automation.ts'
import { FEEDBACK_TRIAGE } from '../built-in.ts'
import { announceCancel, wakeDispatchers } from '../dispatcher/wake.ts'
import { authorizeCancel, authorizeUpdate } from '../policy.ts'
import { listTellings } from '../queries.ts'
import { refuseFullQueue } from '../triggers/full-queue.ts'
import { copyJoinedItems } from '../triggers/joined-items.ts'
import { lineageOf } from './lineage.ts'
import { isFinished, type Run, type RunStatus, runEnded, type Subject } from './run.ts'
import { findRun, listRuns, lockRun } from './run-queries.ts'
import { leaveWord, openTalk } from './word.ts'

export interface NewRun {
  automationId: string
  triggerType: TriggerType
  triggerId?: string | null
  scheduledFor?: string | null
  eventId?: string | null
  subject?: Subject | null
  cause?: Record<string, unknown>
  lineage?: string[]
  retryOf?: string | null
}

/** Writes down runs that shall happen; the ids of those that are new. What an event has started already is not. */
export async function scheduleRuns(ctx: Ctx & { db: Tx }, wanted: NewRun[]): Promise<string[]> {
  const { db, actor } = ctx
  const rows = wanted.map((run) => ({
    id: uuidv7(),
    automation_id: run.automationId,
    trigger_type: run.triggerType,
    trigger_id: run.triggerId ?? null,
    scheduled_for: run.scheduledFor ?? null,
    event_id: run.eventId ?? null,
    subject_type: run.subject?.type ?? null,
    subject_id: run.subject?.id ?? null,
    cause: run.cause ?? {},
    lineage: run.lineage ?? [],
    retry_of: run.retryOf ?? null,
  }))
  const inserted = await db<{ id: string; automation_id: string; trigger_type: string }[]>`
    insert into automation_runs (project_id, id, automation_id, status, trigger_type, trigger_id, scheduled_for, event_id,
      subject_type, subject_id, cause, lineage, retry_of, created_at)
    select ${actor.projectId}, r.id, r.automation_id, 'scheduled', r.trigger_type, r.trigger_id, r.scheduled_for, r.event_id,
      r.subject_type, r.subject_id, r.cause, r.lineage, r.retry_of, now()
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, automation_id uuid, trigger_type text,
      trigger_id uuid, scheduled_for timestamptz, event_id bigint, subject_type text, subject_id uuid, cause jsonb,
      lineage uuid[], retry_of uuid)
    on conflict (project_id, automation_id, event_id) where event_id is not null and retry_of is null do nothing
    returning id, automation_id, trigger_type`
  if (inserted.length === 0) return []
  await db`
    update automations a set run_count = a.run_count + n.runs
    from (select automation_id, count(*)::int as runs
      from unnest(${inserted.map((one) => one.automation_id)}::uuid[]) as u (automation_id) group by 1) n
    where a.project_id = ${actor.projectId} and a.id = n.automation_id`
  await openTalks(ctx, inserted)
  await recordEvents(
    ctx,
    inserted.map((one) => ({
      kind: 'automation_run.scheduled',
      subjectType: 'automation_run',
      subjectId: one.id,
      payload: { automation_id: one.automation_id, trigger_type: one.trigger_type },
    })),
  )
  await wakeDispatchers(db)
  return inserted.map((one) => one.id)
}

/** Runs of an automation without an owner have nobody to talk to. */
async function openTalks(ctx: Ctx & { db: Tx }, runs: { id: string; automation_id: string }[]): Promise<void> {
  const { projectId } = ctx.actor
  const automations = await listTellings(ctx.db, projectId, [...new Set(runs.map((run) => run.automation_id))])
  const byId = new Map(automations.map((one) => [one.id, one]))
  for (const { id, automation_id } of runs) {
    const automation = byId.get(automation_id)
    if (!automation?.ownerId) continue
    const run = (await findRun(ctx.db, projectId, id))!
    const conversationId = await openTalk(ctx, projectId, automation.ownerId, automation, run)
    await ctx.db`update automation_runs set conversation_id = ${conversationId}
      where project_id = ${projectId} and id = ${id}`
  }
}

export async function listAutomationRuns(
  ctx: Ctx,
  automationId: string,
  statuses: RunStatus[] | undefined,
  limit: number,
  offset: number,
) {
  await loadAutomation(ctx, automationId)
  return listRuns(ctx.db, ctx.actor.projectId, automationId, statuses, limit, offset)
}

export async function loadRun(ctx: Ctx, automationId: string, id: string): Promise<Run> {
  return belonging(await findRun(ctx.db, ctx.actor.projectId, id), automationId, id)
}

function belonging(run: Run | undefined, automationId: string, id: string): Run {
  if (run?.automationId !== automationId.toLowerCase()) throw notFound('run', id)
  return run
}

/** Starts one by hand, optionally about one thing of the project. */
export function startRun(ctx: Ctx, automationId: string, about: Link | undefined): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await lockAutomation(ctx, automationId)
    authorizeUpdate(ctx.actor, automation)
    refuseDisabled(automation)
    if (automation.builtIn === FEEDBACK_TRIAGE && about?.resourceType !== 'feedback_item') throw nothingToTriage()
    if (about) await refuseUnknownSubject(ctx, about)
    const { projectId, origin } = ctx.actor
    const lineage = await lineageOf(ctx.db, { projectId, origin, requestId: ctx.requestId })
    if (lineage.includes(automation.id))
      throw conflict('starts_itself', `A run of "${automation.name}" led to this, so this cannot start it again.`)
    await refuseFullQueue(ctx.db, projectId)
    const subject = about ? { type: about.resourceType, id: about.resourceId.toLowerCase() } : null
    const [id] = await scheduleRuns(ctx, [{ automationId: automation.id, triggerType: 'manual', subject, lineage }])
    return loadRun(ctx, automation.id, id!)
  })
}

const NEVER_BEGAN = 'It was cancelled before it began.'

/** Stops one that waits at once, and asks the node that runs it to stop one that runs. */
export function cancelRun(ctx: Ctx, automationId: string, id: string): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const { db } = ctx
    const { projectId } = ctx.actor
    const automation = await loadAutomation(ctx, automationId)
    const run = belonging(await lockRun(db, projectId, id), automation.id, id)
    authorizeCancel(ctx.actor, automation)
    if (isFinished(run.status))
      throw conflict('run_finished', `This run has ended already: its status is "${run.status}".`)
    if (run.status === 'scheduled') {
      const conversationId = await leaveWord(ctx, projectId, run, NEVER_BEGAN, 'cancelled')
      await db`update automation_runs set status = 'cancelled', cancel_requested_at = now(), completed_at = now(),
          error = ${NEVER_BEGAN}, conversation_id = ${conversationId}
        where project_id = ${projectId} and id = ${run.id}`
      await recordEvents(ctx, [runEnded(run, 'cancelled')])
    } else {
      await db`update automation_runs set cancel_requested_at = coalesce(cancel_requested_at, now())
        where project_id = ${projectId} and id = ${run.id}`
      await announceCancel(db, run.id)
    }
    return loadRun(ctx, automation.id, run.id)
  })
}

/** Does again what failed or was cancelled, for the same reason, as a run of its own. */
export function retryRun(ctx: Ctx, automationId: string, id: string): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await lockAutomation(ctx, automationId)
    const run = belonging(await lockRun(ctx.db, ctx.actor.projectId, id), automation.id, id)
    authorizeUpdate(ctx.actor, automation)
    refuseDisabled(automation)
    if (run.status !== 'failed' && run.status !== 'cancelled')
      throw conflict(
        'run_not_failed',
        `Only a run that failed or was cancelled can be retried; the status of this one is "${run.status}".`,
      )
    await refuseFullQueue(ctx.db, ctx.actor.projectId)
    const [again] = await scheduleRuns(ctx, [{ ...run, retryOf: run.id }])
    await copyJoinedItems(ctx.db, ctx.actor.projectId, run.id, again!)
    return loadRun(ctx, automation.id, again!)
  })
}

function refuseDisabled(automation: Automation): void {
  if (!automation.enabled)
    throw conflict('automation_disabled', `"${automation.name}" is switched off. Send {"enabled": true} first.`)
}

const nothingToTriage = () =>
  invalid([
    {
      pointer: '/subject',
      detail: 'Feedback triage needs the feedback item to sort: {"resourceType": "feedback_item", "resourceId": "…"}.',
    },
  ])

async function refuseUnknownSubject(ctx: Ctx, { resourceType, resourceId }: Link): Promise<void> {
  const type = (await findResources(ctx.db, ctx.actor.projectId, [resourceId])).get(resourceId.toLowerCase())
  if (!type) throw fieldNotFound(resourceType, resourceId, '/subject/resourceId')
  if (type !== resourceType)
    throw invalid([
      { pointer: '/subject/resourceType', detail: `"${resourceId}" is a ${type}, not a ${resourceType}.` },
    ])
}
