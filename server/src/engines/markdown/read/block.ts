export type BlockKind =
  | 'document'
  | 'quote'
  | 'list'
  | 'item'
  | 'footnote'
  | 'paragraph'
  | 'heading'
  | 'fence'
  | 'indented'
  | 'html'
  | 'rule'
  | 'table'
  | 'definition'
  | 'frontMatter'

/** One line of a leaf without its container prefix. `at` is the position of the text in the source. */
export interface Line {
  text: string
  at: number
}

/** A block and its position in the source: `from` is after the container prefix, `to` before the last line ending. */
export interface Block {
  kind: BlockKind
  from: number
  to: number
  firstLine: number
  lastLine: number
  children: Block[]
  lines: Line[]
  /**
   * For fences and HTML blocks: true if they have their own end, false if their container or the document ended them.
   */
  closed: boolean
  /** Heading level, list start, content column of an item, fence length or kind of HTML block. */
  size: number
  /** Fence character, bullet or list delimiter, setext underline character, footnote label or rule as written. */
  marker: string
  /** For fences: the info string as written. */
  detail: string
  /** For fences: the indentation, which is also stripped from their lines. */
  indent: number
}

export const MAX_NESTING = 100

export function newBlock(kind: BlockKind, from: number, to: number, line: number): Block {
  return {
    kind,
    from,
    to,
    firstLine: line,
    lastLine: line,
    children: [],
    lines: [],
    closed: false,
    size: 0,
    marker: '',
    detail: '',
    indent: 0,
  }
}

export function isCode(block: Block): boolean {
  return block.kind === 'fence' || block.kind === 'indented' || block.kind === 'frontMatter'
}

/** True for blocks whose lines cannot start another block. */
export function isLiteral(block: Block): boolean {
  return isCode(block) || block.kind === 'html'
}

export function isNesting(block: Block): boolean {
  return block.kind === 'quote' || block.kind === 'item' || block.kind === 'footnote'
}

/** A list is loose if a blank line separates two items, or two blocks of one item. */
export function isTight(list: Block): boolean {
  const follows = (before: Block, after: Block | undefined) => !after || after.firstLine <= before.lastLine + 1
  return list.children.every(
    (item, at) =>
      follows(item, list.children[at + 1]) &&
      item.children.every((child, childAt) => follows(child, item.children[childAt + 1])),
  )
}
