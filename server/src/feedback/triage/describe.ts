import type { Priority } from '../../work-orders/index.ts'
import { THEME_PRIORITIES, type ThemeType } from '../themes/theme.ts'
import type { TriageMemory } from './memory.ts'

export interface Description {
  title: string
  type: ThemeType
  priority: Priority
}

/** Names a group after its most central matter and gives it the most common type. */
export function describeGroup(memory: TriageMemory, keys: readonly string[]): Description & { titles: Set<string> } {
  const matters = keys.flatMap((key) => memory.get(key)?.matter ?? [])
  const { middle } = memory.middleOf(keys)!
  const types = matters.map((one) => one.type).filter((one) => one !== 'other')
  return {
    title: middle.matter.title,
    type: mostFrequent(types) ?? 'other',
    priority: prevailing(matters.map((one) => one.priority)),
    titles: new Set(matters.map((one) => one.title)),
  }
}

/**
 * Returns the highest priority that at least a quarter of the matters reach: one angry customer does not make a theme
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
