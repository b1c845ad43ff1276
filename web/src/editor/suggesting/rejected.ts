import { Fragment, type Mark, type Node, type NodeType } from 'prosemirror-model'
import { schema } from '../schema.ts'
import { trackedMark } from './tracked-runs.ts'

const { nodes, marks } = schema
const { paragraph } = nodes

/**
 * True if rejecting all suggestions gives the same text after an edit as before it. Markdown cannot mark that a block is
 * divided, or a passage that begins in bold text and ends outside it. Reads only the blocks that differ.
 */
export function isRejectable(before: Node, after: Node): boolean {
  const most = Math.min(before.childCount, after.childCount)
  let start = 0
  while (start < most && before.child(start) === after.child(start)) start++
  let end = 0
  const endOf = (doc: Node) => doc.childCount - 1 - end
  while (end < most - start && before.child(endOf(before)) === after.child(endOf(after))) end++
  const [old, fresh] = [before, after].map((doc) => doc.children.slice(start, doc.childCount - end)) as [Node[], Node[]]
  if (!Fragment.fromArray(rejected(old)).eq(Fragment.fromArray(rejected(fresh)))) return false
  return fresh.every(isNested) || !old.every(isNested)
}

/** Blocks whose whole text was added go with it. Markdown has no empty paragraphs, and one types in new items soon. */
function rejected(blocks: readonly Node[]): Node[] {
  return blocks.flatMap((block) => {
    if (block.isLeaf || block.type.spec.code) return [block]
    const content = Fragment.fromArray(block.inlineContent ? unmarked(block.children) : rejected(block.children))
    // The marker of a list item stands in the line of its first paragraph, so it cannot stay without it.
    if (block.type === nodes.list_item && content.size > 0 && rejected([block.firstChild!]).length === 0)
      return [block.copy(Fragment.from(paragraph.create()).append(content))]
    return content.size === 0 && (VANISHES.has(block.type) || block.content.size > 0) ? [] : [block.copy(content)]
  })
}

/** Blocks that need not stay if they are empty. */
export const VANISHES = new Set<NodeType>([
  nodes.paragraph,
  nodes.list_item,
  nodes.bullet_list,
  nodes.ordered_list,
  nodes.blockquote,
])

function unmarked(inline: readonly Node[]): Node[] {
  return withBreakMarks(inline).flatMap((node, at) => {
    const mark = trackedMark(node.marks)
    // A break at the end of a line is one that nobody has typed behind yet.
    if (mark?.type === marks.insertion || (isBreak(node) && at === inline.length - 1)) return []
    if (isBreak(node)) return [node.mark([])]
    return [mark ? node.mark(mark.removeFromSet(node.marks)) : node]
  })
}

const isBreak = ({ type }: Node) => type === nodes.soft_break || type === nodes.hard_break

/** Yjs stores no marks on line breaks: one has the marks that are on both sides of it. */
const withBreakMarks = (inline: readonly Node[]) =>
  inline.map((node, at) => {
    const after = inline[at + 1]?.marks ?? []
    return isBreak(node) ? node.mark((inline[at - 1]?.marks ?? []).filter((mark) => mark.isInSet(after))) : node
  })

/** True if every suggestion in the block is inside or outside the bold passages, links and code that it touches. */
export function isNested(block: Node): boolean {
  if (block.isLeaf || block.type.spec.code) return true
  if (!block.inlineContent) return block.children.every(isNested)
  const inline = withBreakMarks(block.children)
  for (let first = 0, last = 0; first < inline.length; first = last + 1) {
    const change = trackedMark(inline[first]!.marks)
    for (last = first; change && inline[last + 1] && change.isInSet(inline[last + 1]!.marks); ) last++
    if (change && !isRunNested(inline, first, last)) return false
  }
  return true
}

function isRunNested(inline: readonly Node[], first: number, last: number): boolean {
  const run = inline.slice(first, last + 1)
  const [before, after] = [inline[first - 1]?.marks ?? [], inline[last + 1]?.marks ?? []]
  return [...before, ...after].every((mark) => {
    if (trackedMark([mark])) return true
    const continues =
      (mark.isInSet(before) && mark.isInSet(run[0]!.marks)) || (mark.isInSet(after) && mark.isInSet(run.at(-1)!.marks))
    if (continues && isVerbatim(mark)) return false
    // Markdown cannot end bold text with the space that would be left.
    const left = mark.isInSet(after) ? inline[last + 1]?.text?.[0] : inline[first - 1]?.text?.at(-1)
    const isEdge = !(mark.isInSet(before) && mark.isInSet(after))
    if (continues && isEdge && left?.trim() === '' && marks.deletion.isInSet(run[0]!.marks)) return false
    const isAround = mark.isInSet(before) && mark.isInSet(after) && marks.insertion.isInSet(run[0]!.marks)
    return !(continues || isAround) || run.every(({ marks }) => mark.isInSet(marks))
  })
}

/** Nothing in it can be marked. */
const isVerbatim = ({ type, attrs }: Mark) =>
  type === marks.code || (type === marks.link && (attrs.style === 'autolink' || attrs.style === 'literal'))
