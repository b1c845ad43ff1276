import type { Node } from 'prosemirror-model'
import { type Block, isTight, type Line } from '../read/block.ts'
import type { TrackedRange } from '../read/inline.ts'
import { cellText, leafText, readLeaf } from '../read/leaf-text.ts'
import { type BlockTree, readBlocks } from '../read/read-blocks.ts'
import { type Alignment, splitRow, tableAlignment } from '../read/table-row.ts'
import { CannotCarry, inlineContent } from './rich-inline.ts'
import { schema } from './schema.ts'

export interface RichContext {
  source: string
  tree: BlockTree
  /** Tracked changes inside the block, in order. */
  changes: TrackedRange[]
}

const TASK = /^\[([ xX])\](?:[ \t]+|$)/

/** Converts a block to its rich form. Throws CannotCarry if that would lose something. */
export function richBlock(block: Block, context: RichContext): Node {
  const { nodes } = schema
  switch (block.kind) {
    case 'paragraph':
      return nodes.paragraph.create(null, inlines(block.lines, context))
    case 'heading':
      return nodes.heading.create(
        { level: block.size, style: block.marker === '#' ? 'atx' : 'setext' },
        inlines(block.lines, context),
      )
    case 'quote':
      return nodes.blockquote.create(null, children(block, context))
    case 'list':
      return richList(block, context)
    case 'footnote':
      return nodes.footnote_definition.create({ label: block.marker }, children(block, context))
    case 'fence': {
      const attrs = { info: block.detail.trim(), fence: block.marker, length: block.size }
      return nodes.code_block.create(attrs, code(block.lines))
    }
    case 'indented':
      return nodes.indented_code.create(null, code(block.lines))
    case 'rule':
      return nodes.horizontal_rule.create({ markup: block.marker })
    case 'html':
      return nodes.html_block.create({ html: verbatim(withoutBlankEnd(block.lines)) })
    case 'definition':
      return nodes.link_definition.create({ source: verbatim(block.lines) })
    case 'frontMatter':
      return nodes.front_matter.create({ source: context.source.slice(block.from, block.to) })
    case 'table':
      return richTable(block, context)
    default:
      throw new CannotCarry(block.kind)
  }
}

function verbatim(lines: Line[]): string {
  return lines.map((line) => line.text).join('\n')
}

function withoutBlankEnd(lines: Line[]): Line[] {
  return lines.slice(0, lines.findLastIndex(({ text }) => text.trim() !== '') + 1)
}

function children(block: Block, context: RichContext): Node[] {
  return block.children.map((child) => carryInside(child, context))
}

/** Keeps the markdown of a leaf that the schema cannot represent, so the rest of its container stays rich. */
function carryInside(block: Block, context: RichContext): Node {
  if (block.children.length > 0) return richBlock(block, context)
  try {
    return richBlock(block, context)
  } catch (err) {
    const source = leafSource(block)
    if (!(err instanceof CannotCarry) || !readsAsLeaf(source, block)) throw err
    return schema.nodes.opaque_block.create({ source })
  }
}

/**
 * Guards against lazy continuation lines, which can start a block of their own once they have the container's prefix.
 */
function readsAsLeaf(source: string, block: Block): boolean {
  const [leaf, ...more] = readBlocks(source).root.children
  return more.length === 0 && leaf?.kind === block.kind && leaf.lines.length === block.lines.length
}

function leafSource(block: Block): string {
  const text = verbatim(block.lines)
  if (block.kind === 'heading' && block.marker === '#') return `${'#'.repeat(block.size)} ${text}`
  if (block.kind === 'heading') return `${text}\n${block.marker.repeat(3)}`
  if (block.kind !== 'fence') return text
  const fence = block.marker.repeat(block.size)
  return `${fence}${block.detail}\n${text}\n${fence}`
}

function inlines(lines: Line[], context: RichContext): Node[] {
  return inlineContent(readLeaf(leafText(lines), context.tree, context.changes))
}

function code(lines: Line[]): Node[] {
  const text = verbatim(lines)
  if (lines.length === 1 && text === '') throw new CannotCarry('a single empty line of code')
  return text === '' ? [] : [schema.text(text)]
}

function richList(list: Block, context: RichContext): Node {
  const items = list.children.map((item) => richItem(item, context))
  const tight = isTight(list)
  if (list.detail === '') return schema.nodes.bullet_list.create({ marker: list.marker, tight }, items)
  return schema.nodes.ordered_list.create({ start: list.size, delimiter: list.marker, tight }, items)
}

function richItem(item: Block, context: RichContext): Node {
  const [first, ...others] = item.children
  const task = first?.kind === 'paragraph' && TASK.exec(first.lines[0]!.text)
  if (!task) return schema.nodes.list_item.create(null, children(item, context))
  const [line, ...more] = first.lines
  const rest = { text: line!.text.slice(task[0].length), at: line!.at + task[0].length }
  if (rest.text === '' && more.length > 0) return schema.nodes.list_item.create(null, children(item, context))
  const paragraph = carryInside({ ...first, lines: [rest, ...more] }, context)
  return schema.nodes.list_item.create({ checked: task[1] !== ' ' }, [
    paragraph,
    ...others.map((child) => carryInside(child, context)),
  ])
}

function richTable(table: Block, context: RichContext): Node {
  const [header, delimiters, ...rows] = table.lines
  const alignments = tableAlignment(header!.text, delimiters!.text)!
  const { table_header, table_cell } = schema.nodes
  return schema.nodes.table.create(null, [
    richRow(header!, alignments, table_header, context),
    ...rows.map((row) => richRow(row, alignments, table_cell, context)),
  ])
}

function richRow(row: Line, alignments: Alignment[], type: typeof schema.nodes.table_cell, context: RichContext): Node {
  const cells = splitRow(row.text)
  if (cells.length > alignments.length) throw new CannotCarry('a row with more cells than the table')
  const content = alignments.map((alignment, at) => {
    const cell = cells[at]
    const leaf = cell && cellText(cell.text, row.at + cell.from)
    return type.create({ alignment }, leaf ? inlineContent(readLeaf(leaf, context.tree, context.changes)) : [])
  })
  return schema.nodes.table_row.create(null, content)
}
