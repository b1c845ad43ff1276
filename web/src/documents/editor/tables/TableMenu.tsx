import type { Command } from 'prosemirror-state'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconColumnInsertRight,
  IconColumnRemove,
  IconRowInsertBottom,
  IconRowRemove,
  IconTrash,
} from '../../../ui/icons.ts'
import { type Editor, useShown } from '../create-editor.ts'
import css from '../menus.module.css'
import { addColumn, addRow, alignColumn, removeColumn, removeRow, removeTable } from './commands.ts'
import { cellPlace } from './grid.ts'

/** The tools for the table at the cursor. */
export function TableMenu({ editor }: { editor: Editor }) {
  const isShown = useShown(editor, () => cellPlace(editor.view.state) !== undefined)
  if (!isShown) return null
  const { view } = editor
  const cell = cellPlace(view.state)
  if (!cell || !view.hasFocus() || !view.state.selection.empty) return null
  const dom = view.nodeDOM(cell.at)
  if (!(dom instanceof HTMLElement)) return null
  const box = dom.getBoundingClientRect()
  if (box.bottom < 110 || box.top > innerHeight) return null
  const alignment = cell.table.child(0).maybeChild(cell.column)?.attrs.alignment
  const tool = (label: string, command: Command, sign: ReactNode, on?: boolean) => (
    <IconButton
      key={label}
      label={label}
      aria-pressed={on}
      className={css.tool}
      disabled={!command(view.state)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        command(view.state, view.dispatch, view)
        view.focus()
      }}
    >
      {sign}
    </IconButton>
  )
  const align = (to: 'left' | 'center' | 'right', sign: ReactNode) =>
    tool(`Align ${to}`, alignColumn(alignment === to ? null : to), sign, alignment === to)
  return (
    <div
      className={css.bubble}
      style={{ left: box.left, top: Math.max(100, box.top - 42) }}
      role="toolbar"
      aria-label="Table"
    >
      {tool('Add a row below', addRow('below'), <IconRowInsertBottom size={16} />)}
      {tool('Remove this row', removeRow, <IconRowRemove size={16} />)}
      {tool('Add a column to the right', addColumn('after'), <IconColumnInsertRight size={16} />)}
      {tool('Remove this column', removeColumn, <IconColumnRemove size={16} />)}
      <span className={css.rule} />
      {align('left', <IconAlignLeft size={16} />)}
      {align('center', <IconAlignCenter size={16} />)}
      {align('right', <IconAlignRight size={16} />)}
      <span className={css.rule} />
      {tool('Remove the table', removeTable, <IconTrash size={16} />)}
    </div>
  )
}
