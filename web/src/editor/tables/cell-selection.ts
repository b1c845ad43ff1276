import { Fragment, type Node, type ResolvedPos, Slice } from 'prosemirror-model'
import { Selection, SelectionRange, TextSelection, type Transaction } from 'prosemirror-state'
import type { Mappable } from 'prosemirror-transform'
import { schema } from '../schema.ts'
import { cellAt, isCell, placeOf, regular } from './grid.ts'

const { table, table_row } = schema.nodes

/**
 * A rectangle of cells, as `prosemirror-tables` selects them. Its ranges are what the cells contain, so whatever replaces
 * the selection clears cells and never removes them.
 */
export class CellSelection extends Selection {
  readonly $anchorCell: ResolvedPos
  readonly $headCell: ResolvedPos

  constructor($anchorCell: ResolvedPos, $headCell = $anchorCell) {
    const { doc } = $anchorCell
    const ranges = rowsBetween($anchorCell, $headCell)
      .flat()
      .map((pos) => {
        const start = pos + 1
        return new SelectionRange(doc.resolve(start), doc.resolve(start + doc.nodeAt(pos)!.content.size))
      })
    // The browser's own selection is where the mouse is, or it would begin to drag what it has selected.
    const head = ranges.find(({ $from }) => $from.before() === $headCell.pos) ?? ranges[0]!
    super(head.$from, head.$to, ranges)
    this.$anchorCell = $anchorCell
    this.$headCell = $headCell
    this.visible = false
  }

  map(doc: Node, mapping: Mappable): Selection {
    const $anchor = doc.resolve(mapping.map(this.$anchorCell.pos))
    const $head = doc.resolve(mapping.map(this.$headCell.pos))
    return isBeforeCell($anchor) && isBeforeCell($head) && inSameTable($anchor, $head)
      ? new CellSelection($anchor, $head)
      : TextSelection.near($head)
  }

  override content(): Slice {
    const { doc } = this.$anchorCell
    const copied = rowsBetween(this.$anchorCell, this.$headCell).map((cells) =>
      table_row.create(
        null,
        cells.map((pos) => doc.nodeAt(pos)!),
      ),
    )
    return new Slice(Fragment.from(regular(table.create(null, copied))), 0, 0)
  }

  override replace(tr: Transaction, content = Slice.empty): void {
    const from = tr.steps.length
    this.ranges.forEach(({ $from, $to }, at) => {
      const mapping = tr.mapping.slice(from)
      tr.replace(mapping.map($from.pos), mapping.map($to.pos), at === 0 ? content : Slice.empty)
    })
    tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.slice(from).map(this.ranges[0]!.$to.pos)), -1))
  }

  override replaceWith(tr: Transaction, node: Node): void {
    this.replace(tr, new Slice(Fragment.from(node), 0, 0))
  }

  eq(other: Selection): boolean {
    return (
      other instanceof CellSelection &&
      other.$anchorCell.pos === this.$anchorCell.pos &&
      other.$headCell.pos === this.$headCell.pos
    )
  }

  toJSON() {
    return { type: 'cell', anchor: this.$anchorCell.pos, head: this.$headCell.pos }
  }

  static override fromJSON(doc: Node, json: { anchor: number; head: number }): CellSelection {
    return new CellSelection(doc.resolve(json.anchor), doc.resolve(json.head))
  }
}

Selection.jsonID('cell', CellSelection)

const isBeforeCell = ($pos: ResolvedPos) => $pos.nodeAfter !== null && isCell($pos.nodeAfter)

export const inSameTable = ($a: ResolvedPos, $b: ResolvedPos) => $a.before(-1) === $b.before(-1)

/** The positions of the cells of the rectangle, row by row. */
function rowsBetween($anchor: ResolvedPos, $head: ResolvedPos): number[][] {
  const [a, b] = [placeOf($anchor), placeOf($head)]
  const [left, right] = [Math.min(a.column, b.column), Math.max(a.column, b.column)]
  const rows: number[][] = []
  for (let row = Math.min(a.row, b.row); row <= Math.max(a.row, b.row); row++) {
    const cells: number[] = []
    for (let column = left; column <= Math.min(right, a.table.child(row).childCount - 1); column++)
      cells.push(cellAt(a, row, column))
    if (cells.length > 0) rows.push(cells)
  }
  return rows
}
