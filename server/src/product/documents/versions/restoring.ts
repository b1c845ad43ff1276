import type { Restorable, TxCtx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockLinks, type ResourceType } from '../../links/index.ts'
import { adjustLive } from '../../projects/index.ts'
import { moveLockedDocument } from '../actions.ts'
import { eventsOf } from '../events.ts'
import { openForWrite } from '../loading.ts'
import { findOutline, findPair } from '../queries.ts'
import * as placement from '../tree/placement-queries.ts'

/** With all versions, suggestions, comments and links, in its place, and with its children if they are still there. */
export const restorableDocument = (kind: ResourceType): Restorable => ({
  root: 'resources',
  async together(ctx, id) {
    await lockLinks(ctx.db, ctx.actor.projectId)
    await placement.lockTrees(ctx.db, ctx.actor.projectId)
    const document = await openForWrite(ctx, kind, id)
    const pair = await findPair(ctx.db, ctx.actor.projectId, document.id)
    return [document.id, ...(pair ? [pair.id] : [])]
  },
  async restored(ctx, [id, pairId], before) {
    const { projectId } = ctx.actor
    await lockLinks(ctx.db, projectId)
    await placement.lockTrees(ctx.db, projectId)
    await takePlace(ctx, id!)
    if (pairId !== undefined) await takePlace(ctx, pairId)
    await takeChildren(ctx, kind, id!, before)
    for (const one of [id!, ...(pairId === undefined ? [] : [pairId])]) await announce(ctx, one)
  },
})

/** Its old place may be beyond the end by now, or belong to another document. */
async function takePlace({ db, actor: { projectId } }: TxCtx, id: string): Promise<void> {
  const { position: wanted, ...siblings } = await placement.findPlace(db, projectId, id)
  const others = (await placement.countSiblings(db, projectId, { ...siblings, position: undefined })) - 1
  const position = Math.min(wanted, others)
  await placement.place(db, projectId, id, { ...siblings, position: -1 })
  await placement.shiftSiblings(db, projectId, { ...siblings, position: undefined }, position, 1)
  await placement.place(db, projectId, id, { ...siblings, position })
}

/** Those that took its place when it was deleted, and that nobody has moved since. */
async function takeChildren(ctx: TxCtx, kind: ResourceType, id: string, before: Record<string, unknown>) {
  const { projectId } = ctx.actor
  const { treeId, parentId } = await placement.findPlace(ctx.db, projectId, id)
  for (const { id: childId } of (before.children ?? []) as { id: string }[]) {
    const child = await findOutline(ctx.db, projectId, kind, childId)
    if (child?.parentId !== parentId || child.treeId !== treeId) continue
    await moveLockedDocument(ctx, child, { treeId, parentId: id, position: undefined })
  }
}

async function announce(ctx: TxCtx, id: string): Promise<void> {
  const { projectId } = ctx.actor
  for (const kind of ['requirements_document', 'blueprint'] as const) {
    const found = await findOutline(ctx.db, projectId, kind, id)
    if (!found) continue
    await adjustLive(ctx.db, projectId, kind, 1)
    const payload = { title: found.title, tree_id: found.treeId }
    await recordEvent(ctx, eventsOf(kind).restored(id, payload))
  }
}
