import type { ResolvedPos } from 'prosemirror-model'
import { type Command, Plugin, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { keyHandler } from '../bind-keys.ts'
import { schema } from '../schema.ts'
import { pasteIntoCell } from './cell-content.ts'
import { CellSelection, inSameTable } from './cell-selection.ts'
import { cellAround, cellAt, isRegular, placeOf, regular } from './grid.ts'

/**
 * Selects, replaces and pastes cells by the rules of `prosemirror-tables`. That library needs attributes for spans in
 * every cell, which a table in markdown does not have.
 */
export function tableCells(): Plugin {
  const mouse = { isSelecting: false }
  return new Plugin({
    props: {
      decorations({ doc, selection }) {
        if (!(selection instanceof CellSelection)) return null
        const cells = selection.ranges.map(({ $from }) =>
          Decoration.node($from.before(), $from.after(), { class: 'selected-cell' }),
        )
        return DecorationSet.create(doc, cells)
      },
      // While the mouse selects cells, the browser reports the text that it would select.
      createSelectionBetween: (view, $anchor, $head) =>
        mouse.isSelecting ? view.state.selection : (cellsOf($anchor, $head) ?? null),
      handleDOMEvents: {
        mousedown: (view, event) => {
          if (event.button === 0 && !event.ctrlKey && !event.metaKey) followMouse(view, event, mouse)
          return false
        },
        dragstart: (view, event) => {
          if (!(view.state.selection instanceof CellSelection)) return false
          event.preventDefault()
          return true
        },
      },
      handleKeyDown: keyHandler('cells', {
        ArrowUp: moving(UP),
        ArrowDown: moving(DOWN),
        ArrowLeft: moving(LEFT),
        ArrowRight: moving(RIGHT),
        'Shift-ArrowUp': moving(UP, 'selecting'),
        'Shift-ArrowDown': moving(DOWN, 'selecting'),
        'Shift-ArrowLeft': moving(LEFT, 'selecting'),
        'Shift-ArrowRight': moving(RIGHT, 'selecting'),
      }),
      handlePaste: (view, _event, slice) => {
        const tr = view.editable ? pasteIntoCell(view.state, slice) : undefined
        if (tr) view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
        return tr !== undefined
      },
      handleDrop: (view, event, slice, isMoved) => {
        const pos = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        // What is moved inside of the text has to be taken away as well, which the editor does itself.
        if (pos === undefined || isMoved || slice.size === 0) return false
        const tr = pasteIntoCell(view.state, slice, view.state.doc.resolve(pos))
        if (tr) view.dispatch(tr.setMeta('uiEvent', 'drop'))
        return tr !== undefined
      },
    },
    appendTransaction(transactions, _before, { tr, selection }) {
      const typed = transactions.filter((one) => one.docChanged && one.getMeta(ySyncPluginKey) === undefined)
      if (typed.length > 0) repairTables(tr, transactions)
      const cells = selection instanceof TextSelection && cellsOf(selection.$anchor, selection.$head)
      if (cells && !tr.docChanged) tr.setSelection(cells)
      return tr.docChanged || tr.selectionSet ? tr : null
    },
  })
}

/** The cells between two places in different cells of one table. */
function cellsOf($anchor: ResolvedPos, $head: ResolvedPos): CellSelection | undefined {
  const [$from, $to] = [cellAround($anchor), cellAround($head)]
  return $from && $to && $from.pos !== $to.pos && inSameTable($from, $to) ? new CellSelection($from, $to) : undefined
}

/** Gives a table that was edited by a selection reaching into it its missing cells back. */
function repairTables(tr: Transaction, transactions: readonly Transaction[]): void {
  const tables = new Set<number>()
  const { doc } = tr
  transactions.forEach(({ mapping }, at) => {
    const later = transactions.slice(at + 1)
    mapping.maps.forEach((map, step) => {
      map.forEach((_from, _to, start, end) => {
        const through = (pos: number, side: number) =>
          later.reduce((now, one) => one.mapping.map(now, side), mapping.slice(step + 1).map(pos, side))
        const [from, to] = [through(start, -1), through(end, 1)]
        doc.nodesBetween(Math.max(0, from - 1), Math.min(doc.content.size, to + 1), (node, pos) => {
          if (node.type === schema.nodes.table && !isRegular(node)) tables.add(pos)
          return !node.inlineContent
        })
      })
    })
  })
  for (const pos of [...tables].sort((a, b) => b - a)) {
    const table = doc.nodeAt(pos)!
    tr.replaceWith(pos, pos + table.nodeSize, regular(table))
  }
  if (tables.size > 0) tr.setSelection(Selection.near(tr.doc.resolve(Math.min(tr.selection.from, tr.doc.content.size))))
}

interface Direction {
  rows: number
  columns: number
  side: 'up' | 'down' | 'left' | 'right'
}

const UP: Direction = { rows: -1, columns: 0, side: 'up' }
const DOWN: Direction = { rows: 1, columns: 0, side: 'down' }
const LEFT: Direction = { rows: 0, columns: -1, side: 'left' }
const RIGHT: Direction = { rows: 0, columns: 1, side: 'right' }

function moving(by: Direction, how?: 'selecting'): Command {
  return (_state, _dispatch, view) => view !== undefined && move(view, by, how === 'selecting')
}

/** Shift and an arrow select more cells. Up and down go to the next row, and an arrow alone from cells back to text. */
function move(view: EditorView, by: Direction, isSelecting: boolean): boolean {
  const { selection, doc, tr } = view.state
  const isOverCells = selection instanceof CellSelection
  const goInto = (cell: number) => {
    view.dispatch(tr.setSelection(Selection.near(doc.resolve(cell + 1))).scrollIntoView())
    return true
  }
  if (isOverCells && !isSelecting) return goInto(selection.$headCell.pos)
  const $anchor = isOverCells ? selection.$anchorCell : cellAround(selection.$anchor)
  const $head = isOverCells ? selection.$headCell : cellAround(selection.$head)
  if (!$anchor || !$head || (!isOverCells && !isAtEdge(view, by))) return false
  const head = placeOf($head)
  const column = head.column + by.columns
  if (!head.table.maybeChild(head.row + by.rows)?.maybeChild(column)) return isOverCells
  const next = cellAt(head, head.row + by.rows, column)
  if (!isSelecting) return by.rows !== 0 && selection.empty && goInto(next)
  view.dispatch(tr.setSelection(new CellSelection($anchor, doc.resolve(next))).scrollIntoView())
  return true
}

function isAtEdge(view: EditorView, { rows, columns, side }: Direction): boolean {
  const { $head } = view.state.selection
  if (rows !== 0) return view.endOfTextblock(side)
  return $head.parentOffset === (columns < 0 ? 0 : $head.parent.content.size)
}

/** While the mouse is in the first cell, the browser selects text. From the next cell on, cells are selected. */
function followMouse(view: EditorView, start: MouseEvent, mouse: { isSelecting: boolean }): void {
  const cellUnder = ({ clientX, clientY }: MouseEvent) => {
    const found = view.posAtCoords({ left: clientX, top: clientY })
    if (!found) return undefined
    const inside = found.inside >= 0 ? cellAround(view.state.doc.resolve(found.inside)) : undefined
    return inside ?? cellAround(view.state.doc.resolve(found.pos))
  }
  const { selection } = view.state
  const $held = start.shiftKey
    ? selection instanceof CellSelection
      ? selection.$anchorCell
      : cellAround(selection.$anchor)
    : undefined
  const $first = $held ?? cellUnder(start)
  if (!$first) return
  const select = (event: MouseEvent) => {
    const $over = cellUnder(event)
    const { doc, tr, selection } = view.state
    // What others write moves the selection along.
    const isOurs = mouse.isSelecting && selection instanceof CellSelection
    const $anchor = isOurs ? selection.$anchorCell : cellAround(doc.resolve(Math.min($first.pos, doc.content.size)))
    if (!$over || !$anchor || !inSameTable($anchor, $over)) return
    if ($anchor.pos === $over.pos && !mouse.isSelecting) return
    mouse.isSelecting = true
    event.preventDefault()
    const next = new CellSelection($anchor, $over)
    if (!selection.eq(next)) view.dispatch(tr.setSelection(next))
  }
  const stop = () => {
    mouse.isSelecting = false
    view.root.removeEventListener('mousemove', select as EventListener)
    view.root.removeEventListener('mouseup', stop)
  }
  if (start.shiftKey) select(start)
  view.root.addEventListener('mousemove', select as EventListener)
  view.root.addEventListener('mouseup', stop)
}
