import type { Node, ResolvedPos } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { schema } from '../schema.ts'

const { list_item } = schema.nodes

/** What is moved as one: a block of the document, or an item of a list. */
export interface Block {
  /** The position before it. */
  at: number
  node: Node
}

const isUnit = (node: Node, depth: number) => depth === 1 || node.type === list_item

/** The innermost block around a position. */
export function blockAround($pos: ResolvedPos): Block | undefined {
  const after = $pos.nodeAfter
  if (after && !after.isInline && isUnit(after, $pos.depth + 1)) return { at: $pos.pos, node: after }
  for (let depth = $pos.depth; depth > 0; depth--)
    if (isUnit($pos.node(depth), depth)) return { at: $pos.before(depth), node: $pos.node(depth) }
  return undefined
}

/** The block at a point of the screen, if the text is there. */
export function blockAtPoint(view: EditorView, left: number, top: number): Block | undefined {
  const found = view.posAtCoords({ left, top })
  if (!found) return undefined
  return blockAround(view.state.doc.resolve(found.inside >= 0 ? found.inside : found.pos))
}

/** The block that stands at a position now, if it is still one. */
export function blockAt(doc: Node, at: number): Block | undefined {
  if (at > doc.content.size) return undefined
  const block = blockAround(doc.resolve(at))
  return block?.at === at ? block : undefined
}
