import type { Ctx } from '../../../kernel/context.ts'
import { notFound, quoted } from '../../../kernel/errors.ts'
import { signingKey } from '../../../kernel/sealing.ts'
import { type Conversation, type ConversationSummary, invalidCursor, isToolKind } from '../conversation.ts'
import * as queries from '../queries.ts'
import { conversationSettings } from '../settings.ts'
import { beginningOf, type Portion, parsePieceId, takePortion } from './content.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { searchConversations } from './search.ts'

interface PageWanted {
  query: string
  pageSize: number
  cursor: string | undefined
  /** As a person sees it: with what others share. */
  withShared?: boolean
  origin?: 'user' | 'automation' | undefined
}

export interface ConversationPage {
  rows: ConversationSummary[]
  nextCursor: string | null
}

/** The caller's own conversations, and with `withShared` those of others that they share, the last changed first. */
export async function listReadableConversations(
  ctx: Ctx,
  { query, pageSize, cursor, withShared = false, origin }: PageWanted,
): Promise<ConversationPage> {
  const { projectId, userId } = ctx.actor
  if (userId === null) return { rows: [], nextCursor: null }
  const listed = { projectId, ownerId: userId, withShared, origin }
  const more = withShared ? ['shared', origin ?? ''] : []
  const scope = { projectId, ownerId: userId, query, pageSize, more }
  const secret = signingKey(await ctx.wiring.settings.secretKey(), 'conversation cursors')
  const after = cursor === undefined ? undefined : readCursor(secret, scope, cursor)
  if (cursor !== undefined && !after)
    throw invalidCursor(
      `${quoted(cursor)} is not a cursor of this list. Send "next_cursor" unchanged, with the same "query" and "page_size", or start without one.`,
    )
  const limit = pageSize + 1
  const found =
    query === ''
      ? { rows: await queries.listConversations(ctx.db, listed, after, limit), stoppedAt: undefined }
      : await searchConversations(ctx.db, { ...listed, query, after, limit })
  const rows = found.rows.slice(0, pageSize)
  const end = found.rows.length > pageSize ? rows.at(-1) : found.stoppedAt
  return { rows, nextCursor: end ? writeCursor(secret, scope, end) : null }
}

export const loadConversation = (ctx: Ctx, id: string) => load(ctx, id, false)

/** As a person reads it: their own, or one that is shared with the project. */
export const loadReadableConversation = (ctx: Ctx, id: string) => load(ctx, id, true)

async function load(ctx: Ctx, id: string, withShared: boolean): Promise<Conversation> {
  const { projectId, userId } = ctx.actor
  const listed = userId !== null && { projectId, ownerId: userId, withShared }
  const conversation = listed ? await queries.findConversation(ctx.db, listed, id) : undefined
  if (!conversation) throw notFound('agent conversation', id)
  return conversation
}

/** Returns the newest content that fits into an answer, or the content before a piece that was read already. */
export async function readContent(
  ctx: Ctx,
  { id }: Conversation,
  { withTools, beforeEventId }: { withTools: boolean; beforeEventId: string | undefined },
): Promise<Portion> {
  const { projectId } = ctx.actor
  const limits = {
    characters: ctx.wiring.settings.of(conversationSettings).characters,
    messages: queries.MAX_MESSAGES,
  }
  const before = beforeEventId === undefined ? undefined : await loadPlace(ctx, id, beforeEventId, withTools)
  const rest = before?.rest
  const events = await queries.listEventsBackwards(ctx.db, projectId, id, {
    before: before?.number,
    withTools,
    characters: limits.characters - (rest?.text.length ?? 0),
  })
  return takePortion(rest ? [rest, ...events] : [...events], limits)
}

async function loadPlace(ctx: Ctx, conversationId: string, beforeEventId: string, withTools: boolean) {
  const piece = parsePieceId(beforeEventId)
  const event = piece && (await queries.findEvent(ctx.db, ctx.actor.projectId, conversationId, piece.eventId))
  if (!event || (piece.start !== undefined && piece.start >= event.text.length))
    throw invalidCursor(
      `There is no event ${quoted(beforeEventId)} in this conversation. Send "continuation.before_event_id" unchanged.`,
    )
  // A reader who read a piece with tools may continue without them. Then the rest of that piece is not shown either.
  const isShown = withTools || !isToolKind(event.kind)
  const rest = piece.start !== undefined && isShown ? beginningOf(event, piece.start) : undefined
  return { number: event.number, rest }
}
