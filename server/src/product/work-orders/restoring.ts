import type { Restorable } from '../../kernel/context.ts'
import { recordEvents } from '../../kernel/events.ts'
import { lockLinks } from '../links/index.ts'
import { adjustLive } from '../projects/index.ts'
import { COUNTER, lockWorkOrder } from './actions.ts'
import { workOrderEvents } from './events.ts'
import { findWorkOrder } from './queries.ts'
import { dropLostLabels } from './writes.ts'

/** With its number, comments, claim and links. */
export const restorableWorkOrder: Restorable = {
  root: 'resources',
  async together(ctx, id) {
    await lockLinks(ctx.db, ctx.actor.projectId)
    return [(await lockWorkOrder(ctx, id)).id]
  },
  async restored(ctx, ids) {
    const { projectId } = ctx.actor
    await dropLostLabels(ctx.db, projectId, ids)
    await adjustLive(ctx.db, projectId, COUNTER, ids.length)
    const back = await Promise.all(ids.map((id) => findWorkOrder(ctx.db, projectId, id)))
    await recordEvents(
      ctx,
      back.map((one) =>
        workOrderEvents.restored(one!.id, { work_order_number: one!.workOrderNumber, title: one!.title }),
      ),
    )
  },
}
