import { type Block, isLiteral, isNesting, MAX_NESTING, newBlock } from './block.ts'
import { blockStart, codeLine, endsHtml, htmlEndsAtBlank } from './block-starts.ts'
import { takeDefinitions } from './definitions.ts'
import {
  atSpace,
  cursorAt,
  findText,
  type LineCursor,
  skipColumns,
  skipMarker,
  skipToText,
  textOfLine,
} from './line-cursor.ts'
import { tableAlignment } from './table-row.ts'

/** Runs the block phase of CommonMark with GFM tables and footnotes, line by line. `spine` holds the open blocks. */
export interface BlockReader {
  spine: Block[]
  line: number
  /** The position of the first line that would nest deeper than allowed. Its markers are read as text. */
  tooDeepAt: number | undefined
}

export function newReader(): BlockReader {
  return { spine: [newBlock('document', 0, 0, 0)], line: 0, tooDeepAt: undefined }
}

/** Returns a copy for reading ahead. It has the open blocks but not the finished ones. */
export function aheadOf(reader: BlockReader): BlockReader {
  const spine = reader.spine.map((block) => ({
    ...block,
    children: block.children.slice(-1),
    lines: block.lines.slice(-1),
  }))
  return { ...reader, spine }
}

function tip(reader: BlockReader): Block {
  return reader.spine.at(-1)!
}

/** Reads one line and returns the leaf that took it. For a blank line, returns the block before it. */
export function feedLine(reader: BlockReader, src: string, from: number, to: number): Block {
  const cursor = cursorAt(src, from, to)
  const { spine } = reader
  let depth = 1
  for (; depth < spine.length; depth++) {
    const block = spine[depth]!
    if (block.kind === 'fence' && closesFence(block, cursor)) {
      block.closed = true
      extend(block, cursor, reader)
      closeDownTo(reader, depth)
      reader.line++
      return block
    }
    if (!continues(block, cursor, reader)) break
  }
  const open = openBlocks(reader, cursor, depth)
  if (open >= 0) placeText(reader, cursor, open)
  reader.line++
  return tip(reader).children.at(-1) ?? tip(reader)
}

export function finish(reader: BlockReader): Block {
  closeDownTo(reader, 1)
  return reader.spine[0]!
}

function continues(block: Block, cursor: LineCursor, reader: BlockReader): boolean {
  switch (block.kind) {
    case 'quote':
      if (cursor.indent > 3 || cursor.src[cursor.next] !== '>' || cursor.blank) return false
      skipMarker(cursor, 1)
      if (atSpace(cursor)) skipColumns(cursor, 1)
      extend(block, cursor, reader)
      return true
    case 'list':
      return true
    case 'item':
      if (cursor.blank) {
        if (block.children.length === 0) return false
        skipColumns(cursor, Math.min(cursor.indent, block.size))
        return true
      }
      if (cursor.indent < block.size) return false
      skipColumns(cursor, block.size)
      return true
    case 'footnote':
      if (!cursor.blank && cursor.indent < 4) return false
      skipColumns(cursor, Math.min(cursor.indent, 4))
      return true
    case 'fence': {
      const space = Math.min(block.indent, cursor.indent)
      if (space > 0) skipColumns(cursor, space)
      return true
    }
    case 'indented':
      if (cursor.indent >= 4) skipColumns(cursor, 4)
      else if (cursor.blank) skipToText(cursor)
      else return false
      return true
    case 'html':
      return !(cursor.blank && htmlEndsAtBlank(block))
    case 'paragraph':
      return !cursor.blank
    case 'table':
      return !cursor.blank && cursor.indent < 4
    default:
      return false
  }
}

function closesFence(block: Block, cursor: LineCursor): boolean {
  if (cursor.indent > 3 || cursor.src[cursor.next] !== block.marker) return false
  let pos = cursor.next
  while (pos < cursor.end && cursor.src[pos] === block.marker) pos++
  return pos - cursor.next >= block.size && cursor.src.slice(pos, cursor.end).trim() === ''
}

/**
 * Opens the blocks that start on this line below `depth` matched blocks. Returns the new depth, or -1 if the line is
 * used up.
 */
function openBlocks(reader: BlockReader, cursor: LineCursor, matched: number): number {
  const { spine } = reader
  let depth = matched
  while (!isLiteral(spine[depth - 1]!)) {
    const container = spine[depth - 1]!
    findText(cursor)
    if (cursor.blank) return depth
    const lazily = depth < spine.length && tip(reader).kind === 'paragraph'
    if (cursor.indent >= 4) {
      if (tip(reader).kind === 'paragraph') return depth
      openAt(reader, depth, newBlock('indented', cursor.pos, cursor.end, reader.line))
      skipColumns(cursor, 4)
      return spine.length
    }
    if (container.kind === 'paragraph') {
      if (becomesTable(reader, cursor, depth) || becomesHeading(reader, cursor, depth)) return -1
      if (spine.length < depth) {
        depth = spine.length
        continue
      }
    }
    const found = blockStart(cursor, reader.line, container.kind === 'paragraph', lazily)
    if (!found) return depth
    if (isNesting(found) && spine.slice(0, depth).filter(isNesting).length >= MAX_NESTING) {
      reader.tooDeepAt ??= cursor.pos
      return depth
    }
    openAt(reader, depth, found)
    depth = spine.length
    if (found.kind === 'heading' || found.kind === 'rule' || found.kind === 'fence') return -1
  }
  return depth
}

/** Pushes a block and closes the unmatched ones. An item joins the list before it or starts a new one. */
function openAt(reader: BlockReader, depth: number, block: Block) {
  let parent = depth
  while (parent > 1 && !takesBlocks(reader.spine[parent - 1]!, block)) parent--
  closeDownTo(reader, parent)
  if (block.kind === 'item' && !joins(tip(reader), block)) {
    if (tip(reader).kind === 'list') closeDownTo(reader, reader.spine.length - 1)
    const list = newBlock('list', block.from, block.to, reader.line)
    list.marker = block.marker
    list.detail = block.detail
    list.size = Number(block.detail)
    push(reader, list)
  }
  push(reader, block)
}

function push(reader: BlockReader, block: Block) {
  tip(reader).children.push(block)
  reader.spine.push(block)
}

function takesBlocks(container: Block, block: Block): boolean {
  if (container.kind === 'list') return block.kind === 'item'
  return container.kind === 'document' || isNesting(container)
}

function joins(list: Block, item: Block): boolean {
  return list.kind === 'list' && list.marker === item.marker && (list.detail === '') === (item.detail === '')
}

function becomesTable(reader: BlockReader, cursor: LineCursor, depth: number): boolean {
  const paragraph = reader.spine[depth - 1]!
  const text = textOfLine(cursor).trimEnd()
  const header = paragraph.lines.at(-1)!
  if (!tableAlignment(header.text, text)) return false
  paragraph.lines.pop()
  const table = newBlock('table', header.at, cursor.end, reader.line - 1)
  table.lines.push(header, { text, at: cursor.next })
  const last = paragraph.lines.at(-1)
  if (last) {
    paragraph.to = last.at + last.text.length
    paragraph.lastLine--
  } else {
    table.from = paragraph.from
    reader.spine.pop()
    tip(reader).children.pop()
  }
  closeDownTo(reader, depth - 1)
  push(reader, table)
  extend(table, cursor, reader)
  return true
}

/** If only link definitions precede the underline, there is no heading, but the paragraph is closed anyway. */
function becomesHeading(reader: BlockReader, cursor: LineCursor, depth: number): boolean {
  const text = textOfLine(cursor).trimEnd()
  if (!/^(?:=+|-+)$/.test(text)) return false
  closeDownTo(reader, depth - 1)
  const above = tip(reader).children.at(-1)
  if (above?.kind !== 'paragraph') return false
  above.kind = 'heading'
  above.marker = text[0]!
  above.size = text[0] === '=' ? 1 : 2
  extend(above, cursor, reader)
  return true
}

function placeText(reader: BlockReader, cursor: LineCursor, depth: number) {
  const { spine } = reader
  if (depth < spine.length && !cursor.blank && tip(reader).kind === 'paragraph') {
    addLine(reader, tip(reader), cursor)
    return
  }
  closeDownTo(reader, depth)
  const leaf = tip(reader)
  if (isLiteral(leaf) || leaf.kind === 'paragraph' || leaf.kind === 'table') {
    addLine(reader, leaf, cursor)
    return
  }
  if (cursor.blank) return
  findText(cursor)
  closeDownTo(reader, leaf.kind === 'list' ? depth - 1 : depth)
  const paragraph = newBlock('paragraph', cursor.pos, cursor.end, reader.line)
  push(reader, paragraph)
  addLine(reader, paragraph, cursor)
}

function addLine(reader: BlockReader, leaf: Block, cursor: LineCursor) {
  if (isLiteral(leaf)) {
    const line = codeLine(cursor)
    leaf.lines.push(line)
    if (leaf.kind !== 'indented' || line.text.trim() !== '') extend(leaf, cursor, reader)
    if (leaf.kind === 'html' && endsHtml(leaf, line.text)) {
      leaf.closed = true
      closeDownTo(reader, reader.spine.length - 1)
    }
    return
  }
  findText(cursor)
  leaf.lines.push({ text: textOfLine(cursor), at: cursor.next })
  extend(leaf, cursor, reader)
}

function extend(block: Block, cursor: LineCursor, reader: BlockReader) {
  block.to = cursor.end
  block.lastLine = reader.line
}

function closeDownTo(reader: BlockReader, depth: number) {
  while (reader.spine.length > depth) {
    const block = reader.spine.pop()!
    const parent = reader.spine.at(-1)!
    if (block.kind === 'paragraph') takeDefinitions(parent, block)
    if (block.kind === 'indented') while (block.lines.at(-1)?.text.trim() === '') block.lines.pop()
    const last = block.children.at(-1)
    if (last && last.to > block.to) {
      block.to = last.to
      block.lastLine = last.lastLine
    }
  }
}
