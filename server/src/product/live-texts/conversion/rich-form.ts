import { Fragment, type Node } from 'prosemirror-model'
import { closeOpen, type ParsedDocument, parseMarkdown, schema, writeBack } from '../../../engines/markdown/index.ts'
import { alignBlocks, haveSameMeaning } from './align-blocks.ts'
import { keyOf, mapInline, withoutOuterSpaces } from './block-key.ts'
import { withOldNotation } from './old-notation.ts'
import { withMarksFromText } from './read-fragment.ts'

/**
 * Parses a document into the rich form that editors share. Yjs stores marks on text only, so a block that would lose
 * one keeps its markdown.
 */
export function readShared(source: string, changeIds: string[]): ParsedDocument {
  const parsed = parseMarkdown(source, { changeIds })
  const children = parsed.doc.children.map((node, at) => {
    if (isShareable(node)) return node
    const { from, to } = parsed.blocks[at]!
    return schema.nodes.opaque_block.create({ source: source.slice(from, to) })
  })
  return { ...parsed, doc: parsed.doc.copy(Fragment.from(children)) }
}

function isShareable(node: Node): boolean {
  const shared = mapInline(node, (inline) =>
    withMarksFromText(inline.map((child) => (child.isText || child.marks.length === 0 ? child : child.mark([])))),
  )
  return shared === node || haveSameMeaning(shared, node)
}

/** Writes the shared content as markdown. A block whose meaning has not changed keeps its bytes. */
export function writeShared(source: string, parsed: ParsedDocument, shared: Node): string {
  const before = parsed.doc.children
  const matches = alignBlocks(before, shared.children)
  if (before.length === shared.childCount && matches.every((match) => match >= 0)) return source
  const lastAt = matches.indexOf(before.length - 1)
  const closed = lastAt >= 0 && lastAt < shared.childCount - 1 ? closeLast(source, parsed) : source
  if (closed !== source) {
    const reread = readShared(closed, [])
    return writeShared(closed, reread, shared.copy(shared.content.replaceChild(lastAt, reread.doc.lastChild!)))
  }
  const children = shared.children.map((node, at) => before[matches[at]!] ?? withoutOuterSpaces(node))
  const write = (nodes: readonly Node[]) => writeBack(source, parsed, shared.copy(Fragment.from([...nodes])))
  const asWritten = withOldNotation(source, parsed, children, matches)
  if (!asWritten) return write(children)
  const written = write(asWritten)
  const isSame = said(readShared(written, []).doc) === said(shared)
  return isSame ? written : write(children)
}

/** A code block or a comment that is never closed would take in what is written after it. */
function closeLast(source: string, { blocks }: ParsedDocument): string {
  const last = blocks.at(-1)
  // An empty text has a paragraph, but no block.
  if (!last) return source
  const { from, to } = last
  return source.slice(0, from) + closeOpen(source.slice(from, to)).text + source.slice(to)
}

/** What a document says. Markdown has no empty paragraphs. */
const said = (doc: Node) =>
  doc.children
    .filter(({ type, content }) => type !== schema.nodes.paragraph || content.size > 0)
    .map(keyOf)
    .join('\n')
