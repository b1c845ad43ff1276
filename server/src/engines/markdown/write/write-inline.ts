import type { Fragment, Mark, Node } from 'prosemirror-model'
import { isAround, withoutEdgeSpaces } from './edge-spaces.ts'
import { type Care, escapeText, reference, writeCode, writeDestination, writeTitle } from './escape-text.ts'

export interface InlineStyle {
  care: Care
  /** True where a line break cannot be written: in a table cell or an ATX heading. */
  oneLine: boolean
  inTable: boolean
}

interface Piece {
  text: string
  /** Set if the piece is plain text, which may become a character reference to make the delimiter beside it bind. */
  plain: string | undefined
}

const WRITTEN = new Set(['insertion', 'deletion', 'link', 'em', 'strong', 'strike'])

/** Writes inline content as markdown. Line breaks stay line breaks unless the style forbids them. */
export function writeInline(content: Fragment, style: InlineStyle): string {
  const nodes = withoutEdgeSpaces(content, style.oneLine)
  const pieces: Piece[] = []
  let open: Mark[] = []
  nodes.forEach((node, at) => {
    const { kept, fresh } = turnAt(nodes, at, open)
    closeMarks(pieces, open.slice(kept), nodes, at, style)
    open = [...open.slice(0, kept), ...fresh]
    for (const mark of fresh) pieces.push({ text: opener(mark, node, style), plain: undefined })
    pieces.push(...writeNode(node, style, at === nodes.length - 1))
  })
  closeMarks(pieces, open, nodes, nodes.length, style)
  return (style.care === 'strict' ? bindDelimiters(pieces) : pieces).map((piece) => piece.text).join('')
}

/** Returns how many of the open marks stay open at a node, and which ones open there. */
function turnAt(nodes: Node[], at: number, open: Mark[]): { kept: number; fresh: Mark[] } {
  const marks = nodes[at]!.marks.filter((mark) => WRITTEN.has(mark.type.name))
  let kept = 0
  while (kept < open.length && marks.some((mark) => mark.eq(open[kept]!))) kept++
  const opensAround = marks.some((mark) => !isTracked(mark) && !mark.isInSet(open) && isAround(nodes, at, mark))
  if (opensAround) kept = Math.min(kept, open.slice(0, kept).findIndex(isTracked) >>> 0)
  const fresh = marks.filter((mark) => !open.slice(0, kept).some((other) => other.eq(mark)))
  const change = fresh.find(isTracked)
  // Emphasis that goes on in plain text is around a tracked change, so that it stays whole without the change.
  const order = (mark: Mark) => (mark === change ? 0 : change && isAround(nodes, at, mark) ? -1 : 1)
  fresh.sort((a, b) => order(a) - order(b) || depth(a) - depth(b) || reach(nodes, at, b) - reach(nodes, at, a))
  return { kept, fresh }
}

/** Returns the tracked marks that `writeInline` opens, in order: one for each change in the markdown. */
export function trackedMarks(content: Fragment): Mark[] {
  const nodes = withoutEdgeSpaces(content)
  let open: Mark[] = []
  return nodes.flatMap((_, at) => {
    const { kept, fresh } = turnAt(nodes, at, open)
    open = [...open.slice(0, kept), ...fresh]
    return fresh.filter(isTracked)
  })
}

const isTracked = (mark: Mark) => mark.type.name === 'insertion' || mark.type.name === 'deletion'

const depth = (mark: Mark) => Number(mark.attrs.depth ?? 0)

function reach(nodes: Node[], from: number, mark: Mark): number {
  let at = from
  while (at < nodes.length && at - from < 50 && mark.isInSet(nodes[at]!.marks)) at++
  return at - from
}

function closeMarks(pieces: Piece[], marks: Mark[], nodes: Node[], at: number, style: InlineStyle) {
  for (const mark of [...marks].reverse()) pieces.push({ text: closer(mark, nodes[at - 1]!, style), plain: undefined })
}

function opener(mark: Mark, node: Node, style: InlineStyle): string {
  switch (mark.type.name) {
    case 'insertion':
      return '{++'
    case 'deletion':
      return '{--'
    case 'link':
      return isBare(mark, node) ? (mark.attrs.style === 'autolink' ? '<' : '') : '['
    default:
      return delimiter(mark, style)
  }
}

function closer(mark: Mark, last: Node, style: InlineStyle): string {
  switch (mark.type.name) {
    case 'insertion':
      return '++}'
    case 'deletion':
      return '--}'
    case 'link':
      return isBare(mark, last) ? (mark.attrs.style === 'autolink' ? '>' : '') : `]${target(mark.attrs, style)}`
    default:
      return delimiter(mark, style)
  }
}

function delimiter(mark: Mark, style: InlineStyle): string {
  if (mark.type.name === 'strike') return style.care === 'strict' ? '~~' : String(mark.attrs.delimiter)
  if (style.care === 'strict') return mark.type.name === 'em' ? '_' : '**'
  // An underscore does not bind inside a word.
  return (style.care === 'full' ? '*' : String(mark.attrs.delimiter)).repeat(mark.type.name === 'em' ? 1 : 2)
}

/** True if the text of a link still equals its address, so it can be written as a bare address. */
export function isBare(mark: Mark, node: Node): boolean {
  const { style, href } = mark.attrs as { style: string; href: string }
  if ((style !== 'autolink' && style !== 'literal') || !node.text) return false
  return [node.text, `mailto:${node.text}`, `http://${node.text}`].includes(href)
}

export function target(attrs: Record<string, unknown>, style: InlineStyle): string {
  const { style: written, label } = attrs as { style: string; label: string }
  if (style.care !== 'strict') {
    if (written === 'full') return `[${label}]`
    if (written === 'collapsed') return '[]'
    if (written === 'shortcut') return ''
  }
  return `(${writeDestination(String(attrs.href ?? attrs.src))}${writeTitle(String(attrs.title))})`
}

function writeNode(node: Node, style: InlineStyle, last: boolean): Piece[] {
  const raw = (text: string) => [{ text, plain: undefined }]
  switch (node.type.name) {
    case 'text':
      return writeText(node, style)
    case 'soft_break':
      return raw('\n')
    case 'hard_break':
      if (style.oneLine || last) return raw('<br>')
      return raw(node.attrs.style === 'spaces' ? '  \n' : '\\\n')
    case 'image':
      return raw(`![${writeAlt(node, style)}]${target(node.attrs, style)}`)
    case 'html_inline':
      return raw(String(node.attrs.html))
    case 'footnote_reference':
      return raw(`[^${node.attrs.label}]`)
    default:
      return raw('')
  }
}

function writeAlt(node: Node, style: InlineStyle): string {
  const { alt, style: written, label } = node.attrs as { alt: string; style: string; label: string }
  const byLabel = style.care !== 'strict' && (written === 'collapsed' || written === 'shortcut')
  return byLabel ? label : escapeText(alt, style.care)
}

function writeText(node: Node, style: InlineStyle): Piece[] {
  const text = node.text!
  const link = node.marks.find((mark) => mark.type.name === 'link')
  if (node.marks.some((mark) => mark.type.name === 'code'))
    return [{ text: writeCode(text, style.inTable), plain: undefined }]
  if (link && isBare(link, node)) return [{ text, plain: undefined }]
  let written = escapeText(text, style.care)
  if (style.inTable && style.care === 'light') written = written.replaceAll('|', '\\|')
  if (node.marks.some(isTracked)) written = written.replaceAll(/(\+\+|--)\}/g, '$1\\}')
  return [{ text: written, plain: text }]
}

/**
 * Writes the plain characters on both sides of a delimiter as references: every delimiter binds next to punctuation.
 */
function bindDelimiters(pieces: Piece[]): Piece[] {
  const isDelimiter = (piece: Piece | undefined) => piece !== undefined && /^(?:_|\*\*|~~)$/.test(piece.text)
  return pieces.map((piece, at) => {
    if (piece.plain === undefined || piece.plain === '') return piece
    const before = isDelimiter(pieces[at - 1])
    const after = isDelimiter(pieces[at + 1])
    const characters = [...piece.plain]
    const first = before ? reference(characters.shift()!) : ''
    const end = after && characters.length > 0 ? reference(characters.pop()!) : ''
    return { text: first + escapeText(characters.join(''), 'strict') + end, plain: piece.plain }
  })
}
