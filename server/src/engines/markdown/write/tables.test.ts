import type { Node } from 'prosemirror-model'
import { describe, expect, it } from 'vitest'
import { parseMarkdown, schema, serializeBlock } from '../index.ts'
import { meaningOf } from './serialize.ts'

describe('a table', () => {
  const { table, table_row, table_header, table_cell, hard_break, soft_break } = schema.nodes
  const bold = schema.text('Price', [schema.marks.strong.create()])
  const head = table_row.create(null, [table_header.create(null, bold), table_header.create(null, schema.text('a_b'))])
  const row = (...cells: (string | Node)[]) =>
    table_row.create(
      null,
      cells.map((cell) => table_cell.create(null, typeof cell === 'string' ? schema.text(cell) : cell)),
    )
  const broken = (node: Node) => table_cell.create(null, [schema.text('one'), node, schema.text('two')])

  it.each([
    [
      'a hard break',
      [head, table_row.create(null, [broken(hard_break.create()), broken(hard_break.create())])],
      '<br>',
    ],
    ['a line break of the source', [head, table_row.create(null, [broken(soft_break.create())])], 'one two'],
    ['a first row without headers', [row(bold, 'a_b'), row('1', '2')], '| **Price** | a_b |'],
    ['a short row', [head, row('1')], '| 1 |  |'],
    ['a long row', [head, row('1', '2', '3')], '| 1 | 2 | 3 |'],
    ['a header further down', [head, head], '| **Price** | a_b |'],
    [
      'a cell with another alignment',
      [head, table_row.create(null, [table_cell.create({ alignment: 'right' })])],
      '--- |',
    ],
  ])('with %s is written without more escapes, and reads back the same', (_, rows, contains) => {
    const node = table.create(null, rows)
    const written = serializeBlock(node)
    expect(written).toContain(contains)
    expect(written).toContain('| **Price** | a_b |')
    const { doc } = parseMarkdown(written)
    expect(doc.childCount).toBe(1)
    expect(meaningOf(doc.children)).toBe(meaningOf([node]))
  })

  it('says something else once a cell has moved', () => {
    expect(meaningOf([table.create(null, [head, row('1')])])).not.toBe(
      meaningOf([table.create(null, [head, table_row.create(null, [table_cell.create(), row('1').child(0)])])]),
    )
  })
})

describe('a line break', () => {
  it.each(['hard_break', 'soft_break'] as const)('that is a %s in a small heading needs no more escapes', (type) => {
    const strong = schema.text('Price', [schema.marks.strong.create()])
    const node = schema.nodes.heading.create({ level: 3 }, [strong, schema.nodes[type].create(), schema.text('a_b')])
    const written = serializeBlock(node)
    expect(written).toMatch(/^### \*\*Price\*\*(?: |<br>)a_b$/)
    expect(meaningOf(parseMarkdown(written).doc.children)).toBe(meaningOf([node]))
  })

  it('at the end of a paragraph needs no more escapes', () => {
    const strong = schema.text('Price', [schema.marks.strong.create()])
    const node = schema.nodes.paragraph.create(null, [strong, schema.nodes.hard_break.create()])
    expect(serializeBlock(node)).toBe('**Price**<br>')
  })
})
