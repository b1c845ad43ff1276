import { type Block, newBlock } from './block.ts'
import { feedLine, finish, newReader } from './block-reader.ts'
import { type Definition, readDefinition } from './definitions.ts'

export interface BlockTree {
  root: Block
  /** Link reference definitions by normalized label. The first definition of a label wins. */
  references: Map<string, Definition>
  footnotes: Set<string>
  tooDeepAt: number | undefined
}

const FRONT_MATTER = /^---[ \t]*(?:\r\n|\n|\r)(?=[ \t]*(?:[\w"'.-]+[ \t]*:(?:[ \t\r\n]|$)|#))/

/**
 * Returns the end of YAML front matter at the start of the source, before its last line ending, or 0 if there is none.
 */
export function frontMatterEnd(source: string): number {
  if (!FRONT_MATTER.test(source)) return 0
  const close = /(?:\r\n|\n|\r)(?:---|\.\.\.)[ \t]*(?=[\r\n]|$)/g
  close.lastIndex = 3
  return close.test(source) ? close.lastIndex : 0
}

export function lineEnd(source: string, from: number): number {
  let pos = from
  for (; pos < source.length; pos++) {
    const code = source.charCodeAt(pos)
    if (code === 0x0a || code === 0x0d) break
  }
  return pos
}

/** Returns the position after the line ending at `end`: LF, CR LF or CR. */
export function nextLine(source: string, end: number): number {
  return source[end] === '\r' && source[end + 1] === '\n' ? end + 2 : end + 1
}

export function readBlocks(source: string): BlockTree {
  const reader = newReader()
  let pos = 0
  const front = frontMatterEnd(source)
  if (front > 0) {
    const block = newBlock('frontMatter', 0, front, 0)
    reader.spine[0]!.children.push(block)
    for (; pos < front; pos = nextLine(source, lineEnd(source, pos))) reader.line++
    block.lastLine = reader.line - 1
  }
  while (pos < source.length) {
    const end = lineEnd(source, pos)
    feedLine(reader, source, pos, end)
    pos = nextLine(source, end)
  }
  const root = finish(reader)
  root.to = source.length
  const tree: BlockTree = { root, references: new Map(), footnotes: new Set(), tooDeepAt: reader.tooDeepAt }
  collectDefinitions(root, tree)
  return tree
}

function collectDefinitions(block: Block, tree: BlockTree) {
  for (const child of block.children) {
    if (child.kind === 'footnote') tree.footnotes.add(child.marker)
    if (child.kind === 'definition') {
      const found = readDefinition(child.lines.map((line) => line.text).join('\n'), 0)
      if (found && !tree.references.has(found.label)) tree.references.set(found.label, found)
    }
    collectDefinitions(child, tree)
  }
}
