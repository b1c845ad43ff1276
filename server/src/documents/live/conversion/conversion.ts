import type { MarkType, Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { schema } from '../../../engines/markdown/index.ts'
import { alignBlocks } from './align-blocks.ts'
import { mergeBlocks } from './merge-blocks.ts'
import { packState, unpackState } from './packed-state.ts'
import { fragmentOf, readFragment } from './read-fragment.ts'
import { readShared, writeShared } from './rich-form.ts'
import { writeFragment } from './write-fragment.ts'

/** Between markdown and what editors share. What goes in and out can be sent to a thread and back; states are packed. */
export interface Source {
  source: string
  /** The identities of its pending changes, in order. */
  changeIds: string[]
}

export interface Followed extends Source {
  /** What was shared, and the markdown that it was in step with. */
  before: { state: Uint8Array; source: string } | undefined
}

/** What is shared once it follows the markdown. What is the same before and after is not touched. */
export function follow({ source, changeIds, before }: Followed): Uint8Array {
  const changed = readShared(source, changeIds).doc
  const shared = new Y.Doc()
  if (!before) writeFragment(shared, changed)
  else {
    Y.applyUpdate(shared, unpackState(before.state))
    const base = readShared(before.source, []).doc
    const held = readFragment(fragmentOf(shared))
    const merged = mergeBlocks(base.children, held.children, changed.children)
    writeFragment(shared, schema.nodes.doc.create(null, merged))
  }
  return packState(Y.encodeStateAsUpdate(shared))
}

export interface Typed extends Source {
  /** What several share, who may not have seen each other's. */
  states: Uint8Array[]
}

/** The markdown of what is shared: blocks that nobody changed keep their bytes from `source`. */
export function writeOut({ source, changeIds, states }: Typed): { markdown: string; state: Uint8Array } {
  const shared = new Y.Doc()
  for (const state of states) Y.applyUpdate(shared, unpackState(state))
  const markdown = writeShared(source, readShared(source, changeIds), readFragment(fragmentOf(shared)))
  return { markdown, state: states.length === 1 ? states[0]! : packState(Y.encodeStateAsUpdate(shared)) }
}

export interface Named extends Source {
  state: Uint8Array
}

/** An editor gives a change that it tracks a name of its own. Once it is stored it has ours, which editors should use too. */
export function nameChanges({ source, changeIds, state }: Named): Uint8Array | undefined {
  const shared = new Y.Doc()
  Y.applyUpdate(shared, unpackState(state))
  const held = readFragment(fragmentOf(shared)).children
  const known = readShared(source, changeIds).doc.children
  const matches = alignBlocks(known, held)
  let isNew = false
  const named = held.map((node, at) => {
    const match = known[matches[at]!]
    if (!match || changeNames(match) === changeNames(node)) return node
    isNew = true
    return match
  })
  if (!isNew) return undefined
  writeFragment(shared, schema.nodes.doc.create(null, named))
  return packState(Y.encodeStateAsUpdate(shared))
}

function changeNames(node: Node): string {
  const names: string[] = []
  node.descendants(({ marks }) => {
    for (const { type, attrs } of marks) if (TRACKED.has(type)) names.push(attrs.id)
  })
  return names.join()
}

const TRACKED = new Set<MarkType>([schema.marks.insertion, schema.marks.deletion])
