import type { Features } from '../../../engines/meaning/features.ts'
import { link } from '../../../engines/meaning/linkage.ts'
import { createSpace } from '../../../engines/meaning/space.ts'

/** Groups texts by what they are about. Returns the number of the group for each text. Runs in a thread. */
export function groupTexts(texts: Features[]): number[] {
  const space = createSpace(texts)
  const places = texts.map(space.place)
  return link(texts.length, (a, b) => space.alike(places[a]!, places[b]!), space.enough)
}

export interface Group<T> {
  /** The theme that continues as this group. Undefined if a new one must be opened. */
  themeId: string | undefined
  members: T[]
}

/**
 * Decides which theme continues as which group. The pair with the most members in common is matched first, so as few as
 * possible change their theme.
 */
export function planGroups<T extends { themeId: string }>(all: T[], groupOf: (one: T) => number): Group<T>[] {
  const groups = new Map<number, Group<T>>()
  const common = new Map<string, { group: Group<T>; themeId: string; count: number }>()
  for (const one of all) {
    const [number, { themeId }] = [groupOf(one), one]
    const group = groups.get(number) ?? { themeId: undefined, members: [] }
    groups.set(number, group)
    group.members.push(one)
    const pair = common.get(`${number} ${themeId}`) ?? { group, themeId, count: 0 }
    common.set(`${number} ${themeId}`, pair)
    pair.count++
  }
  const taken = new Set<string>()
  for (const { group, themeId } of [...common.values()].sort((a, b) => b.count - a.count)) {
    if (group.themeId !== undefined || taken.has(themeId)) continue
    group.themeId = themeId
    taken.add(themeId)
  }
  return [...groups.values()]
}
