import type { Restorable } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { isLimited, readLimits, setLimits } from '../conversations/index.ts'
import { automationEvents } from './events.ts'
import { authorizeDelete } from './policy.ts'
import { findAutomation, lockAutomation } from './queries.ts'
import { disableAutomation } from './writes.ts'

/** With its triggers, grants, budget and runs. It comes back switched off: its schedules would all be due. */
export const restorableAutomation: Restorable = {
  root: 'automations',
  async together(ctx, id) {
    const automation = await lockAutomation(ctx.db, ctx.actor.projectId, id)
    return automation ? [automation.id] : []
  },
  async restored(ctx, [id], before) {
    const { projectId } = ctx.actor
    const automation = (await findAutomation(ctx.db, projectId, id!))!
    authorizeDelete(ctx.actor, automation)
    const budget = readLimits(before.budget as Parameters<typeof readLimits>[0])
    if (isLimited(budget)) await setLimits(ctx.db, projectId, id!, budget)
    await disableAutomation(ctx.db, projectId, id!, null)
    const payload = { name: automation.name }
    await recordEvent(ctx, automationEvents.restored(id!, payload))
  },
}
