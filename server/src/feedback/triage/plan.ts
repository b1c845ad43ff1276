export interface Placement {
  itemId: string
  themeId: string
}

export interface Group {
  /** The theme that continues as this group. Undefined if a new one must be opened. */
  themeId: string | undefined
  items: string[]
  /** Themes that end because most of their items are in this group now. */
  absorbed: string[]
}

/**
 * Decides which theme continues as which group. The pair with the most items in common is matched first, so as few
 * items as possible change their theme.
 */
export function planGroups(placements: readonly Placement[], groupOf: readonly number[]): Group[] {
  const groups = new Map<number, Group>()
  const common = new Map<string, { group: number; themeId: string; count: number }>()
  placements.forEach(({ itemId, themeId }, index) => {
    const group = groupOf[index]!
    const known = groups.get(group)
    if (known) known.items.push(itemId)
    else groups.set(group, { themeId: undefined, items: [itemId], absorbed: [] })
    const pair = common.get(`${group} ${themeId}`)
    if (pair) pair.count++
    else common.set(`${group} ${themeId}`, { group, themeId, count: 1 })
  })
  const taken = new Set<string>()
  const pairs = [...common.values()].sort((a, b) => b.count - a.count)
  for (const { group, themeId } of pairs) {
    const one = groups.get(group)!
    if (one.themeId !== undefined || taken.has(themeId)) continue
    one.themeId = themeId
    taken.add(themeId)
  }
  for (const { group, themeId } of pairs)
    if (!taken.has(themeId)) {
      taken.add(themeId)
      groups.get(group)!.absorbed.push(themeId)
    }
  return [...groups.values()]
}
