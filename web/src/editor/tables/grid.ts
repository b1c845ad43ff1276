import type { Node, ResolvedPos } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import { schema } from '../schema.ts'

const { table, table_row, table_header, table_cell } = schema.nodes

export interface CellPlace {
  table: Node
  /** The position before the table. */
  at: number
  row: number
  column: number
}

export const isCell = ({ type }: Node) => type === table_cell || type === table_header

/** The position before the cell around a position, resolved. */
export function cellAround($pos: ResolvedPos): ResolvedPos | undefined {
  for (let depth = $pos.depth; depth > 1; depth--)
    if (isCell($pos.node(depth))) return $pos.doc.resolve($pos.before(depth))
  const after = $pos.nodeAfter
  return after && isCell(after) ? $pos : undefined
}

/** The cell of a position as `cellAround` returns it. */
export const placeOf = ($cell: ResolvedPos): CellPlace => ({
  table: $cell.node(-1),
  at: $cell.before(-1),
  row: $cell.index(-1),
  column: $cell.index(),
})

export function cellPlace(state: EditorState): CellPlace | undefined {
  const $cell = cellAround(state.selection.$head)
  return $cell && placeOf($cell)
}

export function rowAt({ table, at }: Pick<CellPlace, 'table' | 'at'>, row: number): number {
  let pos = at + 1
  for (let index = 0; index < row; index++) pos += table.child(index).nodeSize
  return pos
}

/** The position before a cell. A row that people changed at the same time can be shorter: then that of its end. */
export function cellAt(place: Pick<CellPlace, 'table' | 'at'>, row: number, column: number): number {
  let pos = rowAt(place, row) + 1
  const cells = place.table.child(row)
  for (let index = 0; index < Math.min(column, cells.childCount); index++) pos += cells.child(index).nodeSize
  return pos
}

export const widthOf = (node: Node) => Math.max(...node.children.map((row) => row.childCount))

/** A table as markdown can hold it: one row of headers, and as many cells in each row. */
export function regular(node: Node): Node {
  const width = widthOf(node)
  const heads = node.firstChild!.children
  const rows = node.children.map((row, at) => {
    const type = at === 0 ? table_header : table_cell
    const cells = Array.from({ length: width }, (_, column) => {
      const cell = row.maybeChild(column)
      const attrs = { alignment: heads[column]?.attrs.alignment ?? null }
      return type.create(attrs, cell?.content, cell?.marks)
    })
    return table_row.create(null, cells, row.marks)
  })
  return table.create(null, rows, node.marks)
}

export const isRegular = (node: Node): boolean =>
  node.children.every(
    (row, at) =>
      row.childCount === node.firstChild!.childCount &&
      row.children.every(({ type }) => type === (at === 0 ? table_header : table_cell)),
  )
