import type { Db } from '../../kernel/database/index.ts'
import type { Priority } from '../../work-orders/index.ts'
import { readItemTexts } from '../items/item-queries.ts'
import { THEME_PRIORITIES, type ThemeType } from '../themes/theme.ts'
import { priorityOf, typeOf } from './cues.ts'
import type { TriageMemory } from './memory.ts'
import { excerptFrom, titleFrom } from './wording.ts'

export interface Description {
  title: string
  type: ThemeType
  priority: Priority
  /** The titles that the group would have after each of its items. */
  titles: Set<string>
}

/** Names a group after its most central item and gives it the most common type. */
export async function describeGroup(
  db: Db,
  projectId: string,
  rarity: (term: string) => number,
  memory: TriageMemory,
  itemIds: string[],
): Promise<Description> {
  const middle = memory.middleOf(itemIds)
  const texts = await readItemTexts(db, projectId, itemIds)
  const types = texts.map(({ markdownContent }) => typeOf(markdownContent))
  const priorities = texts.map(({ markdownContent }, index) => priorityOf(markdownContent, types[index]!))
  const titles = new Map(texts.map(({ id, markdownContent }) => [id, titleFrom(excerptFrom(markdownContent, rarity))]))
  return {
    title: titles.get(middle)!,
    type: mostFrequent<ThemeType>(types.filter((one) => one !== 'other')) ?? 'other',
    priority: prevailing(priorities),
    titles: new Set(titles.values()),
  }
}

/**
 * Returns the highest priority that at least a quarter of the items reach: one angry customer does not make a theme
 * urgent, five of twenty do.
 */
function prevailing(priorities: Priority[]): Priority {
  const ranks = priorities.map((one) => THEME_PRIORITIES.indexOf(one)).sort((a, b) => b - a)
  return THEME_PRIORITIES[ranks[Math.ceil(ranks.length / 4) - 1] ?? 0]!
}

function mostFrequent<T>(values: T[]): T | undefined {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
