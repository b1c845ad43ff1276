import { diffArrays } from 'diff'
import type { Node } from 'prosemirror-model'
import { keyOf } from './block-key.ts'

/** Above this number of edits, two documents have so little in common that their alignment does not matter. */
const MAX_EDITS = 2_000

/**
 * Returns, for each new block, the index of an old block with the same meaning, or -1. Keeps the order and uses each
 * old block at most once.
 */
export function alignBlocks(old: readonly Node[], fresh: readonly Node[]): number[] {
  const matches = new Array<number>(fresh.length).fill(-1)
  let start = 0
  while (start < old.length && start < fresh.length && haveSameMeaning(old[start]!, fresh[start]!)) {
    matches[start] = start
    start++
  }
  let oldEnd = old.length
  let freshEnd = fresh.length
  while (oldEnd > start && freshEnd > start && haveSameMeaning(old[oldEnd - 1]!, fresh[freshEnd - 1]!))
    matches[--freshEnd] = --oldEnd
  if (start === oldEnd || start === freshEnd) return matches
  let oldAt = start
  let freshAt = start
  const parts = diffArrays(old.slice(start, oldEnd).map(keyOf), fresh.slice(start, freshEnd).map(keyOf), {
    maxEditLength: MAX_EDITS,
  })
  for (const { added, removed, count } of parts ?? []) {
    if (!added && !removed) for (let step = 0; step < count; step++) matches[freshAt + step] = oldAt + step
    if (!added) oldAt += count
    if (!removed) freshAt += count
  }
  return matches
}

/** Compares the cheaper properties first. */
export function haveSameMeaning(one: Node, other: Node): boolean {
  return one.eq(other) || keyOf(one) === keyOf(other)
}
