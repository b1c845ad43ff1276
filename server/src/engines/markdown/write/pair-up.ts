import type { Node } from 'prosemirror-model'

/** Above this number of comparisons, blocks are paired in order: finding the most similar ones would take too long. */
const MAX_COMPARISONS = 10_000

/**
 * Returns, for each new block, the old block of the same type that it most likely comes from, or -1. Keeps the order
 * and uses each old block at most once.
 */
export function pairUp(
  old: readonly Node[],
  fresh: readonly Node[],
  textOf = ({ textContent }: Node) => textContent,
): number[] {
  if (old.length * fresh.length > MAX_COMPARISONS) return pairInOrder(old, fresh)
  const texts = old.map(textOf)
  const freshTexts = fresh.map(textOf)
  /** The best total similarity of the old blocks from one index on and the new blocks from another. */
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(fresh.length + 1))
  const worth = (at: number, freshAt: number) =>
    kindOf(old[at]!) === kindOf(fresh[freshAt]!)
      ? 0.01 + similarity(texts[at]!, freshTexts[freshAt]!)
      : Number.NEGATIVE_INFINITY
  const paired = (at: number, freshAt: number) => worth(at, freshAt) + best[at + 1]![freshAt + 1]!
  for (let at = old.length - 1; at >= 0; at--) {
    for (let freshAt = fresh.length - 1; freshAt >= 0; freshAt--) {
      const apart = Math.max(best[at + 1]![freshAt]!, best[at]![freshAt + 1]!)
      best[at]![freshAt] = Math.max(apart, paired(at, freshAt))
    }
  }
  const pairs = new Array<number>(fresh.length).fill(-1)
  for (let at = 0, freshAt = 0; at < old.length && freshAt < fresh.length; ) {
    if (best[at]![freshAt] === paired(at, freshAt)) pairs[freshAt++] = at++
    else if (best[at]![freshAt] === best[at + 1]![freshAt]) at++
    else freshAt++
  }
  return pairs
}

/** A new text does not come from an empty paragraph: someone is about to type in it. */
const kindOf = ({ type, content }: Node) => (type.name === 'paragraph' && content.size === 0 ? 'empty' : type.name)

function pairInOrder(old: readonly Node[], fresh: readonly Node[]): number[] {
  /** The places of the old blocks of each kind, last first. */
  const places = new Map<string, number[]>()
  for (let at = old.length - 1; at >= 0; at--) {
    const kind = kindOf(old[at]!)
    if (!places.has(kind)) places.set(kind, [])
    places.get(kind)!.push(at)
  }
  let next = 0
  return fresh.map((one) => {
    const left = places.get(kindOf(one)) ?? []
    while (left.length > 0 && left.at(-1)! < next) left.pop()
    const found = left.pop() ?? -1
    if (found >= 0) next = found + 1
    return found
  })
}

/** Returns the share of the longer text that is a common prefix or suffix of both. */
function similarity(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return (start + end) / Math.max(a.length, b.length, 1)
}
