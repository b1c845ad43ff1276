import { Link } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import {
  IconArrowRight,
  IconChevronDown,
  IconChevronRight,
  IconDots,
  IconFileText,
  IconPencil,
  IconPlus,
  IconTrash,
} from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import type { Kind } from '../kind.ts'
import css from './DocumentTree.module.css'
import type { DropZone } from './moves.ts'
import type { Row } from './tree.ts'

const INDENT_PX = 14

interface Props {
  kind: Kind
  projectId: string
  row: Extract<Row, { type: 'node' }>
  isLocked: boolean
  isCurrent: boolean
  isFocused: boolean
  isRenaming: boolean
  isDragged: boolean
  mayWrite: boolean
  dragging: boolean
  zone: DropZone['where'] | undefined
  onToggle(): void
  onAdd(): void
  onRename(): void
  onRenamed(title: string | undefined): void
  onDelete(): void
  onMove(): void
  onDragStart(): void
  onDragEnd(): void
  onDragOver(where: DropZone['where']): void
  onDrop(where: DropZone['where']): void
}

export function NodeRow(props: Props) {
  const { kind, projectId, row, isLocked, isCurrent, isFocused, isRenaming, isDragged, mayWrite, dragging, zone } =
    props
  const { node, depth, childCount, isOpen } = row
  if (isRenaming)
    return <NameField label={`Title of ${node.title}`} depth={depth} value={node.title} onDone={props.onRenamed} />
  return (
    <div
      id={`node-${node.id}`}
      className={css.node}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 2}
      aria-selected={isCurrent}
      aria-expanded={childCount > 0 ? isOpen : undefined}
      aria-label={node.title}
      data-current={isCurrent || undefined}
      data-focused={isFocused || undefined}
      data-dragged={isDragged || undefined}
      data-zone={zone}
      style={{ paddingLeft: 8 + depth * INDENT_PX }}
      draggable={mayWrite}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', node.title)
        props.onDragStart()
      }}
      onDragEnd={props.onDragEnd}
      onDragOver={(event) => {
        if (!dragging) return
        event.preventDefault()
        props.onDragOver(zoneOf(event))
      }}
      onDrop={(event) => {
        event.preventDefault()
        props.onDrop(zoneOf(event))
      }}
    >
      {childCount > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={css.twist}
          aria-label={isOpen ? 'Collapse' : 'Expand'}
          onClick={props.onToggle}
        >
          {isOpen ? <IconChevronDown size={14} stroke={1.75} /> : <IconChevronRight size={14} stroke={1.75} />}
        </button>
      ) : (
        <IconFileText size={14} stroke={1.75} className={css.sign} />
      )}
      <Link
        to={`/p/$projectId/${kind}/$documentId`}
        params={{ projectId, documentId: node.id }}
        className={css.title}
        tabIndex={-1}
        draggable={false}
        title={node.title}
        onDoubleClick={() => mayWrite && props.onRename()}
      >
        {node.title}
      </Link>
      {mayWrite && (
        <span className={css.tools}>
          <NodeMenu {...props} />
          {!isLocked && (
            <IconButton small label={`New below ${node.title}`} tabIndex={-1} onClick={props.onAdd}>
              <IconPlus size={14} stroke={1.75} />
            </IconButton>
          )}
        </span>
      )}
      {node.suggestion_count > 0 && (
        <span className={css.badge} title={`${node.suggestion_count} open suggestions`}>
          {node.suggestion_count}
        </span>
      )}
    </div>
  )
}

function NodeMenu({ row, isLocked, onAdd, onRename, onMove, onDelete }: Props) {
  const actions: Record<string, () => void> = {
    add: onAdd,
    rename: onRename,
    move: onMove,
    remove: onDelete,
  }
  const options = [
    ...(isLocked ? [] : [{ value: 'add', label: 'New document below', icon: <IconPlus size={15} /> }]),
    { value: 'rename', label: 'Rename', icon: <IconPencil size={15} /> },
    ...(isLocked ? [] : [{ value: 'move', label: 'Move to…', icon: <IconArrowRight size={15} /> }]),
    { value: 'remove', label: 'Delete…', icon: <IconTrash size={15} />, divided: true },
  ]
  return (
    <PopUp
      target={({ toggle, open }) => (
        <IconButton
          small
          label={`More about ${row.node.title}`}
          tabIndex={-1}
          aria-expanded={open}
          onClick={toggle}
          data-open={open || undefined}
        >
          <IconDots size={14} stroke={1.75} />
        </IconButton>
      )}
    >
      {(close) => (
        <Pick
          options={options}
          selected={[]}
          onPick={(value) => {
            // What opens next takes the focus.
            close({ keepFocus: value !== 'remove' })
            actions[value]?.()
          }}
        />
      )}
    </PopUp>
  )
}

/** The upper and the lower quarter of a line mean before and after it, the middle means below it. */
function zoneOf(event: DragEvent): DropZone['where'] {
  const box = event.currentTarget.getBoundingClientRect()
  const at = (event.clientY - box.top) / box.height
  return at < 0.28 ? 'before' : at > 0.72 ? 'after' : 'inside'
}

interface NameProps {
  label: string
  depth: number
  value: string
  /** Called with nothing if it is given up. */
  onDone(title: string | undefined): void
}

export function NameField({ label, depth, value, onDone }: NameProps) {
  const [text, setText] = useState(value)
  const [isOver, setOver] = useState(false)
  const finish = (title: string | undefined) => {
    if (isOver) return
    setOver(true)
    onDone(title?.trim() || undefined)
  }
  return (
    <div className={css.node} style={{ paddingLeft: 8 + depth * INDENT_PX }} data-naming>
      <IconFileText size={14} stroke={1.75} className={css.sign} />
      <input
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus
        className={css.field}
        aria-label={label}
        placeholder="Title"
        maxLength={500}
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => finish(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(text)
          else if (event.key === 'Escape') finish(undefined)
          event.stopPropagation()
        }}
      />
    </div>
  )
}
