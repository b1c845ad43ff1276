import type { Ctx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type ConversationSummary, presentActiveTurn, presentConversation, presentMessage } from '../conversation.ts'
import { type ChangedSince, describeChangedSince } from '../deeds/changed-since.ts'
import type { Deed } from '../deeds/deed.ts'
import { listDeeds } from '../deeds/deed-queries.ts'
import { listReadableConversations, loadReadableConversation } from '../reading/reading.ts'
import { listBranches } from './branch-queries.ts'
import { findPageFacts, listEntriesBefore, listRowFacts, type RowFacts } from './transcript-queries.ts'

interface RowsWanted {
  query: string
  origin: 'user' | 'automation' | undefined
  pageSize: number
  cursor: string | undefined
}

/** A page of the list that a person sees: their own conversations and those that others share. */
export async function listRows(ctx: Ctx, wanted: RowsWanted) {
  const { rows, nextCursor } = await listReadableConversations(ctx, { ...wanted, withShared: true })
  const ids = rows.map(({ id }) => id)
  const facts = new Map((await listRowFacts(ctx.db, ctx.actor.projectId, ids)).map((one) => [one.id, one]))
  return {
    items: rows.flatMap((row) => {
      const fact = facts.get(row.id)
      return fact ? [presentRow(row, fact, ctx.actor.userId)] : []
    }),
    next_cursor: nextCursor,
  }
}

const presentRow = (row: ConversationSummary, facts: RowFacts, userId: string | null) => ({
  ...presentConversation(row),
  object: 'agent_conversation_row' as const,
  owner: { id: facts.ownerId, name: facts.ownerName },
  is_own: facts.ownerId === userId,
  shared: facts.isShared,
  is_active: facts.isActive,
  message_count: facts.messageCount,
})

const ENTRIES = 100
/** What people and agents said. A page has at least one entry, however long that is. */
const CHARACTERS = 200_000

/** A conversation as its page shows it, with the newest entries or those before a number. */
export async function readTranscript(ctx: Ctx, id: string, before: number | undefined) {
  const { projectId, userId } = ctx.actor
  const conversation = await loadReadableConversation(ctx, id)
  const facts = await findPageFacts(ctx.db, projectId, id)
  if (!facts) throw notFound('agent conversation', id)
  const range = { before, limit: ENTRIES, characters: CHARACTERS }
  const entries = (await listEntriesBefore(ctx.db, projectId, id, range)).reverse()
  const first = entries[0]?.number ?? 1
  const deeds = await listDeeds(ctx.db, projectId, conversation.id)
  const changed = await describeChangedSince(ctx, deeds)
  return {
    ...presentRow(conversation, facts, userId),
    object: 'agent_conversation_transcript' as const,
    active_turn: presentActiveTurn(conversation),
    asks_first: facts.asksFirst,
    model: facts.model,
    usage: { input_tokens: facts.inputTokens, output_tokens: facts.outputTokens, cost: facts.cost },
    queued: facts.queued,
    proposals: deeds.map((deed) => presentProposal(deed, changed.get(deed.id))),
    branches: await listBranches(ctx.db, projectId, userId!, facts),
    entries: entries.map((one) => ({ ...presentMessage(one), number: one.number })),
    before: first > 1 ? first : null,
  }
}

const presentProposal = (deed: Deed, changedSince: ChangedSince | undefined) => ({
  object: 'agent_conversation_proposal' as const,
  id: deed.id,
  tool: deed.tool,
  input: deed.input,
  status: deed.status,
  resource_type: deed.resourceType,
  resource_id: deed.resourceId,
  before: deed.before,
  after: deed.after,
  changed_since: changedSince ?? null,
  depends_on: deed.dependsOn,
  reason: deed.reason,
  decided_at: deed.decidedAt,
})
