import { IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronRight, IconLock, IconPlus } from '../../ui/icons.ts'
import { groupTitle } from '../kind.ts'
import css from './DocumentTree.module.css'
import type { Row } from './tree.ts'

interface Props {
  row: Extract<Row, { type: 'group' }>
  isFocused: boolean
  mayWrite: boolean
  isTarget: boolean
  dragging: boolean
  onToggle(): void
  onAdd(): void
  onDragOver(): void
  onDrop(): void
}

export function GroupRow(props: Props) {
  const { row, isFocused, mayWrite, isTarget, dragging, onToggle, onAdd, onDragOver, onDrop } = props
  const { group, count, isOpen, id } = row
  const title = groupTitle(group.name)
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
      data-zone={isTarget ? 'inside' : undefined}
      onDragOver={(event) => {
        if (!dragging) return
        event.preventDefault()
        onDragOver()
      }}
      onDrop={onDrop}
    >
      <button type="button" tabIndex={-1} className={css.groupName} onClick={onToggle}>
        {isOpen ? <IconChevronDown size={13} stroke={1.75} /> : <IconChevronRight size={13} stroke={1.75} />}
        {title} <span className={css.count}>{count}</span>
      </button>
      {group.locked ? (
        <span className={css.lock} title="These follow the features. Create and delete the requirement instead.">
          <IconLock size={14} stroke={1.75} aria-label="Locked: these follow the features" />
        </span>
      ) : (
        mayWrite && (
          <IconButton small label={`New in ${title}`} tabIndex={-1} onClick={onAdd}>
            <IconPlus size={15} stroke={1.75} />
          </IconButton>
        )
      )}
    </div>
  )
}
