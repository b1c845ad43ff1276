import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, fieldNotFound, invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { withdrawProposals } from '../../conversations/index.ts'
import { findResources, type Link } from '../../links/index.ts'
import { loadAutomation, lockAutomation } from '../actions.ts'
import type { Automation } from '../automation.ts'
import { boundsOf, refuseForeign } from '../bounds.ts'
import { FEEDBACK_TRIAGE } from '../built-in.ts'
import { chainFault } from '../chain-limits.ts'
import { runEvents } from '../events.ts'
import { authorizeCancel, authorizeUpdate } from '../policy.ts'
import { listPromptSources } from '../queries.ts'
import { announceCancel, wakeDispatchers } from '../wake-queries.ts'
import { lockChain } from './chain-queries.ts'
import { refuseFullQueue } from './full-queue.ts'
import { copyJoinedItems } from './joined-item-queries.ts'
import { lineageOf } from './lineage.ts'
import { isFinished, type NewRun, type Run, type RunStatus, runEnded } from './run.ts'
import { explainEnd, openRunConversation } from './run-conversation.ts'
import { findRun, hasActiveRun, listRuns, lockRun } from './run-queries.ts'
import * as writes from './run-writes.ts'

/** Schedules runs and returns the ids of the new ones. An event starts each automation only once. */
export async function scheduleRuns(ctx: TxCtx, wanted: NewRun[]): Promise<string[]> {
  const scheduled = await writes.insertRuns(ctx.db, ctx.actor.projectId, wanted)
  if (scheduled.length === 0) return []
  await openConversations(ctx, scheduled)
  await recordEvents(
    ctx,
    scheduled.map(({ id, automationId, triggerType }) =>
      runEvents.scheduled(id, { automation_id: automationId, trigger_type: triggerType }),
    ),
  )
  await wakeDispatchers(ctx.db)
  return scheduled.map((one) => one.id)
}

/** Runs of an automation without an owner have no conversation. */
async function openConversations(ctx: TxCtx, runs: { id: string; automationId: string }[]): Promise<void> {
  const { projectId } = ctx.actor
  const automations = await listPromptSources(ctx.db, projectId, [...new Set(runs.map((run) => run.automationId))])
  const byId = new Map(automations.map((one) => [one.id, one]))
  for (const { id, automationId } of runs) {
    const automation = byId.get(automationId)
    if (!automation?.ownerId) continue
    const run = (await findRun(ctx.db, projectId, id))!
    const conversationId = await openRunConversation(ctx, projectId, automation.ownerId, automation, run)
    await writes.setConversation(ctx.db, projectId, id, conversationId)
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

interface Manual {
  about?: Link | undefined
  input?: string | null
  /** Keeps what it would change as proposals. */
  proposes?: boolean
}

/** Starts a run by hand, optionally about one resource. */
export function startRun(
  ctx: Ctx,
  automationId: string,
  { about, input = null, proposes = false }: Manual = {},
): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await lockAutomation(ctx, automationId)
    authorizeUpdate(ctx.actor, automation)
    // A person may try one that is off.
    if (!proposes || ctx.agent) refuseDisabled(automation)
    if (automation.builtIn === FEEDBACK_TRIAGE && about?.resourceType !== 'feedback_item') throw nothingToTriage()
    if (about) await refuseUnknownSubject(ctx, about)
    const { projectId, origin } = ctx.actor
    refuseForeign(ctx, automation)
    if (automation.concurrency === 'skip' && (await hasActiveRun(ctx.db, projectId, automation.id)))
      throw conflict(
        'run_active',
        'Another run of this automation is going on or waiting, and it skips runs meanwhile.',
      )
    const { agent, requestId } = ctx
    const { lineage, chainId, depth } = await lineageOf(ctx.db, { projectId, origin, requestId, agent })
    if (lineage.includes(automation.id))
      throw conflict('starts_itself', `A run of "${automation.name}" led to this, so this cannot start it again.`)
    const fault = chainId === null ? undefined : await chainFault(ctx, { chainId, depth }, 'run')
    if (fault !== undefined) throw conflict('chain_limit', fault)
    await refuseFullQueue(ctx.db, projectId)
    const bounds = agent ? boundsOf(agent) : null
    const subject = about ? { type: about.resourceType, id: about.resourceId.toLowerCase() } : null
    // What an agent that needs approval starts needs it too.
    const cause = { subject, lineage, chainId, depth, bounds, input, proposes: proposes || !!agent?.needsApproval }
    const [id] = await scheduleRuns(ctx, [{ automationId: automation.id, triggerType: 'manual', ...cause }])
    return loadRun(ctx, automation.id, id!)
  })
}

const NEVER_BEGAN = 'It was cancelled before it began.'

/** Cancels a waiting run at once. For a run in progress, asks its node to stop it. */
export function cancelRun(ctx: Ctx, automationId: string, id: string): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await loadAutomation(ctx, automationId)
    const run = belonging(await lockRun(ctx.db, ctx.actor.projectId, id), automation.id, id)
    authorizeCancel(ctx.actor, automation)
    if (isFinished(run.status))
      throw conflict('run_finished', `This run has ended already: its status is "${run.status}".`)
    await cancelUnended(ctx, run)
    return loadRun(ctx, automation.id, run.id)
  })
}

/** The caller has locked the run and authorized this. */
export async function cancelUnended(ctx: TxCtx, run: Run): Promise<void> {
  const { db } = ctx
  const { projectId } = ctx.actor
  if (isFinished(run.status)) return
  if (run.status === 'scheduled') {
    const conversationId = await explainEnd(ctx, projectId, run, NEVER_BEGAN, 'cancelled')
    await writes.requestCancel(db, projectId, run.id)
    const ending = { status: 'cancelled' as const, error: NEVER_BEGAN }
    await writes.endWaitingRuns(db, projectId, [{ id: run.id, conversationId }], ending)
    await recordEvents(ctx, [runEnded(run, 'cancelled')])
  } else {
    await writes.requestCancel(db, projectId, run.id)
    await announceCancel(db, run.id)
  }
}

/** Retries a failed or cancelled run, with the same cause, as a new run. */
export function retryRun(ctx: Ctx, automationId: string, id: string): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await lockAutomation(ctx, automationId)
    const run = belonging(await lockRun(ctx.db, ctx.actor.projectId, id), automation.id, id)
    authorizeUpdate(ctx.actor, automation)
    if (!run.proposes) refuseDisabled(automation)
    if (run.status !== 'failed' && run.status !== 'cancelled')
      throw conflict(
        'run_not_failed',
        `Only a run that failed or was cancelled can be retried; the status of this one is "${run.status}".`,
      )
    await refuseFullQueue(ctx.db, ctx.actor.projectId)
    if ((await lockChain(ctx.db, ctx.actor.projectId, run.chainId)).isStopped)
      throw conflict(
        'chain_stopped',
        'A person has stopped the chain of runs that this one belongs to. Start a new run.',
      )
    return loadRun(ctx, automation.id, await scheduleAgain(ctx, run))
  })
}

/** Does a run again. What the first one proposed and nobody has decided about is withdrawn, so that it is not done twice. */
export async function scheduleAgain(ctx: TxCtx, run: Run): Promise<string> {
  const { projectId } = ctx.actor
  const [again] = await scheduleRuns(ctx, [{ ...run, retryOf: run.id }])
  await copyJoinedItems(ctx.db, projectId, run.id, again!)
  await withdrawProposals(ctx.db, projectId, run.id, 'The run was done again and makes new proposals.')
  return again!
}

export function refuseDisabled(automation: Automation): void {
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
