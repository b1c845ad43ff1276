import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { Automation } from './automation.ts'
import { automationEvents } from './events.ts'
import { authorizeSwitchOff } from './policy.ts'
import * as queries from './queries.ts'
import { stopRuns } from './runs/run-writes.ts'
import { cancelWaitingRuns } from './runs/waiting-runs.ts'
import { announceCancel, wakeDispatchers } from './wake-queries.ts'
import { disableAutomation, disableAutomations } from './writes.ts'

/** Switches off any automation of the project, for an admin who does not own it. A run in progress finishes. */
export function switchOffAutomation(ctx: Ctx, id: string): Promise<Automation> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await queries.lockAutomation(ctx.db, ctx.actor.projectId, id)
    if (!automation) throw notFound('automation', id)
    authorizeSwitchOff(ctx.actor, automation)
    if (!automation.enabled) return automation
    await switchOff(ctx, automation.id)
    return (await queries.findAutomation(ctx.db, ctx.actor.projectId, automation.id))!
  })
}

/** The caller has locked and authorized it. */
export async function switchOff(ctx: TxCtx, id: string, reason?: string): Promise<void> {
  await disableAutomation(ctx.db, ctx.actor.projectId, id, reason ?? null)
  await cancelWaitingRuns(ctx, id)
  await recordEvent(ctx, automationEvents.updated(id, { fields: ['enabled'], reason }))
  await wakeDispatchers(ctx.db)
}

/** The project is deleted: nothing starts any more, and what runs is cancelled. */
export async function stopAutomations({ db, actor }: TxCtx): Promise<void> {
  await disableAutomations(db, actor.projectId)
  for (const { id } of await stopRuns(db, actor.projectId)) await announceCancel(db, id)
}
