import { Fragment, type Node, type ResolvedPos, type Slice } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { schema } from '../schema.ts'
import { CellSelection } from './cell-selection.ts'
import { cellAround, cellAt, placeOf, widthOf } from './grid.ts'

const { nodes } = schema

/** A line break in a cell. Markdown has no other there. */
export const cellBreak = () => nodes.html_inline.create({ html: '<br>' })

/** The text of blocks as a cell can hold it: in one line, with a break where a block ends. */
export function inlineOf(content: Fragment): Fragment {
  const lines: Node[][] = [[]]
  const add = (node: Node) => {
    if (node.type === nodes.hard_break) lines.push([])
    else if (node.type === nodes.soft_break) lines.at(-1)!.push(schema.text(' '))
    else if (node.isText && node.text!.includes('\n'))
      node.text!.split('\n').forEach((text, at) => {
        if (at > 0) lines.push([])
        if (text) lines.at(-1)!.push(schema.text(text, node.marks))
      })
    else lines.at(-1)!.push(node)
  }
  const read = (node: Node) => {
    if (node.isInline) {
      add(node)
      return
    }
    if (lines.at(-1)!.length > 0) lines.push([])
    const source = node.isLeaf && (node.attrs.source ?? node.attrs.html)
    if (source) add(schema.text(String(source)))
    node.forEach(read)
  }
  content.forEach(read)
  const full = lines.filter((line) => line.length > 0)
  return Fragment.from(full.flatMap((line, at) => (at === 0 ? line : [cellBreak(), ...line])))
}

/** The only table of a slice. */
function tableOf({ content }: Slice): Node | undefined {
  let only = content.childCount === 1 ? content.firstChild! : undefined
  if (only?.type === nodes.table_row || (only && /^table_(cell|header)$/.test(only.type.name))) {
    const row = only.type === nodes.table_row ? only : nodes.table_row.create(null, only)
    only = nodes.table.create(null, row)
  } else if (content.childCount > 1 && content.content.every(({ type }) => type === nodes.table_row))
    only = nodes.table.create(null, content)
  return only?.type === nodes.table ? only : undefined
}

/**
 * Pastes into a cell: the cells of a table one by one, into a table that grows to hold them, and everything else as the
 * text of the cell. Undefined if the place is not in a cell.
 */
export function pasteIntoCell(state: EditorState, slice: Slice, $at?: ResolvedPos): Transaction | undefined {
  const { selection } = state
  const isOverCells = !$at && selection instanceof CellSelection
  const $cell = isOverCells
    ? state.doc.resolve(selection.ranges[0]!.$from.before())
    : cellAround($at ?? selection.$from)
  if (!$cell) return undefined
  const pasted = tableOf(slice)
  if (pasted) return pasteCells(state, $cell, pasted)
  // A selection that ends outside of the cell is replaced as everywhere.
  if (!$at && !isOverCells && cellAround(selection.$to)?.pos !== $cell.pos) return undefined
  const inline = inlineOf(slice.content)
  const { tr } = state
  if (isOverCells) return tr.deleteSelection().insert($cell.pos + 1, inline)
  return $at ? tr.insert($at.pos, inline) : tr.replaceWith(selection.from, selection.to, inline)
}

/** Only what differs is written: from the last cell to the first, so that no place moves before its turn. */
function pasteCells(state: EditorState, $cell: ResolvedPos, pasted: Node): Transaction {
  const place = placeOf($cell)
  const { table } = place
  const { tr } = state
  const width = Math.max(widthOf(table), place.column + widthOf(pasted))
  const contentAt = (row: number, column: number) => {
    const cell = pasted.maybeChild(row - place.row)?.maybeChild(column - place.column)
    return cell && inlineOf(cell.content)
  }
  const fresh = (row: number, from: number) =>
    Array.from({ length: width - from }, (_, at) =>
      (row === 0 ? nodes.table_header : nodes.table_cell).create(
        { alignment: table.child(0).maybeChild(from + at)?.attrs.alignment ?? null },
        contentAt(row, from + at),
      ),
    )
  const missing = Math.max(0, place.row + pasted.childCount - table.childCount)
  const added = Array.from({ length: missing }, (_, at) =>
    nodes.table_row.create(null, fresh(table.childCount + at, 0)),
  )
  if (added.length > 0) tr.insert(place.at + table.nodeSize - 1, added)
  for (let row = table.childCount - 1; row >= 0; row--) {
    const cells = table.child(row)
    if (cells.childCount < width) tr.insert(cellAt(place, row, cells.childCount), fresh(row, cells.childCount))
    for (let column = cells.childCount - 1; column >= 0; column--) {
      const content = contentAt(row, column)
      const start = cellAt(place, row, column) + 1
      if (content) tr.replaceWith(start, start + cells.child(column).content.size, content)
    }
  }
  const last = { table: tr.doc.nodeAt(place.at)!, at: place.at }
  const end = cellAt(last, place.row + pasted.childCount - 1, place.column + pasted.lastChild!.childCount - 1)
  return tr.setSelection(TextSelection.near(tr.doc.resolve(end + tr.doc.nodeAt(end)!.nodeSize - 1), -1))
}
