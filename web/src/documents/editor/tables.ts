import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { schema } from './schema.ts'

const { table, table_row, table_header, table_cell } = schema.nodes

export interface CellPlace {
  table: Node
  /** The position before the table. */
  at: number
  row: number
  column: number
}

export function cellPlace(state: EditorState): CellPlace | undefined {
  return placeOf(state.selection.$head)
}

function placeOf($pos: ResolvedPos): CellPlace | undefined {
  for (let depth = $pos.depth; depth > 1; depth--)
    if ($pos.node(depth).type === table_cell || $pos.node(depth).type === table_header)
      return {
        table: $pos.node(depth - 2),
        at: $pos.before(depth - 2),
        row: $pos.index(depth - 2),
        column: $pos.index(depth - 1),
      }
  return undefined
}

const rowAt = (from: CellPlace, row: number) => {
  let at = from.at + 1
  for (let index = 0; index < row; index++) at += from.table.child(index).nodeSize
  return at
}

const cellAt = (from: CellPlace, row: number, column: number) => {
  let at = rowAt(from, row) + 1
  for (let index = 0; index < column; index++) at += from.table.child(row).child(index).nodeSize
  return at
}

const putIn = (tr: Transaction, at: number) => tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)))

export function createTable(rows: number, columns: number): Node {
  const row = (type: typeof table_cell) =>
    table_row.create(
      null,
      Array.from({ length: columns }, () => type.create()),
    )
  return table.create(null, [row(table_header), ...Array.from({ length: rows - 1 }, () => row(table_cell))])
}

/** Adds a row below the header at the earliest: a table has exactly one header. */
export const addRow =
  (where: 'above' | 'below'): Command =>
  (state, dispatch) => {
    const from = cellPlace(state)
    if (!from || (where === 'above' && from.row === 0)) return false
    const cells = from.table.child(from.row).children.map(({ attrs }) => table_cell.create(attrs))
    const to = where === 'above' ? from.row : from.row + 1
    const at = rowAt(from, to)
    dispatch?.(putIn(state.tr.insert(at, table_row.create(null, cells)), at + 1).scrollIntoView())
    return true
  }

export const removeRow: Command = (state, dispatch) => {
  const from = cellPlace(state)
  if (!from || from.row === 0) return false
  const at = rowAt(from, from.row)
  dispatch?.(state.tr.delete(at, at + from.table.child(from.row).nodeSize).scrollIntoView())
  return true
}

export const addColumn =
  (where: 'before' | 'after'): Command =>
  (state, dispatch) => {
    const from = cellPlace(state)
    if (!from) return false
    const column = where === 'before' ? from.column : from.column + 1
    const { tr } = state
    for (let row = from.table.childCount - 1; row >= 0; row--)
      tr.insert(cellAt(from, row, column), (row === 0 ? table_header : table_cell).create())
    dispatch?.(putIn(tr, tr.mapping.map(cellAt(from, from.row, column), -1)).scrollIntoView())
    return true
  }

export const removeColumn: Command = (state, dispatch) => {
  const from = cellPlace(state)
  if (!from || from.table.child(0).childCount === 1) return false
  const { tr } = state
  for (let row = from.table.childCount - 1; row >= 0; row--) {
    const at = cellAt(from, row, from.column)
    tr.delete(at, at + from.table.child(row).child(from.column).nodeSize)
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

export const removeTable: Command = (state, dispatch) => {
  const from = cellPlace(state)
  if (!from) return false
  dispatch?.(state.tr.delete(from.at, from.at + from.table.nodeSize).scrollIntoView())
  return true
}

export const alignColumn =
  (alignment: 'left' | 'center' | 'right' | null): Command =>
  (state, dispatch) => {
    const from = cellPlace(state)
    if (!from) return false
    const { tr } = state
    for (let row = 0; row < from.table.childCount; row++)
      tr.setNodeAttribute(cellAt(from, row, from.column), 'alignment', alignment)
    dispatch?.(tr)
    return true
  }

/** Tab goes to the next cell, and adds a row at the end. */
export const stepCell =
  (step: 1 | -1): Command =>
  (state, dispatch, view) => {
    const from = cellPlace(state)
    if (!from) return false
    const columns = from.table.child(0).childCount
    const index = from.row * columns + from.column + step
    if (index < 0) return true
    if (index >= columns * from.table.childCount) return addRow('below')(state, dispatch, view)
    const at = cellAt(from, Math.floor(index / columns), index % columns)
    dispatch?.(putIn(state.tr, at).scrollIntoView())
    return true
  }

/** Enter goes down, and leaves the table after the last row. */
export const downFromCell: Command = (state, dispatch) => {
  const from = cellPlace(state)
  if (!from) return false
  if (from.row + 1 < from.table.childCount) {
    dispatch?.(putIn(state.tr, cellAt(from, from.row + 1, from.column)).scrollIntoView())
    return true
  }
  const end = from.at + from.table.nodeSize
  const { tr } = state
  if (!tr.doc.nodeAt(end)?.isTextblock) tr.insert(end, schema.nodes.paragraph.create())
  dispatch?.(putIn(tr, end).scrollIntoView())
  return true
}
