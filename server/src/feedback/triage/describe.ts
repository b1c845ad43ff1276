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
  /** What the group would be called after any of its items. */
  titles: Set<string>
}

/** A group is called as the item in its middle, and is of the kind that most of its items are. */
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

/** The highest that a quarter of them have at least: one angry customer does not make it urgent, five of twenty do. */
function prevailing(priorities: Priority[]): Priority {
  const ranks = priorities.map((one) => THEME_PRIORITIES.indexOf(one)).sort((a, b) => b - a)
  return THEME_PRIORITIES[ranks[Math.ceil(ranks.length / 4) - 1] ?? 0]!
}

function mostFrequent<T>(values: T[]): T | undefined {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
