import type { Command } from 'prosemirror-state'
import { type ReactNode, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconColumnInsertLeft,
  IconColumnInsertRight,
  IconColumnRemove,
  IconDots,
  IconRowInsertBottom,
  IconRowInsertTop,
  IconRowRemove,
  IconTrash,
} from '../../ui/icons.ts'
import { AnchoredMenu } from '../../ui/Menu.tsx'
import { type Editor, useShown } from '../create-editor.ts'
import css from '../menus.module.css'
import {
  addColumn,
  addRow,
  alignColumn,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  removeTable,
} from './commands.ts'
import { cellPlace } from './grid.ts'

const WIDTH_PX = 340
const SIZE = { size: 16, stroke: 1.75 }

const MORE: { label: string; command: Command; Icon: typeof IconDots; divided?: boolean }[] = [
  { label: 'Insert a row above', command: addRow('above'), Icon: IconRowInsertTop },
  { label: 'Insert a column to the left', command: addColumn('before'), Icon: IconColumnInsertLeft },
  { label: 'Move the row up', command: moveRow(-1), Icon: IconArrowUp, divided: true },
  { label: 'Move the row down', command: moveRow(1), Icon: IconArrowDown },
  { label: 'Move the column left', command: moveColumn(-1), Icon: IconArrowLeft, divided: true },
  { label: 'Move the column right', command: moveColumn(1), Icon: IconArrowRight },
]

/** The tools for the table at the cursor. */
export function TableMenu({ editor }: { editor: Editor }) {
  const [more, setMore] = useState<DOMRect>()
  const isShown = useShown(editor, () => cellPlace(editor.view.state) !== undefined)
  if (!isShown) return null
  const { view } = editor
  const cell = cellPlace(view.state)
  if (!cell || (!view.hasFocus() && !more) || !view.state.selection.empty) return null
  const dom = view.nodeDOM(cell.at)
  if (!(dom instanceof HTMLElement)) return null
  const box = dom.getBoundingClientRect()
  if (box.bottom < 110 || box.top > innerHeight) return null
  const close = () => {
    setMore(undefined)
    view.focus()
  }
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
      style={{ left: Math.max(8, Math.min(box.left, innerWidth - WIDTH_PX)), top: Math.max(100, box.top - 42) }}
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
      <IconButton
        label="More for this table"
        aria-haspopup="menu"
        aria-expanded={more !== undefined}
        className={css.tool}
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => setMore(currentTarget.getBoundingClientRect())}
      >
        <IconDots size={16} />
      </IconButton>
      {more && (
        <AnchoredMenu
          label="More for this table"
          anchor={more}
          onClose={close}
          options={MORE.filter(({ command }) => command(view.state)).map(({ label, Icon, divided = false }) => ({
            value: label,
            label,
            icon: <Icon {...SIZE} />,
            divided,
          }))}
          onPick={(value) => MORE.find(({ label }) => label === value)?.command(view.state, view.dispatch, view)}
        />
      )}
    </div>
  )
}
