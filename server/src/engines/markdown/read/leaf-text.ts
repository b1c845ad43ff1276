import type { Block, Line } from './block.ts'
import type { Inline, InlineContext, TrackedRange } from './inline.ts'
import { parseInline } from './parse-inline.ts'
import type { BlockTree } from './read-blocks.ts'
import { splitRow } from './table-row.ts'

/** The inline content of a leaf as one text, and a mapping back to the source. */
export interface LeafText {
  text: string
  lines: Line[]
  inTable: boolean
}

export function hasInline(block: Block): boolean {
  return block.kind === 'paragraph' || block.kind === 'heading' || block.kind === 'table'
}

/** Returns the texts of a leaf: one for a paragraph or heading, one per cell for a table. */
export function leafTexts(block: Block): LeafText[] {
  if (block.kind === 'table') {
    return block.lines.flatMap((line, at) =>
      at === 1 ? [] : splitRow(line.text).map((cell) => cellText(cell.text, line.at + cell.from)),
    )
  }
  return [leafText(block.lines)]
}

export function cellText(text: string, at: number): LeafText {
  return { text, lines: [{ text, at }], inTable: true }
}

export function leafText(lines: Line[]): LeafText {
  return { text: trimEnd(lines.map((line) => line.text).join('\n')), lines, inTable: false }
}

/** Trims spaces and tabs only. Other whitespace, such as a no-break space, is text. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return text.slice(0, end)
}

/** Reads the inline tree of a leaf, with offsets in the source. */
export function readLeaf(leaf: LeafText, tree: BlockTree, changes: TrackedRange[] = []): Inline[] {
  const context: InlineContext = {
    references: tree.references,
    footnotes: tree.footnotes,
    changes: changes.length === 0 ? changes : toText(leaf, changes),
    inTable: leaf.inTable,
  }
  const nodes = parseInline(leaf.text, context)
  moveToSource(nodes, sourceMap(leaf))
  return nodes
}

type OffsetMap = (offset: number, end: boolean) => number

/** Starts each search at the line of the previous answer, because offsets are mostly requested in ascending order. */
function sourceMap(leaf: LeafText): OffsetMap {
  const starts: number[] = []
  let start = 0
  for (const line of leaf.lines) {
    starts.push(start)
    start += line.text.length + 1
  }
  let index = 0
  return (offset, end) => {
    const target = end ? offset - 1 : offset
    while (index > 0 && starts[index]! > target) index--
    while (index + 1 < starts.length && starts[index + 1]! <= target) index++
    const within = target - starts[index]!
    return leaf.lines[index]!.at + within + (end ? 1 : 0)
  }
}

function moveToSource(nodes: Inline[], map: OffsetMap) {
  for (const node of nodes) {
    const { from, innerFrom, innerTo, to } = node
    node.from = map(from, false)
    node.innerFrom = innerFrom === innerTo ? map(innerFrom, innerFrom > from) : map(innerFrom, false)
    moveToSource(node.children, map)
    node.innerTo = innerFrom === innerTo ? node.innerFrom : map(innerTo, true)
    node.to = map(to, true)
  }
}

function toText(leaf: LeafText, changes: TrackedRange[]): TrackedRange[] {
  const moved: TrackedRange[] = []
  let start = 0
  let next = 0
  const open = new Map<TrackedRange, number>()
  for (const line of leaf.lines) {
    const lineTo = line.at + line.text.length
    for (; next < changes.length && changes[next]!.from < lineTo; next++) {
      const change = changes[next]!
      if (change.from >= line.at) open.set(change, start + change.from - line.at)
    }
    for (const [change, from] of open) {
      if (change.to > lineTo) continue
      moved.push({ ...change, from, to: start + change.to - line.at })
      open.delete(change)
    }
    start += line.text.length + 1
  }
  return moved.sort((a, b) => a.from - b.from)
}
