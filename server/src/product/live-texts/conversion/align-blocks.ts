import type { Node } from 'prosemirror-model'
import { alignNodes } from '../../../engines/markdown/index.ts'
import { keyOf } from './block-key.ts'

/** Returns, for each new block, the index of an old block with the same meaning, or -1, as `alignNodes` does. */
export const alignBlocks = (old: readonly Node[], fresh: readonly Node[]) => alignNodes(old, fresh, keyOf)

/** Compares the cheaper properties first. */
export function haveSameMeaning(one: Node, other: Node): boolean {
  return one.eq(other) || keyOf(one) === keyOf(other)
}
