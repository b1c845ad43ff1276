import type { ReactNode } from 'react'
import { IconChevronDown, IconChevronRight } from '../icons.ts'
import css from './Tree.module.css'
import type { GroupRow, LineState } from './tree-row.ts'

interface Props extends LineState {
  row: GroupRow
  onToggle(): void
  /** What stands at its end. */
  children?: ReactNode
}

/** The head of a group of lines. */
export function TreeGroup({ row, isFocused, dragging, zone, drag, onToggle, children }: Props) {
  const { id, title, count, isOpen } = row
  return (
    <div
      id={`node-${id}`}
      className={css.group}
      role="treeitem"
      tabIndex={-1}
      aria-level={1}
      aria-expanded={isOpen}
      aria-label={`${title}, ${count}`}
      data-focused={isFocused || undefined}
      data-zone={zone}
      onDragOver={(event) => {
        if (!dragging) return
        event.preventDefault()
        drag.over({ id, where: 'inside' })
      }}
      onDrop={() => drag.drop({ id, where: 'inside' })}
    >
      <button type="button" tabIndex={-1} className={css.groupName} onClick={onToggle}>
        {isOpen ? <IconChevronDown size={13} stroke={1.75} /> : <IconChevronRight size={13} stroke={1.75} />}
        {title} <span className={css.count}>{count}</span>
      </button>
      {children}
    </div>
  )
}
