import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { newUuid } from '../../lib/ids.ts'
import { schema } from '../schema.ts'
import { isPending, NotSuggestible, PENDING, settled } from './block-proposal.ts'
import type { OwnSuggestions } from './own-suggestions.ts'
import { isNested } from './rejected.ts'

const { marks, nodes } = schema

/**
 * Suggests an edit of one line that cannot be marked letter by letter, such as one inside code: the passages that differ
 * are deleted as a whole and added as they are now. Returns undefined if the edit is more than that.
 */
export function replaceInLine(state: EditorState, tr: Transaction, own: OwnSuggestions): Transaction | undefined {
  const line = changedLine(tr.before, tr.doc)
  if (!line) return undefined
  if (isPending(line.old, (id) => own.has(id))) throw new NotSuggestible(PENDING)
  const before = settled(line.old, marks.deletion).children
  const after = settled(line.fresh, marks.insertion).children
  if (![...before, ...after].every(canBeMarked)) return undefined
  const mark = { gone: marks.deletion.create({ id: newUuid() }), added: marks.insertion.create({ id: newUuid() }) }
  const written = [commonEnds(before, after), { start: 0, end: 0 }]
    .map(({ start, end }) => {
      const gone = withMark(before.slice(start, before.length - end), mark.gone)
      const added = withMark(after.slice(start, after.length - end), mark.added)
      return { gone, added, head: before.slice(0, start), tail: before.slice(before.length - end) }
    })
    .find(({ gone, added, head, tail }) => {
      // Yjs stores no marks on line breaks: a suggestion begins and ends with text.
      const ends = [gone[0], gone.at(-1), added[0], added.at(-1)]
      return ends.every((node) => !node || node.isText) && isNested(lineOf(line.old, head, gone, added, tail))
    })
  if (!written) return undefined
  own.add(mark.gone.attrs.id)
  own.add(mark.added.attrs.id)
  const { gone, added, head, tail } = written
  const content = lineOf(line.old, head, gone, added, tail).content
  const out = state.tr.replaceWith(line.at, line.at + line.old.content.size, content)
  const place = Math.min(line.fresh.content.size, Math.max(0, tr.selection.head - line.freshAt))
  const cursor = settled(line.fresh.cut(0, place), marks.insertion).content.size
  return out.setSelection(TextSelection.create(out.doc, line.at + Math.min(content.size, sizeOf(gone) + cursor)))
}

interface Line {
  old: Node
  fresh: Node
  /** Where the text of each begins. */
  at: number
  freshAt: number
}

/** The only line that differs, if nothing else does. */
function changedLine(old: Node, fresh: Node, at = 0, freshAt = 0): Line | undefined {
  if (old.inlineContent) return old.type.spec.code ? undefined : { old, fresh, at, freshAt }
  const different = old.children.flatMap((child, index) => (child === fresh.maybeChild(index) ? [] : [index]))
  const [index] = different
  if (old.childCount !== fresh.childCount || different.length !== 1 || index === undefined) return undefined
  const [one, other] = [old.child(index), fresh.child(index)]
  if (!one.sameMarkup(other) || one.isLeaf) return undefined
  const before = sizeOf(old.children.slice(0, index))
  return changedLine(one, other, at + before + 1, freshAt + before + 1)
}

function commonEnds(before: readonly Node[], after: readonly Node[]): { start: number; end: number } {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start]!.eq(after[start]!)) start++
  let end = 0
  while (end < most - start && before.at(-1 - end)!.eq(after.at(-1 - end)!)) end++
  return { start, end }
}

const canBeMarked = ({ isText, type }: Node) => isText || type === nodes.soft_break || type === nodes.hard_break
const withMark = (inline: readonly Node[], mark: Mark) => inline.map((node) => node.mark(mark.addToSet(node.marks)))
const sizeOf = (content: readonly Node[]) => content.reduce((sum, node) => sum + node.nodeSize, 0)
const lineOf = (line: Node, ...parts: (readonly Node[])[]) => line.copy(Fragment.fromArray(parts.flat()))
