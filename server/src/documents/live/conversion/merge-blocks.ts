import type { Node } from 'prosemirror-model'
import { schema } from '../../../engines/markdown/index.ts'
import { alignBlocks, haveSameMeaning } from './align-blocks.ts'

/**
 * Applies a change of the markdown, from `base` to `changed`, to the shared blocks. They have the same meaning as
 * `base` but may contain more than markdown can express: an empty paragraph, a space at the end of a line.
 */
export function mergeBlocks(base: readonly Node[], shared: readonly Node[], changed: readonly Node[]): Node[] {
  const inShared = placesOf(base.length, alignBlocks(base, shared))
  const inChanged = placesOf(base.length, alignBlocks(base, changed))
  const merged: Node[] = []
  let baseFrom = 0
  let sharedFrom = 0
  let changedFrom = 0
  for (let at = 0; at <= base.length; at++) {
    const sharedTo = at < base.length ? inShared[at]! : shared.length
    const changedTo = at < base.length ? inChanged[at]! : changed.length
    if (sharedTo < 0 || changedTo < 0) continue
    const ours = shared.slice(sharedFrom, sharedTo)
    const theirs = changed.slice(changedFrom, changedTo)
    if (isSame(base.slice(baseFrom, at), theirs)) merged.push(...ours)
    else merged.push(...theirs, ...ours.filter(isEmpty))
    // A block that equals its markdown takes over the new notation. A block that contains more stays as it is.
    const [held, now] = [shared[sharedTo], changed[changedTo]]
    if (at < base.length) merged.push(held!.eq(base[at]!) ? now! : held!)
    baseFrom = at + 1
    sharedFrom = sharedTo + 1
    changedFrom = changedTo + 1
  }
  return merged
}

/** Inverts a mapping from new to old positions. */
function placesOf(count: number, matches: number[]): number[] {
  const places = new Array<number>(count).fill(-1)
  matches.forEach((match, at) => {
    if (match >= 0) places[match] = at
  })
  return places
}

function isSame(some: readonly Node[], others: readonly Node[]): boolean {
  return some.length === others.length && some.every((node, at) => haveSameMeaning(node, others[at]!))
}

/**
 * Markdown has no empty paragraphs, so a change of the markdown cannot remove one. Someone may be about to type in it.
 */
function isEmpty(node: Node): boolean {
  return node.type === schema.nodes.paragraph && node.content.size === 0
}
