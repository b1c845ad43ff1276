import { randomUUID } from 'node:crypto'
import type { NodeType } from 'prosemirror-model'
import * as Y from 'yjs'
import { schema } from '../../../engines/markdown/index.ts'
import { fragmentOf } from './fragment.ts'

/** A row of letters that one editor typed. */
export interface Range {
  client: number
  from: number
  to: number
}

/** A block that was removed, and where what arrives for it goes. */
export interface RemovedBlock {
  /** Everything that was in it. */
  ids: Range[]
  /** What was a suggestion in it. */
  suggested: Range[]
  place: Y.RelativePosition
  /** The texts with what each editor typed in it since. */
  texts: Map<number, Y.XmlText>
}

/** Letters for older ones go to the end of the document. */
const MAX_REMEMBERED = 500

const known = new WeakMap<Y.Doc, RemovedBlock[]>()

const remembered = (shared: Y.Doc): RemovedBlock[] => {
  const blocks = known.get(shared) ?? []
  known.set(shared, blocks)
  return blocks
}

export const isIn = (ranges: readonly Range[], id: Y.ID | null) =>
  id !== null && ranges.some(({ client, from, to }) => client === id.client && from <= id.clock && id.clock < to)

function remember(shared: Y.Doc, place: Y.RelativePosition): RemovedBlock {
  const block: RemovedBlock = { ids: [], suggested: [], place, texts: new Map() }
  const blocks = remembered(shared)
  blocks.push(block)
  if (blocks.length > MAX_REMEMBERED) blocks.shift()
  return block
}

/** Remembers a block whose item was just removed. */
export const rememberRemoved = (shared: Y.Doc, item: Y.Item) => remember(shared, placeOf(item))

/** Returns the removed block that these letters belong to. */
export function findRemoved(shared: Y.Doc, { origin, rightOrigin, parent }: Y.Item): RemovedBlock {
  const near = [origin, rightOrigin, parent instanceof Y.ID ? parent : null]
  const found = remembered(shared).findLast(({ ids }) => near.some((id) => isIn(ids, id)))
  const end = () => Y.createRelativePositionFromTypeIndex(fragmentOf(shared), fragmentOf(shared).length)
  return found ?? remember(shared, end())
}

/** Where the block was, or behind the list or table that it was part of. */
function placeOf(removed: Y.Item): Y.RelativePosition {
  let item = removed
  let parent = item.parent as Y.XmlFragment
  for (let type = typeOf(parent); type && !takesText(type); type = typeOf(parent)) {
    item = parent._item!
    parent = item.parent as Y.XmlFragment
  }
  let index = item.deleted ? 0 : 1
  for (let left = item.left; left; left = left.left) if (!left.deleted) index += left.length
  return Y.createRelativePositionFromTypeIndex(parent, index)
}

const typeOf = (parent: Y.XmlFragment): NodeType | undefined =>
  parent instanceof Y.XmlElement ? schema.nodes[parent.nodeName as keyof typeof schema.nodes] : undefined

const takesText = (type: NodeType) => type.inlineContent || type.contentMatch.matchType(schema.nodes.paragraph)

/** Writes letters where their block was. What one editor typed in it stays together. */
export function writeAgain(shared: Y.Doc, block: RemovedBlock, client: number, letters: string, isNew: boolean): void {
  let text = block.texts.get(client)
  if (!text || isGone(text)) text = newText(shared, block)
  block.texts.set(client, text)
  const last = text.toDelta().at(-1)?.attributes?.insertion
  const insertion = isNew ? (last ?? { id: randomUUID() }) : null
  text.insert(text.length, letters, { insertion })
}

function isGone({ _item }: { _item: Y.Item | null }): boolean {
  for (let item = _item; item; item = (item.parent as Y.XmlFragment)._item) if (item.deleted) return true
  return false
}

function newText(shared: Y.Doc, { place }: RemovedBlock): Y.XmlText {
  const found = Y.createAbsolutePositionFromRelativePosition(place, shared)
  const parent = found && !isGone(found.type) ? (found.type as unknown as Y.XmlFragment) : fragmentOf(shared)
  const index = parent === (found?.type as unknown) ? found!.index : parent.length
  const text = new Y.XmlText()
  if (typeOf(parent)?.inlineContent) parent.insert(index, [text])
  else {
    const paragraph = new Y.XmlElement('paragraph')
    parent.insert(index, [paragraph])
    paragraph.insert(0, [text])
  }
  return text
}
