import { Fragment, type Node } from 'prosemirror-model'
import { schema } from '../rich/schema.ts'

const { table_header, table_cell } = schema.nodes

/** True if markdown can say the table as it is: one row of headers, rows of the same length, columns of one alignment. */
function isRegular(table: Node): boolean {
  const first = table.child(0)
  return table.children.every(
    (row, at) =>
      row.childCount === first.childCount &&
      row.children.every(
        ({ type, attrs }, column) =>
          type.name === (at === 0 ? table_header.name : table_cell.name) &&
          attrs.alignment === first.child(column).attrs.alignment,
      ),
  )
}

/**
 * Returns the table as markdown can say it: the first row is the header, short rows get empty cells, and the first row
 * aligns the columns.
 */
export function regularTable(table: Node): Node {
  if (isRegular(table)) return table
  const first = table.child(0)
  const width = Math.max(...table.children.map(({ childCount }) => childCount))
  const { nodes } = table.type.schema
  const rows = table.children.map((row, at) => {
    const type = nodes[at === 0 ? table_header.name : table_cell.name]!
    const cells = Array.from({ length: width }, (_, column) =>
      type.create({ alignment: first.maybeChild(column)?.attrs.alignment ?? null }, row.maybeChild(column)?.content),
    )
    return row.type.create(row.attrs, cells, row.marks)
  })
  return table.type.create(table.attrs, Fragment.from(rows), table.marks)
}
