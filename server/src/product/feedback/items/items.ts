import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import { recordEvent, recordEvents } from '../../../kernel/events.ts'
import { refuseStale } from '../../../kernel/http/answers/etag.ts'
import { adjustLive, authorizeWrite } from '../../projects/index.ts'
import { itemEvents } from '../events.ts'
import { learn, unlearn } from '../lesson-queries.ts'
import { isPerson, refuseToTouch } from '../policy.ts'
import { representItem } from '../representation.ts'
import type { FeedbackItem, ItemStatus } from './feedback-item.ts'
import * as queries from './item-queries.ts'

export async function loadItem(ctx: Ctx, id: string): Promise<FeedbackItem> {
  const item = await queries.findItem(ctx.db, ctx.actor.projectId, id)
  if (!item) throw notFound('feedback item', id)
  return item
}

/**
 * Lets a person mark an item as processed without a theme. The next link or unlink overrides it. Triage learns that what is
 * like it is not feedback, unless `teaches` is false.
 */
export function setFeedbackItemStatus(
  ctx: Ctx,
  id: string,
  status: ItemStatus | undefined,
  { teaches = true, unlessLinked = false } = {},
): Promise<FeedbackItem> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const item = await queries.lockItem(ctx.db, projectId, id)
    if (!item) throw notFound('feedback item', id)
    authorizeWrite(ctx.actor)
    refuseStale(ctx.ifMatch, () => representItem(item, ctx).etag)
    if (status === undefined || status === item.status || (unlessLinked && isLinked(item))) return item
    if (ctx.agent?.sparesPeople)
      refuseToTouch(ctx, 'item', { pinnedAt: await queries.findPersonsStatus(ctx.db, projectId, id) })
    await queries.setItemStatus(ctx.db, projectId, id, status)
    if (teaches && isPerson(ctx.actor)) await learnFrom(ctx, item, status)
    await adjustLive(ctx.db, projectId, queries.PROCESSED, status === 'processed' ? 1 : -1)
    await recordEvent(ctx, statusChanged(item.id, item.status, status))
    return { ...item, status }
  })
}

const isLinked = ({ context }: Pick<FeedbackItem, 'context'>) => context.some((one) => one.resourceType === 'theme')

/** An item that a person processes without a theme is not feedback, and neither is what is like it. */
async function learnFrom({ db, actor }: TxCtx, { id, context }: FeedbackItem, status: ItemStatus): Promise<void> {
  if (status === 'to_process') await unlearn(db, actor.projectId, id, null)
  else if (!isLinked({ context })) await learn(db, actor.projectId, id, null)
}

/** Sets the status that matches the quotes of each item. The caller holds their locks. */
export async function refreshItemStatuses(ctx: TxCtx, ids: string[]): Promise<void> {
  await recordEvents(ctx, statusEvents(await queries.refreshStatuses(ctx.db, ctx.actor.projectId, ids)))
}

export const statusEvents = (changed: readonly { id: string; status: ItemStatus }[]) =>
  changed.map(({ id, status }) => statusChanged(id, status === 'processed' ? 'to_process' : 'processed', status))

const statusChanged = (id: string, from: ItemStatus, to: ItemStatus) => itemEvents.status_changed(id, { from, to })
