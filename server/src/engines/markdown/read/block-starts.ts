import { type Block, newBlock } from './block.ts'
import { atSpace, findText, type LineCursor, restOfLine, skipColumns, skipMarker, textOfLine } from './line-cursor.ts'

const FENCE = /^(?:`{3,}|~{3,})/
const HEADING = /^#{1,6}(?=[ \t]|$)/
const RULE = /^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$|^(?:-[ \t]*){3,}$/
const FOOTNOTE = /^\[\^([^\]\s]+)\]:/
const BULLET = /^[*+-]/
const ORDERED = /^(\d{1,9})([.)])/

const HTML_BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
/** No-break spaces are no space between attributes: they may be in a value, and both readings would be tried. */
const ATTRIBUTE =
  '[\\t-\\r ]+[a-zA-Z_:][\\w:.-]*(?:[\\t-\\r ]*=[\\t-\\r ]*(?:[^"\'=<>`\\x00-\\x20]+|\'[^\']*\'|"[^"]*"))?'
const HTML_STARTS = [
  /^<(?:script|pre|textarea|style)(?:\s|>|$)/i,
  /^<!--/,
  /^<[?]/,
  /^<![A-Za-z]/,
  /^<!\[CDATA\[/,
  new RegExp(`^</?(?:${HTML_BLOCK_NAMES})(?:\\s|/?>|$)`, 'i'),
  new RegExp(`^(?:<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*[\\t-\\r ]*/?>|</[A-Za-z][A-Za-z0-9-]*[\\t-\\r ]*>)\\s*$`),
]
const HTML_ENDS = [/<\/(?:script|pre|textarea|style)>/i, /-->/, /\?>/, />/, /\]\]>/]

/** HTML blocks of the first five kinds end with a specific text; the others end at a blank line. */
export function endsHtml(block: Block, text: string): boolean {
  return HTML_ENDS[block.size - 1]?.test(text) ?? false
}

export function htmlEndsAtBlank(block: Block): boolean {
  return block.size > HTML_ENDS.length
}

/** Reads the block that starts at the cursor and moves the cursor past its marker. */
export function blockStart(cursor: LineCursor, line: number, interrupts: boolean, lazily: boolean): Block | undefined {
  const text = textOfLine(cursor)
  const from = cursor.pos
  const block = (kind: Block['kind'], fields: Partial<Block>) =>
    Object.assign(newBlock(kind, from, cursor.end, line), fields)
  switch (text[0]) {
    case '>':
      skipMarker(cursor, 1)
      if (atSpace(cursor)) skipColumns(cursor, 1)
      return block('quote', {})
    case '#':
      return heading(cursor, text, block)
    case '`':
    case '~': {
      const fence = FENCE.exec(text)?.[0]
      if (!fence) return undefined
      const detail = text.slice(fence.length)
      if (fence[0] === '`' && detail.includes('`')) return undefined
      return block('fence', { marker: fence[0]!, size: fence.length, indent: cursor.indent, detail })
    }
    case '<': {
      const at = HTML_STARTS.findIndex((start) => start.test(text))
      if (at < 0 || (at === 6 && (interrupts || lazily))) return undefined
      return block('html', { size: at + 1 })
    }
    case '[': {
      const label = FOOTNOTE.exec(text)
      if (!label) return undefined
      skipMarker(cursor, label[0].length)
      return block('footnote', { marker: label[1]! })
    }
  }
  if ((text[0] === '*' || text[0] === '-' || text[0] === '_') && RULE.test(text))
    return block('rule', { marker: text.trimEnd() })
  return item(cursor, text, interrupts, block)
}

type MakeBlock = (kind: Block['kind'], fields: Partial<Block>) => Block

function heading(cursor: LineCursor, text: string, block: MakeBlock): Block | undefined {
  const marks = HEADING.exec(text)?.[0]
  if (!marks) return undefined
  const made = block('heading', { size: marks.length, marker: '#' })
  skipMarker(cursor, marks.length)
  const content = textOfLine(cursor)
  let end = trimmedEnd(content, content.length)
  let hashes = end
  while (hashes > 0 && content[hashes - 1] === '#') hashes--
  if (hashes === 0 || (hashes < end && /[ \t]/.test(content[hashes - 1]!))) end = trimmedEnd(content, hashes)
  made.lines.push({ text: content.slice(0, end), at: cursor.next })
  return made
}

function trimmedEnd(text: string, from: number): number {
  let end = from
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return end
}

function item(cursor: LineCursor, text: string, interrupts: boolean, block: MakeBlock): Block | undefined {
  const ordered = ORDERED.exec(text)
  const length = ordered ? ordered[0].length : BULLET.test(text) ? 1 : 0
  if (length === 0) return undefined
  const after = text[length]
  if (after !== undefined && after !== ' ' && after !== '\t') return undefined
  const empty = text.slice(length).trim() === ''
  if (interrupts && (empty || (ordered && Number(ordered[1]) !== 1))) return undefined
  const before = cursor.indent
  const made = block('item', { marker: ordered ? ordered[2]! : text[0]!, detail: ordered?.[1] ?? '' })
  skipMarker(cursor, length)
  findText(cursor)
  const space = cursor.indent
  const columns = empty || space >= 5 || space < 1 ? 1 : space
  if (atSpace(cursor)) skipColumns(cursor, columns)
  made.size = before + length + columns
  return made
}

/** Returns the content of a line in a fenced or indented code block. */
export function codeLine(cursor: LineCursor): { text: string; at: number } {
  return { text: restOfLine(cursor), at: cursor.pos }
}
