import { findChanges, parseMarkdown, serializeBlock, writeProposal } from '@slipway/server/markdown'
import { Fragment, type MarkType, type Node } from 'prosemirror-model'
import { type EditorState, NodeSelection, type Transaction } from 'prosemirror-state'
import { schema } from '../schema.ts'
import { VANISHES } from './rejected.ts'
import { trackedMark } from './tracked-runs.ts'

const { opaque_block, paragraph } = schema.nodes

/** Why an edit cannot be a suggestion. */
export class NotSuggestible extends Error {}

/** On a transaction that writes a proposal, which needs no further tracking. */
export const PROPOSED = 'proposed'

export const PENDING = 'This block already has a suggestion. Accept, reject or withdraw it first.'
const UNREADABLE = 'Markdown cannot hold this change as a suggestion. Comment on it, or switch to editing.'

/** What one has proposed oneself since the page was opened, and may go on writing. */
const mine = new Set<string>()
export const isMine = (source: string) => mine.has(source)
export function noteMine(source: string): string {
  mine.add(source)
  return source
}

/**
 * Proposes whole blocks instead of others. Markdown can mark that a text comes and goes, but not that a line becomes a
 * heading, a task is ticked or a line of code changes. Of lists and tables, only the lines that differ are replaced.
 */
export function proposeBlocks(state: EditorState, tr: Transaction, isOwn: (id: string) => boolean): Transaction {
  const { before: old, doc: fresh } = tr
  const first = firstDifferent(old, fresh)
  const common = Math.min(old.childCount, fresh.childCount) - first
  let same = 0
  while (same < common && old.child(old.childCount - 1 - same) === fresh.child(fresh.childCount - 1 - same)) same++
  const gone = old.children.slice(first, old.childCount - same)
  const added = fresh.children.slice(first, fresh.childCount - same)
  const start = gone.length > 0 || first > 0 ? placeOf(old, first) : 0
  const head = tr.selection.head - placeOf(fresh, first)
  return replaceBlocks(state, { start, gone, added, head }, isOwn)
}

/**
 * Proposes the block with the cursor as it is, so that its editor is open when a composition begins: one that began in
 * the block itself would end with its first letter.
 */
export function proposeUnchanged(state: EditorState, isOwn: (id: string) => boolean): Transaction {
  const { $head } = state.selection
  const [start, block] = [$head.before(1), $head.node(1)]
  return replaceBlocks(state, { start, gone: [block], added: [block], head: $head.pos - start }, isOwn)
}

interface Replaced {
  start: number
  gone: readonly Node[]
  added: readonly Node[]
  /** Where the cursor goes, counted from the start. */
  head: number
}

function replaceBlocks(state: EditorState, { start, gone, added, head }: Replaced, isOwn: (id: string) => boolean) {
  if (gone.some((block) => isPending(block, isOwn))) throw new NotSuggestible(PENDING)
  // What one has suggested in these blocks so far becomes part of the proposal.
  const source = proposalOf(
    writeAll(gone.map((block) => settled(block, schema.marks.deletion))),
    writeAll(added.map((block) => settled(block, schema.marks.insertion))),
  )
  const size = gone.reduce((sum, node) => sum + node.nodeSize, 0)
  const out = state.tr.replaceWith(start, start + size, opaque_block.create({ source: noteMine(source) }))
  return out.setSelection(NodeSelection.create(out.doc, start)).setMeta(PROPOSED, { head }).scrollIntoView()
}

function firstDifferent(old: Node, fresh: Node): number {
  let at = 0
  while (at < Math.min(old.childCount, fresh.childCount) && old.child(at) === fresh.child(at)) at++
  return at
}

const placeOf = (doc: Node, index: number) => doc.children.slice(0, index).reduce((sum, node) => sum + node.nodeSize, 0)

/** True if something in the block waits for a decision, other than text of one's own. */
export function isPending(block: Node, isOwn: (id: string) => boolean): boolean {
  if (block.isAtom) return findChanges(String(block.attrs.source ?? block.attrs.html ?? '')).length > 0
  let found = false
  block.descendants((node) => {
    const mark = trackedMark(node.marks)
    if (mark && !isOwn(mark.attrs.id)) found = true
  })
  return found
}

/** The block with only one kind of its suggested texts, which are no longer marked. Blocks that are empty then go. */
export function settled(block: Node, kept: MarkType): Node {
  if (block.isText || block.isLeaf) return block
  const content = block.children.flatMap((node) => {
    const mark = trackedMark(node.marks)
    const inner = mark ? node : settled(node, kept)
    if (!mark) return inner.content.size === 0 && node.content.size > 0 && VANISHES.has(node.type) ? [] : [inner]
    return mark.type === kept ? [node.mark(mark.removeFromSet(node.marks))] : []
  })
  return block.copy(Fragment.from(content))
}

/** The markdown of blocks. Empty paragraphs have none. */
export const writeAll = (blocks: readonly Node[]) =>
  blocks
    .filter((node) => node.type !== paragraph || node.content.size > 0)
    .map((node) => serializeBlock(node))
    .join('\n\n')

export function proposalOf(old: string, fresh: string): string {
  const source = writeProposal({ old, fresh })
  if (source === undefined) throw new NotSuggestible(UNREADABLE)
  return source
}

/** Markdown as the blocks of the editor. */
export function blocksOf(markdown: string): Fragment {
  const { doc } = parseMarkdown(markdown)
  return Fragment.from(doc.children.map((node) => withLine(schema.nodeFromJSON(node.toJSON()))))
}

/** An empty quote or list item has no line to type in, because markdown has no empty paragraphs. */
function withLine(node: Node): Node {
  const { blockquote, list_item } = schema.nodes
  if (node.isLeaf || node.inlineContent) return node
  if (node.childCount === 0 && (node.type === blockquote || node.type === list_item))
    return node.copy(Fragment.from(paragraph.create()))
  return node.copy(Fragment.from(node.children.map(withLine)))
}
