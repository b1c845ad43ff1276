import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, forbidden, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { viewEvents } from '../events.ts'
import { authorizeWrite } from '../policy.ts'
import type { View } from './view-queries.ts'
import * as queries from './view-queries.ts'

const MAX_VIEWS_OF_PERSON = 200

type NewView = Pick<View, 'name' | 'query' | 'shared'>

export const listViews = (ctx: Ctx) => queries.listViews(ctx.db, ctx.actor.projectId, ctx.actor.userId!)

export function addView(ctx: Ctx, values: NewView): Promise<View> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const ownerId = ctx.actor.userId!
    if ((await queries.countViews(ctx.db, projectId, ownerId)) >= MAX_VIEWS_OF_PERSON)
      throw conflict('too_many', `You have saved ${MAX_VIEWS_OF_PERSON} views. Delete one of them first.`)
    const view = { ...values, id: uuidv7(), ownerId }
    await queries.insertView(ctx.db, projectId, view)
    await record(ctx, 'created', view, view.shared)
    return view
  })
}

export function changeView(ctx: Ctx, id: string, change: Partial<NewView>): Promise<View> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockOwnView(ctx, id)
    const view = { ...before, ...change }
    await queries.updateView(ctx.db, ctx.actor.projectId, view)
    await record(ctx, 'updated', view, before.shared || view.shared)
    return view
  })
}

export function deleteView(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const view = await lockOwnView(ctx, id)
    await queries.deleteView(ctx.db, ctx.actor.projectId, id)
    await record(ctx, 'deleted', view, view.shared)
  })
}

async function lockOwnView(ctx: TxCtx, id: string): Promise<View> {
  const { projectId, userId, projectRole } = ctx.actor
  const view = await queries.lockView(ctx.db, projectId, userId!, id)
  if (!view) throw notFound('view', id)
  authorizeWrite(ctx.actor)
  if (view.ownerId !== userId && projectRole !== 'admin')
    throw forbidden('not_owner', 'Only its owner or an admin of the project may change or delete this view.')
  return view
}

/** The name of a private view stays out of the log, which others can read. */
const record = (ctx: TxCtx, what: 'created' | 'updated' | 'deleted', view: View, shared: boolean) =>
  recordEvent(ctx, viewEvents[what](view.id, { shared, owner_id: view.ownerId, ...(shared && { name: view.name }) }))
