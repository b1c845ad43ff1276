import type { Node } from 'prosemirror-model'

/**
 * Returns, for each new node, the index of an equal old node or -1. Keeps the order, uses each old node at most once,
 * and matches as many nodes as possible.
 */
export function alignNodes(old: readonly Node[], fresh: readonly Node[]): number[] {
  const matches = new Array<number>(fresh.length).fill(-1)
  let start = 0
  while (start < old.length && start < fresh.length && old[start]!.eq(fresh[start]!)) {
    matches[start] = start
    start++
  }
  let oldEnd = old.length
  let freshEnd = fresh.length
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1]!.eq(fresh[freshEnd - 1]!)) matches[--freshEnd] = --oldEnd
  alignMiddle(old.slice(start, oldEnd), fresh.slice(start, freshEnd)).forEach((match, at) => {
    if (match >= 0) matches[start + at] = start + match
  })
  return matches
}

function alignMiddle(old: readonly Node[], fresh: readonly Node[]): number[] {
  if (old.length === 0 || fresh.length === 0) return []
  const places = new Map<string, number[]>()
  old.forEach((node, at) => {
    const key = keyOf(node)
    const known = places.get(key)
    if (known) known.push(at)
    else places.set(key, [at])
  })
  const used = new Map<string, number>()
  const candidates = fresh.map((node) => {
    const key = keyOf(node)
    const next = used.get(key) ?? 0
    used.set(key, next + 1)
    return places.get(key)?.[next] ?? -1
  })
  const rising = new Set(longestRising(candidates))
  return candidates.map((candidate, at) => (rising.has(at) ? candidate : -1))
}

function keyOf(node: Node): string {
  return JSON.stringify(node.toJSON())
}

/** Returns the indexes of a longest increasing subsequence, ignoring -1, in O(n log n). */
function longestRising(values: number[]): number[] {
  const tails: number[] = []
  const before = new Array<number>(values.length).fill(-1)
  values.forEach((value, at) => {
    if (value < 0) return
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    if (low > 0) before[at] = tails[low - 1]!
    tails[low] = at
  })
  const rising: number[] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) rising.push(at)
  return rising.reverse()
}
