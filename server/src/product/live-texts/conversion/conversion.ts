import type { MarkType, Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { schema } from '../../../engines/markdown/index.ts'
import { alignBlocks } from './align-blocks.ts'
import { type HeldIds, heldIds } from './held-ids.ts'
import { keepTyped } from './keep-typed.ts'
import { mergeBlock, mergeBlocks } from './merge-blocks.ts'
import { mergeUpdate } from './merge-update.ts'
import { packState, unpackState } from './packed-state.ts'
import { dropExcludedMarks, fragmentOf, readFragment } from './read-fragment.ts'
import { readShared, writeShared } from './rich-form.ts'
import { writeFragment } from './write-fragment.ts'

/** Converts between markdown and the shared state. Inputs and outputs can be sent to a thread; states are packed. */
export interface Source {
  source: string
  /** IDs of its pending changes, in order. */
  changeIds: string[]
}

export interface Followed extends Source {
  /** The previous shared state and the markdown that it matched. */
  before: { state: Uint8Array; source: string } | undefined
}

/** Returns the shared state after a change of the markdown. Does not touch what is equal before and after. */
export function follow({ source, changeIds, before }: Followed): Uint8Array {
  const changed = readShared(source, changeIds).doc
  const shared = new Y.Doc()
  if (!before) writeFragment(shared, changed)
  else {
    Y.applyUpdate(shared, unpackState(before.state))
    const base = readShared(before.source, []).doc
    const held = readFragment(fragmentOf(shared))
    const merged = mergeBlocks(base.children, held.children, changed.children)
    // A text that was changed and changed back has the same suggestions under other ids.
    const named = changeIds.length > 0 ? withStoredNames(merged, changed.children) : merged
    writeFragment(shared, schema.nodes.doc.create(null, named))
  }
  return packState(Y.encodeStateAsUpdate(shared))
}

export interface Typed extends Source {
  /** What others have stored, if that is not known to the session, and last what was typed. */
  states: Uint8Array[]
}

export interface Written {
  markdown: string
  state: Uint8Array
  /** The ids that editors gave to the pending changes of the markdown, in order. Undefined if they cannot be told. */
  heldIds: HeldIds
}

/** Writes the shared state as markdown. Blocks that nobody changed keep their bytes from `source`. */
export function writeOut({ source, changeIds, states }: Typed): Written {
  const shared = openAll(states.slice(-1))
  const others = states.slice(0, -1)
  if (others.length > 0) {
    const typed = openAll(states.slice(-1))
    for (const state of others) mergeUpdate(shared, unpackState(state))
    keepTyped(shared, typed, openAll(others))
  }
  const doc = readFragment(fragmentOf(shared))
  const markdown = writeShared(source, readShared(source, changeIds), doc)
  return {
    markdown,
    state: states.length === 1 ? states[0]! : packState(Y.encodeStateAsUpdate(shared)),
    heldIds: heldIds(doc, markdown),
  }
}

function openAll(states: Uint8Array[]): Y.Doc {
  const shared = new Y.Doc()
  for (const state of states) Y.applyUpdate(shared, unpackState(state))
  return shared
}

export interface Named extends Source {
  state: Uint8Array
}

/**
 * Renames the tracked changes of an editor to their stored ids, and gives its proposals their stored text. Returns
 * undefined if nothing changes.
 */
export function nameChanges({ source, changeIds, state }: Named): Uint8Array | undefined {
  const shared = new Y.Doc()
  Y.applyUpdate(shared, unpackState(state))
  const isDropped = dropExcludedMarks(shared)
  const held = readFragment(fragmentOf(shared)).children
  const known = readShared(source, changeIds).doc.children
  const named = withStoredNames(held, known)
  if (!isDropped && named.every((node, at) => node === held[at])) return undefined
  writeFragment(shared, schema.nodes.doc.create(null, named))
  return packState(Y.encodeStateAsUpdate(shared))
}

function withStoredNames(held: readonly Node[], known: readonly Node[]): Node[] {
  const matches = alignBlocks(known, held)
  return held.map((node, at) => {
    const match = known[matches[at]!]
    const isNamed = !match || (changeNames(match) === changeNames(node) && match.attrs.source === node.attrs.source)
    return isNamed ? node : mergeBlock(match, node, match)
  })
}

function changeNames(node: Node): string {
  const names: string[] = []
  node.descendants(({ marks }) => {
    for (const { type, attrs } of marks) if (TRACKED.has(type)) names.push(attrs.id)
  })
  return names.join()
}

const TRACKED = new Set<MarkType>([schema.marks.insertion, schema.marks.deletion])
