import { Fragment, type Node } from 'prosemirror-model'
import { type Command, type EditorState, Selection, type Transaction } from 'prosemirror-state'
import { withoutTracking } from '../paste.ts'
import { schema } from '../schema.ts'
import { type Block, blockAround } from './block.ts'

/** Returns undefined if it cannot be done to this block. */
export type BlockEdit = (state: EditorState, block: Block) => Transaction | undefined

const placeIn = (state: EditorState, { at }: Block) => {
  const $at = state.doc.resolve(at)
  return { parent: $at.parent, index: $at.index(), $at }
}

/** Moves the neighbor to the other side of a block. The block stays as it is, with the words that others type in it. */
export function passNeighbor(tr: Transaction, { at, node }: Block, other: Node, step: 1 | -1): void {
  const end = at + node.nodeSize
  if (step < 0) tr.delete(at - other.nodeSize, at).insert(end - other.nodeSize, other)
  else tr.delete(end, end + other.nodeSize).insert(at, other)
}

/** Exchanges it with its neighbor. The cursor goes along. */
export const moveBlock =
  (step: 1 | -1): BlockEdit =>
  (state, block) => {
    const { parent, index } = placeIn(state, block)
    const other = parent.maybeChild(index + step)
    if (!other) return undefined
    const { at, node } = block
    const end = at + node.nodeSize
    const moved = step < 0 ? at - other.nodeSize : at + other.nodeSize
    const { tr, selection } = state
    passNeighbor(tr, block, other, step)
    const isInside = selection.from >= at && selection.to <= end
    const head = isInside ? moved + selection.head - at : moved + 1
    return tr.setSelection(Selection.near(tr.doc.resolve(head))).scrollIntoView()
  }

export const duplicateBlock: BlockEdit = (state, { at, node }) => {
  const copy = withoutTracking(Fragment.from(node))
  const end = at + node.nodeSize
  const tr = state.tr.insert(end, copy)
  return tr.setSelection(Selection.near(tr.doc.resolve(end + 1))).scrollIntoView()
}

/** Of a list with one item, nothing is left. */
export const deleteBlock: BlockEdit = (state, block) => {
  let { at, node } = block
  for (let $at = state.doc.resolve(at); $at.depth > 0 && $at.parent.childCount === 1; $at = state.doc.resolve(at)) {
    node = $at.parent
    at = $at.before()
  }
  const { tr } = state
  if (at === 0 && node.nodeSize === state.doc.content.size)
    tr.replaceWith(0, node.nodeSize, schema.nodes.paragraph.create())
  else tr.delete(at, at + node.nodeSize)
  return tr.setSelection(Selection.near(tr.doc.resolve(Math.min(at, tr.doc.content.size)), -1)).scrollIntoView()
}

/** Does it to the block at the cursor. */
export const atCursor =
  (edit: BlockEdit): Command =>
  (state, dispatch) => {
    const block = blockAround(state.selection.$head)
    const tr = block && edit(state, block)
    if (!tr) return false
    dispatch?.(tr)
    return true
  }
