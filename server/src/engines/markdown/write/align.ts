import type { Node } from 'prosemirror-model'

type KeyOf = (node: Node) => string

const contentOf: KeyOf = (node) => JSON.stringify(node.toJSON())

/**
 * Returns, for each new node, the index of an old node with the same key, or -1. Keeps the order, uses each old node at
 * most once, and pairs repeated nodes from the first on.
 */
export function alignNodes(old: readonly Node[], fresh: readonly Node[], keyOf: KeyOf = contentOf): number[] {
  const isSame = (one: Node, other: Node) => one.eq(other) || keyOf(one) === keyOf(other)
  const matches = new Array<number>(fresh.length).fill(-1)
  let start = 0
  while (start < old.length && start < fresh.length && isSame(old[start]!, fresh[start]!)) {
    matches[start] = start
    start++
  }
  let oldEnd = old.length
  let freshEnd = fresh.length
  while (oldEnd > start && freshEnd > start && isSame(old[oldEnd - 1]!, fresh[freshEnd - 1]!))
    matches[--freshEnd] = --oldEnd
  if (start === oldEnd || start === freshEnd) return matches
  const middle = alignKeys(old.slice(start, oldEnd).map(keyOf), fresh.slice(start, freshEnd).map(keyOf))
  middle.forEach((match, at) => {
    if (match >= 0) matches[start + at] = start + match
  })
  return matches
}

function alignKeys(old: readonly string[], fresh: readonly string[]): number[] {
  const places = new Map<string, number[]>()
  old.forEach((key, at) => {
    const known = places.get(key)
    if (known) known.push(at)
    else places.set(key, [at])
  })
  const used = new Map<string, number>()
  const candidates = fresh.map((key) => {
    const next = used.get(key) ?? 0
    used.set(key, next + 1)
    return places.get(key)?.[next] ?? -1
  })
  const rising = new Set(longestRising(candidates))
  return candidates.map((candidate, at) => (rising.has(at) ? candidate : -1))
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
