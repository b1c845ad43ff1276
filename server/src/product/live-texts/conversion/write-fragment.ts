import { randomInt } from 'node:crypto'
import type { Node } from 'prosemirror-model'
import { updateYFragment } from 'y-prosemirror'
import * as Y from 'yjs'
import { pairUp } from '../../../engines/markdown/index.ts'
import { alignBlocks } from './align-blocks.ts'
import { blocksOf, fragmentOf, type SharedBlock } from './read-fragment.ts'
import { writeText } from './write-text.ts'

/** Yjs orders edits at one place by client, and editors choose their ids from 32 bits. */
const MAX_CLIENT_ID = 0xffff

/**
 * Updates the shared content to `doc` with a small change. Does not touch what is equal on both sides. The low id puts
 * the change before what someone types at the same place, so that the words of a person at the keyboard stay together.
 */
export function writeFragment(shared: Y.Doc, doc: Node): void {
  shared.clientID = randomInt(1, MAX_CLIENT_ID)
  shared.transact(() => writeChildren(shared, fragmentOf(shared), doc))
}

function writeChildren(shared: Y.Doc, parent: Y.XmlFragment, node: Node): void {
  const old = blocksOf(parent)
  const matches = alignBlocks(
    old.map((block) => block.node),
    node.children,
  )
  const place: Place = { shared, parent, before: parent.toArray() as Y.XmlElement[], at: parent.length }
  let oldEnd = old.length
  let end = node.childCount
  // Works backwards, so earlier positions stay valid.
  for (let at = node.childCount - 1; at >= -1; at--) {
    const match = at < 0 ? -1 : matches[at]!
    if (at >= 0 && match < 0) continue
    writeBetween(place, old.slice(match + 1, oldEnd), node.children.slice(at + 1, end))
    if (at < 0) return
    writeBlock(shared, old[match]!, node.child(at))
    place.at = old[match]!.place
    oldEnd = match
    end = at
  }
}

/** Where the next block is inserted. `before` has the children as they were, and still are in front of the place. */
interface Place {
  shared: Y.Doc
  parent: Y.XmlFragment
  before: Y.XmlElement[]
  at: number
}

/** Replaces the blocks between two that stay. Someone who types in a replaced block continues in its successor. */
function writeBetween(place: Place, old: SharedBlock[], fresh: readonly Node[]): void {
  const pairs = pairUp(
    old.map(({ node }) => node),
    fresh,
  )
  let oldEnd = old.length
  let end = fresh.length
  for (let at = fresh.length - 1; at >= -1; at--) {
    const pair = at < 0 ? -1 : pairs[at]!
    if (at >= 0 && pair < 0) continue
    insertBlocks(place, fresh.slice(at + 1, end))
    deleteBlocks(place.parent, old.slice(pair + 1, oldEnd))
    if (at < 0) return
    writeBlock(place.shared, old[pair]!, fresh[at]!)
    place.at = old[pair]!.place
    oldEnd = pair
    end = at
  }
}

/** Inserts all at once and after an element: Yjs counts from the beginning to find a position. */
function insertBlocks({ shared, parent, before, at }: Place, nodes: readonly Node[]): void {
  if (nodes.length === 0) return
  const elements = nodes.map((node) => new Y.XmlElement(node.type.name))
  parent.insertAfter(before[at - 1] ?? null, elements)
  for (const [index, element] of elements.entries())
    updateYFragment(shared, element, nodes[index]!, { mapping: new Map(), isOMark: new Map() })
}

function deleteBlocks(parent: Y.XmlFragment, blocks: SharedBlock[]): void {
  for (let last = blocks.length - 1; last >= 0; ) {
    let first = last
    while (first > 0 && blocks[first - 1]!.place === blocks[first]!.place - 1) first--
    parent.delete(blocks[first]!.place, last - first + 1)
    last = first - 1
  }
}

function writeBlock(shared: Y.Doc, { element, node }: SharedBlock, fresh: Node): void {
  if (node.eq(fresh)) return
  for (const [name, value] of Object.entries(fresh.attrs)) {
    if (value === null) element.removeAttribute(name)
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
  }
  if (fresh.inlineContent) writeText(shared, element, fresh)
  else writeChildren(shared, element, fresh)
}
