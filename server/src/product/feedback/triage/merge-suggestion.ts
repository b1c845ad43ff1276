import type { Ctx } from '../../../kernel/context.ts'
import type { Theme } from '../themes/theme.ts'
import { findTheme } from '../themes/theme-queries.ts'
import { listNearTitles } from './merge-queries.ts'
import { groupInThread } from './regroup.ts'
import { mayRegroup } from './split-suggestion.ts'
import { listReadQuotes } from './triage-queries.ts'

/** The newest quotes of each theme that are compared, and with how many themes. */
const MOST_QUOTES = 40
const MOST_THEMES = 8
/** A single quote can be like another by chance. */
const FEWEST_QUOTES = 2
/** As much of both themes must speak of the same. */
const LEAST_SHARE = 0.6

export interface MergeSuggestion {
  theme: Theme
  reason: string
}

/**
 * Another theme whose quotes triage would group with those of this one. Only themes with a similar title are compared,
 * because a project can have thousands. Undefined if there is none, or if triage merges the theme by itself.
 */
export async function suggestMerge({ db, actor }: Ctx, theme: Theme): Promise<MergeSuggestion | undefined> {
  if (mayRegroup(theme)) return undefined
  const { projectId } = actor
  const own = await listReadQuotes(db, projectId, theme.id, MOST_QUOTES)
  if (own.length < FEWEST_QUOTES) return undefined
  const titles = [theme.title, ...own.slice(0, 3).map(({ matter }) => matter.title)]
  const compared = own.map((one) => ({ ...one, themeId: theme.id }))
  for (const id of await listNearTitles(db, projectId, theme.id, titles, MOST_THEMES)) {
    const others = await listReadQuotes(db, projectId, id, MOST_QUOTES)
    if (others.length >= FEWEST_QUOTES) compared.push(...others.map((one) => ({ ...one, themeId: id })))
  }
  const alike = compared.filter(({ encoder }) => encoder === own[0]!.encoder)
  if (alike.length === own.length) return undefined
  const numbers = await groupInThread(
    projectId,
    alike.map(({ matter }) => matter),
  )
  const shares = new Map<string, Map<number, number>>()
  for (const [index, { themeId }] of alike.entries()) {
    const groups = shares.get(themeId) ?? new Map<number, number>()
    shares.set(themeId, groups.set(numbers[index]!, (groups.get(numbers[index]!) ?? 0) + 1))
  }
  const sizeOf = (groups: Map<number, number>) => [...groups.values()].reduce((sum, count) => sum + count, 0)
  const ownGroups = shares.get(theme.id)!
  const [group, count] = [...ownGroups].sort((a, b) => b[1] - a[1])[0]!
  if (count / sizeOf(ownGroups) < LEAST_SHARE) return undefined
  const found = [...shares]
    .filter(([id]) => id !== theme.id)
    .map(([id, groups]) => ({ id, size: sizeOf(groups), same: groups.get(group) ?? 0 }))
    .filter(({ size, same }) => same / size >= LEAST_SHARE)
    .sort((a, b) => b.same - a.same)[0]
  const other = found && (await findTheme(db, projectId, found.id))
  if (!other) return undefined
  const reason = `Of ${sizeOf(ownGroups) + found.size} quotes compared, ${count + found.same} speak of the same.`
  return { theme: other, reason }
}
