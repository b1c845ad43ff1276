import type { TxCtx } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { conversationEvents } from './events.ts'

interface Told {
  id: string
  ownerId: string
  /** True also if it was shared before the change: then others must see that it is gone. */
  isShared: boolean
}

/** Tells the open pages of those who may read it. What was said in it stays out of the log, which others can read. */
export const recordTalk = (
  ctx: TxCtx,
  { id, ownerId, isShared }: Told,
  what: keyof typeof conversationEvents,
  requestId?: string,
) =>
  recordEvent(ctx, {
    ...conversationEvents[what](id, { owner_id: ownerId, shared: isShared }),
    ...(requestId !== undefined && { requestId }),
  })
