import { acceptDeed, type Deed, listDeeds, rejectDeed, type Undone, undoDeeds } from '../../conversations/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { loadAutomation } from '../actions.ts'
import { authorizeCancel, authorizeWrite } from '../policy.ts'
import { isFinished, type Run } from './run.ts'
import { claimReview, endReview } from './run-writes.ts'
import { loadRun } from './runs.ts'
import { agentOf, findPayers } from './scope.ts'

async function openReview(ctx: Ctx, automationId: string, runId: string) {
  const automation = await loadAutomation(ctx, automationId)
  const run = await loadRun(ctx, automation.id, runId)
  authorizeWrite(ctx.actor)
  authorizeCancel(ctx.actor, automation)
  if (ctx.agent) throw conflict('only_people', 'Only a person decides about what agents propose or did.')
  return { automation, run }
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
  { db, actor }: Ctx,
  { id }: Run,
  decide: (goOn: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const until = await claimReview(db, actor.projectId, id, null)
  if (until === undefined)
    throw conflict('being_reviewed', 'Somebody else decides about this run at this moment. Try again when they have.')
  let held = until
  try {
    return await decide(async () => {
      const next = await claimReview(db, actor.projectId, id, held)
      if (next === undefined)
        throw conflict('being_reviewed', 'This took so long that somebody else decides about the run by now.')
      held = next
    })
  } finally {
    await endReview(db, actor.projectId, id, held)
  }
}

export interface UndoneRun {
  undone: Deed[]
  kept: { action: string; resourceType: string | null; resourceId: string | null; reason: string }[]
}

/** Takes back what a run changed, as far as that is possible, and says what is not. */
export async function undoRun(ctx: Ctx, automationId: string, runId: string): Promise<UndoneRun> {
  const { run } = await openReview(ctx, automationId, runId)
  if (!isFinished(run.status)) throw conflict('run_active', 'This run has not ended. Cancel it first.')
  const results = await alone(ctx, run, async (goOn) =>
    undoDeeds({ ...ctx, ifMatch: undefined }, await listDeeds(ctx.db, ctx.actor.projectId, run.id), goOn),
  )
  const after = await listDeeds(ctx.db, ctx.actor.projectId, run.id)
  const undone = results.flatMap(({ deed, reason }) =>
    reason === null ? after.filter(({ id }) => id === deed.id) : [],
  )
  return { undone, kept: [...results.flatMap(toKept), ...untracked(run, after)] }
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
