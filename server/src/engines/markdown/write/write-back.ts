import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { type BlockTree, readBlocks } from '../read/read-blocks.ts'
import { type ParsedDocument, parseMarkdown } from '../rich/parse.ts'
import { schema } from '../rich/schema.ts'
import { acceptedView, rejectedView } from '../suggestions/changes.ts'
import { alignNodes } from './align.ts'
import { keepNotation } from './keep-notation.ts'
import { keepRejected } from './keep-rejected.ts'
import { pairUp } from './pair-up.ts'
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
  const meaning = (text: string) => meaningOf(parseMarkdown(text, { within }).doc.children)
  /** A block with suggestions keeps its notation, so that rejecting them gives the bytes from before. */
  const suggestedIn = (old: Pick<Piece, 'node' | 'text'>, node: Node): string | undefined => {
    if (old.node.type !== node.type || !(hasSuggestions(node) || hasSuggestions(old.node))) return undefined
    const fresh = write(node)
    const said = meaningOf([node])
    const accepted = [meaningOf(acceptedIn([node])), meaning(acceptedView(fresh))]
    const kept = keepRejected(fresh, rejectedView(old.text))
    if (kept !== undefined && meaning(kept) === said && accepted.includes(meaning(acceptedView(kept)))) return kept
    const text = keepNotation(old.text, write(old.node), fresh)
    return text !== undefined && meaning(text) === said ? text : undefined
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

/** What blocks are if their suggestions are accepted. */
function acceptedIn(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    const mark = node.marks.find(isTracked)
    if (mark?.type === schema.marks.deletion) return []
    const open = mark ? node.mark(mark.removeFromSet(node.marks)) : node
    return [open.isLeaf ? open : open.copy(Fragment.fromArray(acceptedIn(open.children)))]
  })
}

const isTracked = ({ type }: Mark) => type === schema.marks.insertion || type === schema.marks.deletion

function hasSuggestions(node: Node): boolean {
  let found = false
  node.descendants(({ marks }) => {
    found ||= marks.some(isTracked)
  })
  return found
}

const BLANK_LINE = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/

function lineEnding(source: string): string {
  return /\r\n|\n|\r/.exec(source)?.[0] ?? '\n'
}

/** A suggestion can move text from one block to another. The block that keeps it if rejected is the old one. */
function textWithoutAdditions(node: Node): string {
  const parts: string[] = []
  node.descendants(({ text, marks }) => {
    if (text && !marks.some(({ type }) => type === schema.marks.insertion)) parts.push(text)
  })
  return parts.join('')
}

/** Pairs the changed blocks between two kept blocks with the most similar old blocks there, and the rest in order. */
function placed(oldDoc: Node, newDoc: Node): Omit<Piece, 'text'>[] {
  const matches = alignNodes(oldDoc.children, newDoc.children)
  const places = [...matches]
  const pairBetween = (from: number, to: number, oldFrom: number, oldTo: number) => {
    const fresh = newDoc.children.slice(from, to)
    const pairs = pairUp(oldDoc.children.slice(oldFrom, oldTo), fresh, textWithoutAdditions)
    // The old block before which the next pair stands.
    const limits = pairs.map((pair) => (pair >= 0 ? oldFrom + pair : oldTo))
    for (let at = limits.length - 2; at >= 0; at--) limits[at] = Math.min(limits[at]!, limits[at + 1]!)
    let last = oldFrom - 1
    pairs.forEach((pair, at) => {
      const place = pair >= 0 ? oldFrom + pair : last + 1 < limits[at]! ? last + 1 : -1
      places[from + at] = place
      last = Math.max(last, place)
    })
  }
  let [from, oldFrom] = [0, 0]
  for (let at = 0; at <= matches.length; at++) {
    const match = at < matches.length ? matches[at]! : oldDoc.childCount
    if (match < 0) continue
    if (at > from) pairBetween(from, at, oldFrom, match)
    from = at + 1
    oldFrom = match + 1
  }
  return newDoc.children.map((node, at) => ({ node, place: places[at]!, kept: matches[at]! >= 0 }))
}

/** Returns the space between two blocks. Keeps the old space if both were neighbours and still parse as two blocks. */
function separator(
  before: Piece,
  after: Piece,
  source: string,
  { doc, blocks }: ParsedDocument,
  eol: string,
  within: BlockTree,
): string {
  const neighbours = before.place >= 0 && after.place === before.place + 1
  const spaceBefore = (place: number) => source.slice(blocks[place - 1]!.to, blocks[place]!.from)
  const gap = neighbours ? spaceBefore(after.place) : ''
  if (neighbours && before.kept && after.kept) return gap
  if (mergesWith(before.node, after.node)) return `${eol}${eol}<!-- -->${eol}${eol}`
  if (!neighbours) {
    // New blocks are written before the space that was there, so without them it is the last one.
    const gone = before.place >= 0 ? doc.children.slice(before.place + 1, Math.max(0, after.place)) : []
    const space = gone.length > 0 && gone.every(hasSuggestions) ? spaceBefore(after.place) : ''
    return BLANK_LINE.test(space) ? space : eol + eol
  }
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
