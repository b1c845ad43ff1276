import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { AddMarkStep, RemoveMarkStep, ReplaceStep } from 'prosemirror-transform'
import { newUuid } from '../../lib/ids.ts'
import { schema } from '../schema.ts'
import { NotSuggestible, PROPOSED, proposeBlocks } from './block-proposal.ts'
import type { OwnSuggestions } from './own-suggestions.ts'
import { isRejectable } from './rejected.ts'
import { replaceInLine } from './replaced-line.ts'
import { trackedMark } from './tracked-runs.ts'

const { nodes, marks } = schema

/** The edit changes more than text, so whole blocks have to be proposed. */
class NeedsBlocks extends Error {}

const FOREIGN = 'This text is itself a suggestion of someone else. Accept or reject it first.'

interface Edit {
  from: number
  to: number
  slice: Slice
}

/**
 * Turns an edit into suggestions: what it deletes is marked and stays, what it adds is marked as added. Deleting an own
 * addition takes it back. Markdown has no empty paragraphs, so the form of a block without text needs no mark.
 */
export function trackChanges(state: EditorState, tr: Transaction, own: OwnSuggestions): Transaction {
  if (tr.getMeta(PROPOSED)) return tr
  let out: Transaction
  try {
    out = tracked(state, tr, own)
    // Whatever the form of the edit, rejecting it must give the text from before.
    if (!isRejectable(tr.before, out.doc)) throw new NeedsBlocks()
  } catch (err) {
    if (!(err instanceof NeedsBlocks)) throw err
    return replaceInLine(state, tr, own) ?? proposeBlocks(state, tr, (id) => own.has(id))
  }
  return tr.storedMarksSet ? out.setStoredMarks(tr.storedMarks) : out
}

function tracked(state: EditorState, tr: Transaction, own: OwnSuggestions): Transaction {
  const out = state.tr
  // What plugins say about the edit is also true for the suggestion.
  for (const [key, value] of Object.entries((tr as unknown as { meta: Record<string, unknown> }).meta))
    out.setMeta(key, value)
  const separate = separateEdits(tr)
  for (const { from, to, slice } of separate ?? []) {
    const end = suggestDeletion(out, from, to, own)
    if (slice.size > 0) suggestInsertion(out, end, slice.content, own)
  }
  if (separate) return out
  const edit = readEdit(tr)
  if (!edit) return tr
  const { from, to, slice } = edit
  const $from = tr.before.resolve(from)
  const $to = tr.before.resolve(to)
  if ($from.sameParent($to) && $from.parent.inlineContent && isInline(slice)) {
    if ($from.parent.type.spec.code) throw new NeedsBlocks()
    const end = suggestDeletion(out, from, to, own)
    if (slice.size > 0) suggestInsertion(out, end, slice.content, own)
    else {
      const isForward = state.selection.empty && state.selection.head === from
      out.setSelection(TextSelection.create(out.doc, isForward ? end : from))
    }
    return out.scrollIntoView()
  }
  const isFull = hasText(tr.before, from, to)
  if (!isFull && textOf(slice) === '') return suggestForm(tr, out, edit, own)
  if (tr.steps.every((step) => step instanceof AddMarkStep || step instanceof RemoveMarkStep))
    return suggestMarks(tr, out, from, to, own)
  const isInText = $from.parent.inlineContent
  if (isFull && slice.size > 0 && !isInText) throw new NeedsBlocks()
  const first = isInText ? Math.min($from.end(), to) : from
  const last = suggestDeletion(out, from, to, own)
  if (slice.size === 0) return out.setSelection(TextSelection.near(out.doc.resolve(from))).scrollIntoView()
  const inline = isInText ? inlineOf(slice) : undefined
  if (inline) suggestInsertion(out, out.mapping.map(first), inline, own)
  else insertBlocks(out, last, slice, own)
  return out.scrollIntoView()
}

/** The edits of words in several places, from the last to the first, as when all matches of a search are replaced. */
function separateEdits(tr: Transaction): Edit[] | undefined {
  if (tr.steps.length < 2) return undefined
  let before = Number.POSITIVE_INFINITY
  const edits: Edit[] = []
  for (const step of tr.steps) {
    if (!(step instanceof ReplaceStep) || step.to > before || !isInline(step.slice)) return undefined
    const [$from, $to] = [tr.before.resolve(step.from), tr.before.resolve(step.to)]
    if (!$from.sameParent($to) || !$from.parent.inlineContent) return undefined
    before = step.from
    edits.push({ from: step.from, to: step.to, slice: step.slice })
  }
  return edits
}

function readEdit(tr: Transaction): Edit | undefined {
  const [step] = tr.steps
  if (tr.steps.length === 1 && step instanceof ReplaceStep) return { from: step.from, to: step.to, slice: step.slice }
  const from = tr.before.content.findDiffStart(tr.doc.content)
  const end = tr.before.content.findDiffEnd(tr.doc.content)
  if (from === null || !end) return undefined
  const overlap = Math.max(0, from - Math.min(end.a, end.b))
  return { from, to: end.a + overlap, slice: tr.doc.slice(from, end.b + overlap) }
}

const isInline = ({ openStart, openEnd, content }: Slice) =>
  openStart === 0 && openEnd === 0 && content.content.every((node) => node.isInline)

/** The text of a slice that has only one line, whatever it is wrapped in. */
function inlineOf({ content }: Slice): Fragment | undefined {
  let inner = content
  while (inner.childCount === 1 && !inner.firstChild!.isInline && !inner.firstChild!.type.spec.code)
    inner = inner.firstChild!.content
  return inner.content.every((node) => node.isInline) ? inner : undefined
}

function hasText(doc: Node, from: number, to: number): boolean {
  let found = false
  if (from === to) return false
  doc.nodesBetween(from, to, (node, pos) => {
    if (node.isLeaf && pos + node.nodeSize > from && pos < to) found = true
  })
  return found
}

const textOf = ({ content }: Slice) => content.textBetween(0, content.size, '', '\ufffc')

/** Marks what is there, and takes away what one has suggested oneself. Returns where the range ends then. */
function suggestDeletion(out: Transaction, from: number, to: number, own: OwnSuggestions): number {
  if (from === to) return to
  const pieces: { node: Node; from: number; to: number }[] = []
  out.doc.nodesBetween(from, to, (node, pos, parent) => {
    if (parent?.type.spec.code) throw new NeedsBlocks()
    if (node.isInline) pieces.push({ node, from: Math.max(from, pos), to: Math.min(to, pos + node.nodeSize) })
    else if (node.isLeaf) throw new NeedsBlocks()
  })
  const mark = marks.deletion.create({ id: deletionIdAt(out.doc, from, to, own) })
  let end = to
  for (const { node, ...piece } of pieces.reverse()) {
    const tracked = trackedMark(node.marks)
    if (tracked?.type === marks.deletion) continue
    if (tracked) {
      if (!own.has(tracked.attrs.id)) throw new NotSuggestible(FOREIGN)
      out.delete(piece.from, piece.to)
      end -= piece.to - piece.from
    } else if (node.isText) {
      own.add(mark.attrs.id)
      out.addMark(piece.from, piece.to, mark)
    } else if (node.type !== nodes.soft_break && node.type !== nodes.hard_break) throw new NeedsBlocks()
  }
  return end
}

/** Deleting letter by letter makes one suggestion. */
function deletionIdAt(doc: Node, from: number, to: number, own: OwnSuggestions): string {
  const near = [doc.resolve(from).nodeBefore, doc.resolve(to).nodeAfter]
  const ids = near.map((node) => node && marks.deletion.isInSet(node.marks)?.attrs.id)
  return ids.find((id) => id && own.has(id)) ?? newUuid()
}

function suggestInsertion(out: Transaction, at: number, content: Fragment, own: OwnSuggestions): void {
  let pos = at
  // Not into deleted text: after it.
  for (let $pos = out.doc.resolve(pos); ; $pos = out.doc.resolve(pos)) {
    const [before, after] = [$pos.nodeBefore, $pos.nodeAfter].map((node) => node && marks.deletion.isInSet(node.marks))
    if (!before || !after || !before.eq(after)) break
    pos += $pos.nodeAfter!.nodeSize
  }
  const $pos = out.doc.resolve(pos)
  const near = [$pos.nodeBefore, $pos.nodeAfter].map((node) => node && marks.insertion.isInSet(node.marks)?.attrs.id)
  const id = near.find((one) => one && own.has(one)) ?? newUuid()
  own.add(id)
  const mark = marks.insertion.create({ id })
  const added = content.content.map((node) => marked(node, mark))
  out.replaceWith(pos, pos, added)
  const end = pos + added.reduce((sum, node) => sum + node.nodeSize, 0)
  out.setSelection(TextSelection.create(out.doc, end))
}

function marked(node: Node, mark: Mark): Node {
  if (!node.isText && node.type !== nodes.hard_break && node.type !== nodes.soft_break) throw new NeedsBlocks()
  return node.mark(mark.addToSet(node.marks.filter((one) => one !== trackedMark(node.marks))))
}

const PLAIN = new Set(
  [nodes.paragraph, nodes.heading, nodes.bullet_list, nodes.ordered_list, nodes.list_item, nodes.blockquote].map(
    ({ name }) => name,
  ),
)

/** Text of several lines that becomes bold, say: in each line, the old text goes and the new text comes. */
function suggestMarks(tr: Transaction, out: Transaction, from: number, to: number, own: OwnSuggestions): Transaction {
  const lines: { from: number; to: number }[] = []
  tr.before.nodesBetween(from, to, (node, pos) => {
    if (!node.inlineContent) return true
    const [start, end] = [Math.max(from, pos + 1), Math.min(to, pos + 1 + node.content.size)]
    if (start < end) lines.unshift({ from: start, to: end })
    return false
  })
  for (const line of lines)
    suggestInsertion(out, suggestDeletion(out, line.from, line.to, own), tr.doc.slice(line.from, line.to).content, own)
  return out.scrollIntoView()
}

/** Adds several blocks, the text of each as a suggestion of its own. */
function insertBlocks(out: Transaction, at: number, { content, openStart, openEnd }: Slice, own: OwnSuggestions) {
  // Several paragraphs in an item change the lines of the whole list.
  const $at = out.doc.resolve(at)
  if ([$at.parent, $at.node(-1)].some((node) => node?.type === nodes.list_item)) throw new NeedsBlocks()
  const withMarks = (fragment: Fragment): Fragment => {
    const id = newUuid()
    const mark = marks.insertion.create({ id })
    return Fragment.from(
      fragment.content.map((node) => {
        if (node.isInline) {
          own.add(id)
          return marked(node, mark)
        }
        if (!PLAIN.has(node.type.name)) throw new NeedsBlocks()
        return node.copy(withMarks(node.content))
      }),
    )
  }
  out.replace(at, at, new Slice(withMarks(content), openStart, openEnd))
  out.setSelection(TextSelection.near(out.doc.resolve(out.mapping.slice(out.steps.length - 1).map(at)), -1))
}

/** An edit of the form only: a line that is divided, joined to the one above, or made something else while empty. */
function suggestForm(tr: Transaction, out: Transaction, { from, to, slice }: Edit, own: OwnSuggestions): Transaction {
  const $from = tr.before.resolve(from)
  const $to = tr.before.resolve(to)
  const isSplit = from === to && $from.parent.inlineContent && slice.openStart > 0
  const isJoin = !$from.sameParent($to) && $from.parent.inlineContent && $to.parent.inlineContent && slice.size === 0
  if (isSplit) {
    if (isOwn($from.parent, $from.parentOffset, own)) return tr
    // An empty paragraph needs no mark, but markdown has empty items and headings.
    const isFree = $from.parent.type === nodes.paragraph && $from.node(-1).type !== nodes.list_item
    if ($from.parentOffset === 0 && !isFree) throw new NeedsBlocks()
    if ($from.parentOffset === 0) return tr
    return suggestSplit(tr, $from.parent.content.cut($from.parentOffset), own)
  }
  if (isJoin) {
    if ($from.parent.content.size === 0 || isOwn($to.parent, 0, own)) return tr
    const moved = withoutSuggestions($to.parent.content)
    suggestDeletion(out, $to.start(), $to.end(), own)
    suggestInsertion(out, $from.end(), moved, own)
    return out.setSelection(TextSelection.create(out.doc, $from.end())).scrollIntoView()
  }
  let isPlain = true
  const look = (node: Node) => {
    if (!node.isText && !PLAIN.has(node.type.name) && node.type !== nodes.doc) isPlain = false
  }
  slice.content.descendants(look)
  tr.before.nodesBetween(from, to, look)
  if (!isPlain) throw new NeedsBlocks()
  return tr
}

/** True if nothing but one's own additions stands behind the offset. */
function isOwn(line: Node, offset: number, own: OwnSuggestions): boolean {
  let yes = true
  line.content.cut(offset).forEach((node) => {
    const mark = marks.insertion.isInSet(node.marks)
    if (!mark || !own.has(mark.attrs.id)) yes = false
  })
  return yes
}

/** A line that is divided: its end is deleted where it was and added in a line of its own. */
function suggestSplit(tr: Transaction, tail: Fragment, own: OwnSuggestions): Transaction {
  const start = tr.selection.$from.start()
  const at = tr.mapping.map(tr.steps.length > 0 ? (tr.steps[0] as ReplaceStep).from : start, -1)
  const moved = withoutSuggestions(tail)
  tr.delete(start, start + tail.size)
  const back = tr.doc.resolve(at).end()
  tr.insert(back, tail)
  suggestDeletion(tr, back, back + tail.size, own)
  const line = tr.mapping.slice(1).map(start)
  suggestInsertion(tr, line, moved, own)
  return tr.setSelection(TextSelection.create(tr.doc, line)).scrollIntoView()
}

/** What a passage would be if its suggestions were accepted. */
function withoutSuggestions(content: Fragment): Fragment {
  return Fragment.from(
    content.content.flatMap((node) => {
      const mark = trackedMark(node.marks)
      if (mark?.type === marks.deletion) return []
      return [mark ? node.mark(mark.removeFromSet(node.marks)) : node]
    }),
  )
}
