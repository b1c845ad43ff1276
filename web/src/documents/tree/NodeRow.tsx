import { type DragEvent, memo, useRef, useState } from 'react'
import { isNew } from '../../lib/ids.ts'
import { useWrites } from '../../lib/outbox/index.ts'
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
import { AnchoredPopUp } from '../../ui/PopUp.tsx'
import { Waits } from '../../ui/Waits.tsx'
import type { TreeNode } from '../api.ts'
import css from './DocumentTree.module.css'
import type { DropZone } from './moves.ts'
import type { Row } from './tree.ts'

const INDENT_PX = 14

export interface NodeActions {
  toggle(id: string): void
  add(node: TreeNode): void
  rename(id: string): void
  renamed(node: TreeNode, title: string | undefined): void
  /** Shows what can be done, beside its button. */
  menu(node: TreeNode, beside: Element): void
  open(id: string): void
  dragStart(node: TreeNode): void
  dragEnd(): void
  dragOver(at: DropZone): void
  drop(at: DropZone): void
}

interface Props {
  href: string
  row: Extract<Row, { type: 'node' }>
  isLocked: boolean
  isCurrent: boolean
  isFocused: boolean
  isRenaming: boolean
  isDragged: boolean
  mayWrite: boolean
  dragging: boolean
  zone: DropZone['where'] | undefined
  on: NodeActions
}

/** Drawn again only if something of it changed, since there are thousands and they scroll. */
export const NodeRow = memo(function NodeRow(props: Props) {
  const { href, row, isLocked, isCurrent, isFocused, isRenaming, isDragged, mayWrite, dragging, zone, on } = props
  const { node, depth, childCount, isOpen } = row
  if (isRenaming)
    return (
      <NameField
        label={`Title of ${node.title}`}
        depth={depth}
        value={node.title}
        onDone={(title) => on.renamed(node, title)}
      />
    )
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
        on.dragStart(node)
      }}
      onDragEnd={on.dragEnd}
      onDragOver={(event) => {
        if (!dragging) return
        event.preventDefault()
        on.dragOver({ id: node.id, where: zoneOf(event) })
      }}
      onDrop={(event) => {
        event.preventDefault()
        on.drop({ id: node.id, where: zoneOf(event) })
      }}
    >
      {childCount > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={css.twist}
          aria-label={isOpen ? 'Collapse' : 'Expand'}
          onClick={() => on.toggle(node.id)}
        >
          {isOpen ? <IconChevronDown size={14} stroke={1.75} /> : <IconChevronRight size={14} stroke={1.75} />}
        </button>
      ) : (
        <IconFileText size={14} stroke={1.75} className={css.sign} />
      )}
      <a
        href={href}
        className={css.title}
        tabIndex={-1}
        draggable={false}
        title={node.title}
        aria-disabled={isNew(node) || undefined}
        onClick={(event) => {
          if (isNew(node)) event.preventDefault()
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          on.open(node.id)
        }}
        onDoubleClick={() => mayWrite && on.rename(node.id)}
      >
        {node.title}
      </a>
      {isNew(node) && <NotSaved id={node.id} />}
      {mayWrite && (
        <span className={css.tools}>
          <IconButton
            small
            label={`More about ${node.title}`}
            tabIndex={-1}
            aria-haspopup="menu"
            onClick={(event) => on.menu(node, event.currentTarget)}
          >
            <IconDots size={14} stroke={1.75} />
          </IconButton>
          {!isLocked && (
            <IconButton
              small
              className={css.add}
              label={`New below ${node.title}`}
              tabIndex={-1}
              onClick={() => on.add(node)}
            >
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
})

const NotSaved = ({ id }: { id: string }) => <Waits write={useWrites(id)[0]}>waits</Waits>

interface MenuProps {
  isLocked: boolean
  anchor: DOMRect
  onClose(): void
  onPick(action: 'add' | 'rename' | 'move' | 'remove'): void
}

/** What can be done with a document. One menu for the whole tree. */
export function NodeMenu({ isLocked, anchor, onClose, onPick }: MenuProps) {
  const options = [
    ...(isLocked ? [] : [{ value: 'add', label: 'New document below', icon: <IconPlus size={15} /> }]),
    { value: 'rename', label: 'Rename', icon: <IconPencil size={15} /> },
    ...(isLocked ? [] : [{ value: 'move', label: 'Move to…', icon: <IconArrowRight size={15} /> }]),
    { value: 'remove', label: 'Delete…', icon: <IconTrash size={15} />, divided: true },
  ]
  return (
    <AnchoredPopUp anchor={anchor} onClose={onClose}>
      <Pick
        options={options}
        selected={[]}
        onPick={(value) => {
          onClose()
          onPick(value as 'add')
        }}
      />
    </AnchoredPopUp>
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
  // Removing the field takes the focus from it, before the next drawing.
  const isOver = useRef(false)
  const finish = (title: string | undefined) => {
    if (isOver.current) return
    isOver.current = true
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
