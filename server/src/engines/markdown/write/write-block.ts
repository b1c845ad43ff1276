import type { Node } from 'prosemirror-model'
import { CARE, type Care, guardEdges, guardLine } from './escape-text.ts'
import { withFewestEscapes } from './fewest-escapes.ts'
import { regularTable } from './regular-table.ts'
import { writeInline } from './write-inline.ts'

export interface Writing {
  care: Care
  /** True if the text parses back to the block. */
  readsAs(text: string, node: Node): boolean
}

const LEAVES: Record<string, (node: Node, care: Care) => string> = {
  paragraph: writeParagraph,
  heading: writeHeading,
  table: writeTable,
}

/** Writes a leaf with the lightest escaping that parses back to it, and of that only what is needed. */
function writeLeaf(node: Node, write: (node: Node, care: Care) => string, writing: Writing): string {
  const least = CARE.indexOf(writing.care)
  let text = ''
  for (const care of CARE.slice(least)) {
    text = write(node, care)
    if (!writing.readsAs(text, node)) continue
    return care === 'none' ? text : withFewestEscapes(text, (shorter) => writing.readsAs(shorter, node))
  }
  return text
}

/** Writes one block with LF line endings and none at the end. Returns an empty string if markdown cannot express it. */
export function writeBlock(node: Node, writing: Writing): string {
  const text = writeUnmarked(node, writing)
  const mark = node.marks.find(({ type }) => type.name === 'insertion' || type.name === 'deletion')
  if (!mark || text === '') return text
  return mark.type.name === 'insertion' ? `{++${text}++}` : `{--${text}--}`
}

function writeUnmarked(node: Node, writing: Writing): string {
  const leaf = LEAVES[node.type.name]
  if (leaf) return writeLeaf(node, leaf, writing)
  switch (node.type.name) {
    case 'blockquote':
      return prefixLines(writeBlocks(node, writing, false), '> ', '> ')
    case 'bullet_list':
    case 'ordered_list':
      return writeList(node, writing)
    case 'code_block':
      return writeFence(node)
    case 'indented_code':
      return writeIndented(node)
    case 'horizontal_rule':
      return String(node.attrs.markup)
    case 'html_block':
      return String(node.attrs.html)
    case 'footnote_definition':
      return prefixLines(writeBlocks(node, writing, false), `[^${node.attrs.label}]: `, '    ')
    default:
      return String(node.attrs.source ?? '')
  }
}

function writeParagraph(node: Node, care: Care): string {
  return guardLines(writeInline(node.content, { care, oneLine: false, inTable: false }), care)
}

function guardLines(text: string, care: Care): string {
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const hard = at < lines.length - 1 && line.endsWith('  ') ? '  ' : ''
      return guardLine(line.slice(0, line.length - hard.length), care) + hard
    })
    .join('\n')
}

function writeHeading(node: Node, care: Care): string {
  const level = Number(node.attrs.level)
  const lines = writeInline(node.content, { care, oneLine: level > 2, inTable: false })
  if (level <= 2 && lines !== '' && ((node.attrs.style === 'setext' && !isAdded(node)) || lines.includes('\n'))) {
    const width = Math.min(80, Math.max(3, lines.slice(lines.lastIndexOf('\n') + 1).length))
    return `${guardLines(lines, care)}\n${(level === 1 ? '=' : '-').repeat(width)}`
  }
  const text = guardEdges(lines)
  let hashes = text.length
  while (text[hashes - 1] === '#') hashes--
  const closed = hashes < text.length ? `${text.slice(0, hashes)}\\${text.slice(hashes)}` : text
  return `${'#'.repeat(level)} ${closed}`.trimEnd()
}

/** A heading that is only suggested is one line, so that rejecting its text leaves no underline. */
const isAdded = (node: Node) => node.children.every(({ marks }) => marks.some(({ type }) => type.name === 'insertion'))

function prefixLines(text: string, first: string, rest: string): string {
  if (text === '') return first.trimEnd()
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
    .join('\n')
}

/** Writes the blocks of a container. Adjacent lists of the same kind alternate markers so they do not merge. */
function writeBlocks(node: Node, writing: Writing, tight: boolean): string {
  const written: string[] = []
  let before: Node | undefined
  node.forEach((child) => {
    const block = before && mergesWith(before, child) ? apartFrom(before, child) : child
    const text = writeBlock(block, writing)
    if (text === '') return
    written.push(text)
    before = block
  })
  return written.join(tight ? '\n' : '\n\n')
}

/** True if markdown would parse the two blocks as one, no matter how many blank lines separate them. */
export function mergesWith(before: Node, after: Node): boolean {
  const kind = after.type.name
  if (kind === 'indented_code')
    return ['indented_code', 'bullet_list', 'ordered_list', 'footnote_definition'].includes(before.type.name)
  if (before.type !== after.type) return false
  if (kind === 'bullet_list') return before.attrs.marker === after.attrs.marker
  return kind === 'ordered_list' && before.attrs.delimiter === after.attrs.delimiter
}

/** Returns the same block in another notation that does not merge with the block before it. */
export function apartFrom(before: Node, node: Node): Node {
  const { type, attrs, content, marks } = node
  if (type.name === 'bullet_list')
    return type.create({ ...attrs, marker: before.attrs.marker === '-' ? '*' : '-' }, content, marks)
  if (type.name === 'ordered_list')
    return type.create({ ...attrs, delimiter: before.attrs.delimiter === '.' ? ')' : '.' }, content, marks)
  return type.schema.nodes.code_block!.create(null, content, marks)
}

const RULE = /^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$|^(?:-[ \t]*){3,}$/

function writeList(list: Node, writing: Writing): string {
  const ordered = list.type.name === 'ordered_list'
  const tight = isTightList(list)
  const items: string[] = []
  let number = Number(list.attrs.start)
  list.forEach((item) => {
    const marker = ordered ? `${number}${list.attrs.delimiter}` : String(list.attrs.marker)
    // The items after a suggested one keep their numbers, in case it is rejected. Markdown counts them anyway.
    if (!isSuggested(item)) number++
    const task = item.attrs.checked === null ? '' : item.attrs.checked ? '[x] ' : '[ ] '
    items.push(writeItem(marker, task + writeBlocks(item, writing, tight)))
  })
  return items.join(tight ? '\n' : '\n\n')
}

/** A list whose items hold several paragraphs needs empty lines. One that has no place for an empty line is tight. */
export function isTightList(list: Node): boolean {
  let [mayBeLoose, mayBeTight] = [list.childCount > 1, true]
  list.forEach((item) => {
    const blocks = item.children.filter((block) => block.type.name !== 'paragraph' || block.content.size > 0)
    if (blocks.length > 1) mayBeLoose = true
    mayBeTight &&= blocks.every((block, at) => at === 0 || !continues(blocks[at - 1]!, block))
  })
  return mayBeTight && (Boolean(list.attrs.tight) || !mayBeLoose)
}

/** True if a block would continue the paragraph at the end of the one before it, without an empty line between them. */
function continues(before: Node, { type }: Node): boolean {
  let last: Node | null = before
  while (last && !last.isTextblock && !last.isAtom) last = last.lastChild
  return type.name === 'paragraph' && last?.type === type
}

function isSuggested(item: Node): boolean {
  let [some, all] = [false, true]
  item.descendants((node) => {
    if (!node.isText) return
    some = true
    all &&= node.marks.some(({ type }) => type.name === 'insertion')
  })
  return some && all
}

/** Starts the item on the next line if its first line and the marker would together read as a rule. */
function writeItem(marker: string, text: string): string {
  const indent = ' '.repeat(marker.length + 1)
  const written = prefixLines(text, `${marker} `, indent)
  const first = written.slice(0, `${written}\n`.indexOf('\n'))
  return RULE.test(first) && text !== '' ? `${marker}\n${prefixLines(text, indent, indent)}` : written
}

function longestRun(text: string, char: string): number {
  return Math.max(0, ...(text.match(char === '`' ? /`+/g : /~+/g) ?? []).map((run) => run.length))
}

function writeFence(node: Node): string {
  const { info, fence, length } = node.attrs as { info: string; fence: string; length: number }
  const char = info.includes('`') ? '~' : fence
  const text = node.textContent
  const mark = char.repeat(Math.max(3, length, longestRun(text, char) + 1))
  const safeInfo = info.replaceAll(/[\n\r]/g, ' ').trim()
  return [mark + safeInfo, ...(text === '' ? [] : [text]), mark].join('\n')
}

function writeIndented(node: Node): string {
  const text = node.textContent
  const lines = text.split('\n')
  if (lines[0]!.trim() === '' || lines.at(-1)!.trim() === '')
    return writeFence(node.type.schema.nodes.code_block!.create(null, node.content))
  return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
}

const DELIMITERS: Record<string, string> = { left: ':--', right: '--:', center: ':-:' }

function writeTable(table: Node, care: Care): string {
  const rows: string[] = []
  regularTable(table).forEach((row, _offset, at) => {
    const cells: string[] = []
    const delimiters: string[] = []
    row.forEach((cell) => {
      const text = writeInline(cell.content, { care, oneLine: true, inTable: true })
      cells.push(guardEdges(text))
      delimiters.push(DELIMITERS[String(cell.attrs.alignment)] ?? '---')
    })
    rows.push(`| ${cells.join(' | ')} |`)
    if (at === 0) rows.push(`| ${delimiters.join(' | ')} |`)
  })
  return rows.join('\n')
}
