import { randomInt } from 'node:crypto'
import type { Node } from 'prosemirror-model'
import { updateYFragment } from 'y-prosemirror'
import * as Y from 'yjs'
import { alignBlocks } from './align-blocks.ts'
import { pairUp } from './pair-up.ts'
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
  let oldEnd = old.length
  let end = node.childCount
  let place = parent.length
  // Works backwards, so earlier positions stay valid.
  for (let at = node.childCount - 1; at >= -1; at--) {
    const match = at < 0 ? -1 : matches[at]!
    if (at >= 0 && match < 0) continue
    writeBetween(shared, parent, place, old.slice(match + 1, oldEnd), node.children.slice(at + 1, end))
    if (at < 0) return
    writeBlock(shared, old[match]!, node.child(at))
    place = old[match]!.place
    oldEnd = match
    end = at
  }
}

/** Replaces the blocks between two that stay. Someone who types in a replaced block continues in its successor. */
function writeBetween(
  shared: Y.Doc,
  parent: Y.XmlFragment,
  end: number,
  old: SharedBlock[],
  fresh: readonly Node[],
): void {
  const pairs = pairUp(
    old.map(({ node }) => node),
    fresh,
  )
  let place = end
  let last = old.length - 1
  for (let at = fresh.length - 1; at >= 0; at--) {
    const pair = pairs[at]!
    if (pair < 0) insertBlock(shared, parent, place, fresh[at]!)
    else {
      for (; last > pair; last--) parent.delete(old[last]!.place, 1)
      writeBlock(shared, old[last]!, fresh[at]!)
      place = old[last--]!.place
    }
  }
  for (; last >= 0; last--) parent.delete(old[last]!.place, 1)
}

function insertBlock(shared: Y.Doc, parent: Y.XmlFragment, place: number, node: Node): void {
  const element = new Y.XmlElement(node.type.name)
  parent.insert(place, [element])
  updateYFragment(shared, element, node, { mapping: new Map(), isOMark: new Map() })
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
