import type { Node } from 'prosemirror-model'
import { type Command, TextSelection, type Transaction } from 'prosemirror-state'
import { passNeighbor } from '../blocks/commands.ts'
import { schema } from '../schema.ts'
import { cellBreak } from './cell-content.ts'
import { cellAround, cellAt, cellPlace, rowAt } from './grid.ts'

const { table, table_row, table_header, table_cell } = schema.nodes

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
    const cell = from.table.child(row).maybeChild(from.column)
    if (cell) tr.delete(at, at + cell.nodeSize)
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Exchanges a row with the one above or below it. The header stays the first. */
export const moveRow =
  (step: 1 | -1): Command =>
  (state, dispatch) => {
    const from = cellPlace(state)
    if (!from || from.row === 0 || from.row + step < 1 || from.row + step >= from.table.childCount) return false
    const { tr, selection } = state
    const other = from.table.child(from.row + step)
    passNeighbor(tr, { at: rowAt(from, from.row), node: from.table.child(from.row) }, other, step)
    const moved = selection.head + step * other.nodeSize
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, moved)).scrollIntoView())
    return true
  }

export const moveColumn =
  (step: 1 | -1): Command =>
  (state, dispatch) => {
    const from = cellPlace(state)
    const width = from?.table.firstChild?.childCount ?? 0
    if (!from || from.column + step < 0 || from.column + step >= width) return false
    const { tr, selection } = state
    const moves = from.table.children.flatMap((cells, row) => {
      const [cell, other] = [cells.maybeChild(from.column), cells.maybeChild(from.column + step)]
      return cell && other ? [{ at: cellAt(from, row, from.column), cell, other }] : []
    })
    // The neighbors are taken out of all rows before any is put in: see `exact-removal.ts`.
    for (const { at, cell, other } of moves.toReversed()) {
      const place = step < 0 ? at - other.nodeSize : at + cell.nodeSize
      tr.delete(place, place + other.nodeSize)
    }
    for (const { at, cell, other } of moves) tr.insert(tr.mapping.map(step < 0 ? at + cell.nodeSize : at, -1), other)
    const passed = from.table.child(from.row).child(from.column + step).nodeSize
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, selection.head + step * passed)).scrollIntoView())
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
      if (from.table.child(row).maybeChild(from.column))
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
    const cells = from.table.children.flatMap((row, at) => row.children.map((_, column) => cellAt(from, at, column)))
    const to = cells.indexOf(cellAt(from, from.row, from.column)) + step
    if (to < 0) return true
    if (to >= cells.length) return addRow('below')(state, dispatch, view)
    dispatch?.(putIn(state.tr, cells[to]!).scrollIntoView())
    return true
  }

/** Enter goes down, and leaves the table after the last row. */
export const downFromCell: Command = (state, dispatch) => {
  const from = cellPlace(state)
  if (!from) return false
  if (from.row + 1 < from.table.childCount) {
    const column = Math.min(from.column, from.table.child(from.row + 1).childCount - 1)
    dispatch?.(putIn(state.tr, cellAt(from, from.row + 1, column)).scrollIntoView())
    return true
  }
  const end = from.at + from.table.nodeSize
  const { tr } = state
  if (!tr.doc.nodeAt(end)?.isTextblock) tr.insert(end, schema.nodes.paragraph.create())
  dispatch?.(putIn(tr, end).scrollIntoView())
  return true
}

export const breakInCell: Command = (state, dispatch) => {
  if (!cellAround(state.selection.$from)) return false
  dispatch?.(state.tr.replaceSelectionWith(cellBreak(), false).scrollIntoView())
  return true
}
