import type { Ctx } from '../../../kernel/context.ts'
import type { Theme } from '../themes/theme.ts'
import { groupInThread } from './regroup.ts'
import { listReadQuotes } from './triage-queries.ts'

/** The newest quotes that are compared. More would take too long while somebody waits. */
const MOST_QUOTES = 300
/** Fewer quotes are no theme of their own. */
const FEWEST_QUOTES = 3
const LEAST_SHARE = 0.15

export interface SplitSuggestion {
  title: string
  itemIds: string[]
}

/**
 * The quotes of a theme that speak of something else than most, from what triage has read of them. Undefined if there are
 * none, or if triage splits the theme by itself.
 */
export async function suggestSplit({ db, actor }: Ctx, theme: Theme): Promise<SplitSuggestion | undefined> {
  if (mayRegroup(theme)) return undefined
  const quotes = await listReadQuotes(db, actor.projectId, theme.id, MOST_QUOTES)
  const encoder = quotes[0]?.encoder
  const compared = quotes.filter((one) => one.encoder === encoder)
  if (compared.length < 2 * FEWEST_QUOTES) return undefined
  const numbers = await groupInThread(
    actor.projectId,
    compared.map(({ matter }) => matter),
  )
  const groups = new Map<number, typeof compared>()
  for (const [index, one] of compared.entries())
    groups.set(numbers[index]!, [...(groups.get(numbers[index]!) ?? []), one])
  const [, second] = [...groups.values()].sort((a, b) => b.length - a.length)
  if (!second || second.length < Math.max(FEWEST_QUOTES, compared.length * LEAST_SHARE)) return undefined
  return { title: second[0]!.matter.title, itemIds: second.map(({ itemId }) => itemId) }
}

/** As `listFree` says for many: nobody has changed or connected it. */
const mayRegroup = ({ pinnedAt, origin, status, assignee, context }: Theme) =>
  pinnedAt === null &&
  (origin === 'automation' || origin === 'system') &&
  status === 'unresolved' &&
  assignee === null &&
  context.length === 0
