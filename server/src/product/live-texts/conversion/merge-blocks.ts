import { Fragment, type Node } from 'prosemirror-model'
import { pairUp, schema } from '../../../engines/markdown/index.ts'
import { alignBlocks, haveSameMeaning } from './align-blocks.ts'
import { keyOf } from './block-key.ts'
import { withOuterSpacesOf } from './outer-spaces.ts'

/**
 * Applies a change of the markdown, from `base` to `changed`, to the shared blocks. They have the same meaning as
 * `base` but may contain more than markdown can express: an empty paragraph, a space at the end of a line.
 */
export function mergeBlocks(base: readonly Node[], shared: readonly Node[], changed: readonly Node[]): Node[] {
  const matches = alignBlocks(base, shared)
  const inShared = placesOf(base.length, matches)
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
    else {
      const before = ours.map((node, index) => base[matches[sharedFrom + index]!] ?? node)
      merged.push(...mergeGap(before, ours, theirs))
    }
    // A block that equals its markdown takes over the new notation. A block that contains more stays as it is.
    const [held, now] = [shared[sharedTo], changed[changedTo]]
    if (at < base.length) merged.push(held!.eq(base[at]!) ? now! : held!)
    baseFrom = at + 1
    sharedFrom = sharedTo + 1
    changedFrom = changedTo + 1
  }
  return merged
}

/** Merges blocks that changed. An empty paragraph stays behind the block that it follows. */
function mergeGap(base: readonly Node[], ours: readonly Node[], theirs: readonly Node[]): Node[] {
  const pairs = pairUp(ours, theirs)
  const merged: Node[] = []
  let next = 0
  const keepEmpty = (to: number) => {
    for (; next < to; next++) if (isEmpty(ours[next]!)) merged.push(ours[next]!)
  }
  const keepFollowing = () => {
    while (next < ours.length && isEmpty(ours[next]!)) merged.push(ours[next++]!)
  }
  keepFollowing()
  theirs.forEach((node, at) => {
    const pair = pairs[at]!
    if (pair < 0) {
      merged.push(node)
      return
    }
    keepEmpty(pair)
    merged.push(mergeBlock(base[pair]!, ours[pair]!, node))
    next = pair + 1
    keepFollowing()
  })
  keepEmpty(ours.length)
  return merged
}

/** Applies a change of one block to the shared block. */
export function mergeBlock(base: Node, held: Node, changed: Node): Node {
  if (changed.isLeaf || changed.type.spec.code) return changed
  if (changed.inlineContent) return withOuterSpacesOf(held, changed)
  const content = Fragment.from(mergeBlocks(base.children, held.children, changed.children))
  const merged = changed.copy(content)
  return changed.type.validContent(content) && keyOf(merged) === keyOf(changed) ? merged : changed
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
const isEmpty = (node: Node) => node.type === schema.nodes.paragraph && node.content.size === 0
