import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { AppError, conflict, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { acceptDeed, type Deed, listDeeds, rejectDeed, type Undone, undoDeeds } from '../../conversations/index.ts'
import { loadAutomation } from '../actions.ts'
import { runEvents } from '../events.ts'
import { authorizeCancel, authorizeWrite } from '../policy.ts'
import { isFinished, type Run } from './run.ts'
import { findRun } from './run-queries.ts'
import { claimReview, endReview } from './run-writes.ts'
import { loadRun } from './runs.ts'
import { agentOf, findPayers } from './scope.ts'

async function openReview(ctx: Ctx, automationId: string | undefined, runId: string) {
  const found = automationId === undefined ? await findRun(ctx.db, ctx.actor.projectId, runId) : undefined
  const automation = await loadAutomation(ctx, automationId ?? found?.automationId ?? missing(runId))
  const run = found ?? (await loadRun(ctx, automation.id, runId))
  authorizeWrite(ctx.actor)
  authorizeCancel(ctx.actor, automation)
  if (ctx.agent) throw conflict('only_people', 'Only a person decides about what agents propose or did.')
  return { automation, run }
}

function missing(runId: string): never {
  throw notFound('run', runId)
}

/** Does what an agent proposed, for the person who accepts it and within the bounds of the agent. */
export async function acceptProposal(ctx: Ctx, automationId: string, runId: string, id: string): Promise<void> {
  const { automation, run } = await openReview(ctx, automationId, runId)
  const payers = await findPayers(ctx.db, ctx.actor.projectId, automation, run)
  const asAgent = { ...ctx, ifMatch: undefined, agent: { ...agentOf(automation, run, payers), proposes: false } }
  await alone(ctx, run, async () => {
    const all = await listDeeds(ctx.db, ctx.actor.projectId, run.id)
    await acceptDeed(asAgent, findDeed(all, id), all)
  })
}

export interface AllDecided {
  decided: number
  leftOut: { id: string; reason: string }[]
}

/** Decides about everything that nobody has decided about, in order. Lists what could not be accepted, and why. */
export async function decideAll(ctx: Ctx, runId: string, decision: 'accept' | 'reject'): Promise<AllDecided> {
  const { automation, run } = await openReview(ctx, undefined, runId)
  const payers = await findPayers(ctx.db, ctx.actor.projectId, automation, run)
  const asAgent = { ...ctx, ifMatch: undefined, agent: { ...agentOf(automation, run, payers), proposes: false } }
  const done: AllDecided = { decided: 0, leftOut: [] }
  const read = () => listDeeds(ctx.db, ctx.actor.projectId, run.id)
  await alone(ctx, run, async (goOn) => {
    for (const { id } of await read()) {
      // What was accepted before gives later ones the ids they need, and what was rejected takes others with it.
      const all = await read()
      const deed = findDeed(all, id)
      if (deed.status !== 'proposed') continue
      await goOn()
      try {
        await (decision === 'accept' ? acceptDeed(asAgent, deed, all) : rejectDeed(ctx, deed, all))
        done.decided++
      } catch (err) {
        if (!(err instanceof AppError)) throw err
        done.leftOut.push({ id, reason: err.message })
      }
    }
  })
  return done
}

export async function rejectProposal(ctx: Ctx, automationId: string, runId: string, id: string): Promise<void> {
  const { run } = await openReview(ctx, automationId, runId)
  await alone(ctx, run, async () => {
    const all = await listDeeds(ctx.db, ctx.actor.projectId, run.id)
    await rejectDeed(ctx, findDeed(all, id), all)
  })
}

function findDeed(all: Deed[], id: string): Deed {
  const deed = all.find((one) => one.id === id.toLowerCase())
  if (!deed) throw notFound('write of this run', id)
  return deed
}

/** One person at a time decides about a run. A server that stops in the middle holds the others up for a minute. */
async function alone<T>(
  ctx: Ctx,
  { id, automationId }: Run,
  decide: (goOn: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { db, actor } = ctx
  const until = await claimReview(db, actor.projectId, id, null)
  if (until === undefined)
    throw conflict('being_reviewed', 'Somebody else decides about this run at this moment. Try again when they have.')
  let held = until
  let isDecided = false
  try {
    const result = await decide(async () => {
      const next = await claimReview(db, actor.projectId, id, held)
      if (next === undefined)
        throw conflict('being_reviewed', 'This took so long that somebody else decides about the run by now.')
      held = next
    })
    isDecided = true
    return result
  } finally {
    await inTransaction(ctx, async (ctx) => {
      await endReview(ctx.db, actor.projectId, id, held)
      if (!isDecided) return
      // Others who look at the run see what was decided.
      await recordEvent(ctx, runEvents.reviewed(id, { automation_id: automationId }))
    })
  }
}

export interface UndoneRun {
  undone: Deed[]
  kept: { action: string; resourceType: string | null; resourceId: string | null; reason: string }[]
}

/** Takes back what a run changed, or one write of it, as far as that is possible, and says what is not. */
export async function undoRun(ctx: Ctx, automationId: string, runId: string, writeId?: string): Promise<UndoneRun> {
  const { run } = await openReview(ctx, automationId, runId)
  if (!isFinished(run.status)) throw conflict('run_active', 'This run has not ended. Cancel it first.')
  const results = await alone(ctx, run, async (goOn) => {
    const all = await listDeeds(ctx.db, ctx.actor.projectId, run.id)
    const chosen = writeId === undefined ? all : [findDeed(all, writeId)]
    return undoDeeds({ ...ctx, ifMatch: undefined }, chosen, goOn)
  })
  const after = await listDeeds(ctx.db, ctx.actor.projectId, run.id)
  const undone = results.flatMap(({ deed, reason }) =>
    reason === null ? after.filter(({ id }) => id === deed.id) : [],
  )
  const outside = writeId === undefined ? untracked(run, after) : []
  return { undone, kept: [...results.flatMap(toKept), ...outside] }
}

const toKept = ({ deed, reason }: Undone) =>
  reason === null ? [] : [{ action: deed.tool, resourceType: deed.resourceType, resourceId: deed.resourceId, reason }]

/** What a run did without a tool of Slipway. */
const untracked = ({ changes }: Run, deeds: Deed[]) =>
  changes
    .filter((change) => change.resourceType === 'integration' || deeds.length === 0)
    .map(({ action, resourceType, resourceId, title }) => ({
      action: resourceType === 'integration' ? title : action,
      resourceType,
      resourceId,
      reason:
        resourceType === 'integration'
          ? 'It happened outside of Slipway.'
          : 'It was not made by a tool, so what was there before is not known.',
    }))
