import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { loadAutomation } from '../actions.ts'
import { runEvents } from '../events.ts'
import { authorizeCancel } from '../policy.ts'
import { switchOff } from '../switching.ts'
import { listAlive, lockChain, markStopped } from './chain-queries.ts'
import type { Run } from './run.ts'
import { lockRun } from './run-queries.ts'
import { cancelUnended, loadRun } from './runs.ts'

/**
 * Stops everything that one cause led to: its runs, and the automations that its agents made. Nothing of the chain
 * starts afterwards.
 */
export function stopChain(ctx: Ctx, automationId: string, runId: string): Promise<Run> {
  return inTransaction(ctx, async (ctx) => {
    const { chainId } = await loadRun(ctx, automationId, runId)
    const automation = await loadAutomation(ctx, automationId)
    authorizeCancel(ctx.actor, automation)
    if (ctx.agent) throw conflict('only_people', 'Only a person can stop a chain.')
    // What starts at this moment is seen, or sees that the chain is stopped.
    await lockChain(ctx.db, ctx.actor.projectId, chainId)
    await markStopped(ctx.db, ctx.actor.projectId, chainId)
    await endChain(ctx, chainId)
    const payload = { automation_id: automation.id, chain_id: chainId }
    await recordEvent(ctx, runEvents.chain_stopped(runId, payload))
    return loadRun(ctx, automation.id, runId)
  })
}

async function endChain(ctx: TxCtx, chainId: string): Promise<void> {
  const { automations, runs } = await listAlive(ctx.db, ctx.actor.projectId, chainId)
  for (const { id } of automations) await switchOff(ctx, id)
  for (const { id } of runs) {
    const run = await lockRun(ctx.db, ctx.actor.projectId, id)
    if (run) await cancelUnended(ctx, run)
  }
}
