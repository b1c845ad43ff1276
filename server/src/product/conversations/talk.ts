import type { TxCtx } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'

interface Told {
  id: string
  ownerId: string
  /** True also if it was shared before the change: then others must see that it is gone. */
  isShared: boolean
}

type Happening = 'created' | 'updated' | 'deleted' | 'turn_began' | 'turn_ended'

/** Tells the open pages of those who may read it. What was said in it stays out of the log, which others can read. */
export const recordTalk = (ctx: TxCtx, { id, ownerId, isShared }: Told, what: Happening, requestId?: string) =>
  recordEvent(ctx, {
    kind: `agent_conversation.${what}`,
    subjectType: 'agent_conversation',
    subjectId: id,
    payload: { owner_id: ownerId, shared: isShared },
    ...(requestId !== undefined && { requestId }),
  })
