import type { Node } from 'prosemirror-model'
import { type BlockTree, readBlocks } from '../read/read-blocks.ts'
import { type ParsedDocument, parseMarkdown } from '../rich/parse.ts'
import { schema } from '../rich/schema.ts'
import { alignNodes } from './align.ts'
import { keepNotation } from './keep-notation.ts'
import { meaningOf, serializeBlock } from './serialize.ts'
import { apartFrom, mergesWith } from './write-block.ts'

interface Piece {
  node: Node
  text: string
  /** The index of the old block that it keeps or replaces, or -1 for a new block. */
  place: number
  kept: boolean
}

/**
 * Writes an edited document as markdown. Unchanged blocks and the space between them keep their exact bytes; only
 * changed and new blocks are serialized.
 */
export function writeBack(source: string, parsed: ParsedDocument, newDoc: Node): string {
  const eol = lineEnding(source)
  const within = definitionsOf(newDoc)
  const { blocks } = parsed
  const write = (node: Node) => serializeBlock(node, within).replaceAll(/\r\n|\r|\n/g, eol)
  /** A block with suggestions keeps its notation, so that rejecting them gives the bytes from before. */
  const suggestedIn = (old: Pick<Piece, 'node' | 'text'>, node: Node): string | undefined => {
    if (old.node.type !== node.type || !hasSuggestions(node)) return undefined
    const text = keepNotation(old.text, write(old.node), write(node))
    if (text === undefined) return undefined
    return meaningOf(parseMarkdown(text, { within }).doc.children) === meaningOf([node]) ? text : undefined
  }
  const pieces: Piece[] = []
  const separators: string[] = []
  let last = -1
  // New blocks go before the space that was there, so that it is the same again without them.
  const gapBefore = ({ place }: Piece) => {
    if (place <= 0 || place !== last + 1 || pieces.at(-1)!.place >= 0) return undefined
    const gap = source.slice(blocks[last]?.to, blocks[place]!.from)
    return last >= 0 && BLANK_LINE.test(gap) ? gap : undefined
  }
  for (const { node, place, kept } of placed(parsed.doc, newDoc)) {
    const slice = blocks[place]
    const old = slice && { node: parsed.doc.child(place), text: source.slice(slice.from, slice.to) }
    let piece = { node, place, kept, text: old && (kept ? old.text : suggestedIn(old, node)) } as Piece
    piece.text ??= write(node)
    if (piece.text === '') continue
    const before = pieces.at(-1)
    if (before && !kept && mergesWith(before.node, node)) {
      const apart = apartFrom(before.node, node)
      piece = { ...piece, node: apart, text: write(apart) }
    }
    if (before) separators.push(gapBefore(piece) ?? separator(before, piece, source, parsed, eol, within))
    pieces.push(piece)
    last = Math.max(last, place)
  }
  if (pieces.length === 0) return ''
  const head = blocks[0] ? source.slice(0, blocks[0].from) : ''
  const end = blocks.at(-1)
  const tail = end ? source.slice(end.to) : eol
  return head + pieces.map((piece, at) => (at > 0 ? separators[at - 1] : '') + piece.text).join('') + tail
}

function hasSuggestions(node: Node): boolean {
  let found = false
  node.descendants(({ marks }) => {
    found ||= marks.some(({ type }) => type === schema.marks.insertion || type === schema.marks.deletion)
  })
  return found
}

const BLANK_LINE = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/

function lineEnding(source: string): string {
  return /\r\n|\n|\r/.exec(source)?.[0] ?? '\n'
}

/** Pairs the changed blocks between two kept blocks with the old blocks there, in order. */
function placed(oldDoc: Node, newDoc: Node): Omit<Piece, 'text'>[] {
  const matches = alignNodes(oldDoc.children, newDoc.children)
  const nextKept = new Array<number>(matches.length)
  let next = oldDoc.childCount
  for (let at = matches.length - 1; at >= 0; at--) {
    nextKept[at] = next
    if (matches[at]! >= 0) next = matches[at]!
  }
  let last = -1
  return newDoc.children.map((node, at) => {
    const match = matches[at]!
    const place = match >= 0 ? match : last + 1 < nextKept[at]! ? last + 1 : -1
    if (place >= 0) last = place
    return { node, place, kept: match >= 0 }
  })
}

/** Returns the space between two blocks. Keeps the old space if both were neighbours and still parse as two blocks. */
function separator(
  before: Piece,
  after: Piece,
  source: string,
  { blocks }: ParsedDocument,
  eol: string,
  within: BlockTree,
): string {
  const neighbours = before.place >= 0 && after.place === before.place + 1
  const gap = neighbours ? source.slice(blocks[before.place]!.to, blocks[after.place]!.from) : ''
  if (neighbours && before.kept && after.kept) return gap
  if (mergesWith(before.node, after.node)) return `${eol}${eol}<!-- -->${eol}${eol}`
  if (!neighbours) return eol + eol
  if (BLANK_LINE.test(gap)) return gap
  const joined = parseMarkdown(before.text + gap + after.text, { within }).doc.children
  return meaningOf(joined) === meaningOf([before.node, after.node]) ? gap : eol + eol
}

/** Collects the link definitions and footnotes of a document. They decide what its brackets mean. */
function definitionsOf(doc: Node): BlockTree {
  const written: string[] = []
  doc.descendants((node) => {
    if (node.type === schema.nodes.link_definition || node.type === schema.nodes.opaque_block)
      written.push(String(node.attrs.source))
    else if (node.type === schema.nodes.footnote_definition) written.push(`[^${node.attrs.label}]: .`)
  })
  return readBlocks(written.join('\n\n'))
}
