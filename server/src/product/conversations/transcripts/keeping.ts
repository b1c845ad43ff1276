import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, forbidden, notFound } from '../../../kernel/errors.ts'
import { checkExpected } from '../../../kernel/expected.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { recordTalk } from '../talk.ts'
import { stopHere } from '../turns/live-turns.ts'
import { deleteTalk, lockTalk, type OwnTalk, type Queued, updateTalk } from './transcript-queries.ts'

/** Locks a conversation that the caller began. One that others share can be read but not changed. */
export async function lockOwnTalk(ctx: TxCtx, id: string): Promise<OwnTalk> {
  const { projectId, userId } = ctx.actor
  const talk = await lockTalk(ctx.db, projectId, id)
  if (!talk || (talk.ownerId !== userId && !talk.isShared)) throw notFound('agent conversation', id)
  authorizeWrite(ctx.actor)
  if (talk.ownerId !== userId)
    throw forbidden('not_owner', 'Only the person who began this conversation may change it. Start one of your own.')
  return talk
}

/** Renames a conversation, shares it with the project or keeps it private again, or chooses its model. */
export const changeTalk = (
  ctx: Ctx,
  id: string,
  change: { title?: string; isShared?: boolean; model?: string | null },
  expectedTitle?: string,
) =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockOwnTalk(ctx, id)
    checkExpected('title', before.title, change.title, expectedTitle)
    const talk = { ...before, ...change }
    await updateTalk(ctx.db, ctx.actor.projectId, talk)
    await recordTalk(ctx, { ...talk, isShared: before.isShared || talk.isShared }, 'updated')
  })

/** Deletes a conversation for good, and stops its agent. */
export async function deleteConversation(ctx: Ctx, id: string): Promise<void> {
  const { turnId } = await inTransaction(ctx, async (ctx) => {
    const talk = await lockOwnTalk(ctx, id)
    if (talk.origin !== 'user')
      throw conflict('not_a_talk', 'This is the record of a run, so it stays with its automation.')
    await deleteTalk(ctx.db, ctx.actor.projectId, id)
    await recordTalk(ctx, talk, 'deleted')
    return talk
  })
  if (turnId !== null) stopHere(turnId)
}

/** Takes a message back that waits for the agent to answer. Returns undefined if it was sent already. */
export const takeFromQueue = (ctx: Ctx, id: string, messageId: string): Promise<Queued | undefined> =>
  inTransaction(ctx, async (ctx) => {
    const talk = await lockOwnTalk(ctx, id)
    const found = talk.queued.find((one) => one.id === messageId.toLowerCase())
    if (!found) return undefined
    await updateTalk(ctx.db, ctx.actor.projectId, { ...talk, queued: talk.queued.filter((one) => one !== found) })
    await recordTalk(ctx, talk, 'updated')
    return found
  })
