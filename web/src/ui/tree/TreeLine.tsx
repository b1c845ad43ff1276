import type { DragEvent, ReactNode } from 'react'
import { IconChevronDown, IconChevronRight } from '../icons.ts'
import css from './Tree.module.css'
import type { DropZone, LineState, NodeRow } from './tree-row.ts'

const INDENT_PX = 14
export const indentOf = (depth: number) => ({ paddingLeft: 8 + depth * INDENT_PX })

interface Props extends LineState {
  row: NodeRow
  /** Nothing can be opened that has no address. */
  href: string | undefined
  icon: ReactNode
  mayChange: boolean
  /** The icon stands beside the arrow that opens the line, too. */
  withIcon?: boolean
  /** Something can be dropped only in it, not before or after it. */
  onlyInside?: boolean
  on: { toggle(id: string): void; open(id: string): void; rename(id: string): void }
  /** Buttons that show when the pointer is on the line. */
  tools?: ReactNode
  /** What stands at its end. */
  children?: ReactNode
}

export function TreeLine(props: Props) {
  const { row, href, icon, mayChange, withIcon = false, onlyInside = false, on, tools, children } = props
  const { isCurrent, isFocused, isDragged, dragging, zone, drag } = props
  const { id, title, depth, childCount, isOpen } = row
  return (
    <div
      id={`node-${id}`}
      className={css.node}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 2}
      aria-selected={isCurrent}
      aria-expanded={childCount > 0 ? isOpen : undefined}
      aria-label={title}
      data-current={isCurrent || undefined}
      data-focused={isFocused || undefined}
      data-dragged={isDragged || undefined}
      data-zone={zone}
      style={indentOf(depth)}
      draggable={mayChange}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', title)
        drag.start(id)
      }}
      onDragEnd={drag.end}
      onDragOver={(event) => {
        if (!dragging) return
        event.preventDefault()
        drag.over({ id, where: onlyInside ? 'inside' : zoneOf(event) })
      }}
      onDrop={(event) => {
        event.preventDefault()
        drag.drop({ id, where: onlyInside ? 'inside' : zoneOf(event) })
      }}
    >
      {childCount > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={css.twist}
          aria-label={isOpen ? 'Collapse' : 'Expand'}
          onClick={() => on.toggle(id)}
        >
          {isOpen ? <IconChevronDown size={14} stroke={1.75} /> : <IconChevronRight size={14} stroke={1.75} />}
        </button>
      ) : (
        <span className={css.sign}>{!withIcon && icon}</span>
      )}
      {withIcon && <span className={css.sign}>{icon}</span>}
      <a
        href={href}
        className={css.title}
        tabIndex={-1}
        draggable={false}
        title={title}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          on.open(id)
        }}
        onDoubleClick={() => mayChange && on.rename(id)}
      >
        {title}
      </a>
      {mayChange && tools && <span className={css.tools}>{tools}</span>}
      {children}
    </div>
  )
}

/** The upper and the lower quarter of a line mean before and after it, the middle means below it. */
function zoneOf(event: DragEvent): DropZone['where'] {
  const box = event.currentTarget.getBoundingClientRect()
  const at = (event.clientY - box.top) / box.height
  return at < 0.28 ? 'before' : at > 0.72 ? 'after' : 'inside'
}
