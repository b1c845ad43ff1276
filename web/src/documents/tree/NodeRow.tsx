import { memo } from 'react'
import { isNew } from '../../lib/ids.ts'
import { useWrites } from '../../lib/outbox/index.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconArrowRight, IconDots, IconFileText, IconPencil, IconPlus, IconTrash } from '../../ui/icons.ts'
import { AnchoredMenu } from '../../ui/Menu.tsx'
import { NameField } from '../../ui/tree/NameField.tsx'
import css from '../../ui/tree/Tree.module.css'
import { TreeLine } from '../../ui/tree/TreeLine.tsx'
import type { LineState } from '../../ui/tree/tree-row.ts'
import { Waits } from '../../ui/Waits.tsx'
import type { TreeNode } from '../api.ts'
import type { NodeRow as Row } from './tree.ts'

export interface NodeActions {
  toggle(id: string): void
  open(id: string): void
  rename(id: string): void
  add(node: TreeNode): void
  renamed(node: TreeNode, title: string | undefined): void
  /** Shows what can be done, beside its button. */
  menu(node: TreeNode, beside: Element): void
}

interface Props extends LineState {
  href: string
  row: Row
  isLocked: boolean
  isRenaming: boolean
  mayWrite: boolean
  on: NodeActions
}

export const DOCUMENT_SIGN = <IconFileText size={14} stroke={1.75} />

/** Drawn again only if something of it changed, since there are thousands and they scroll. */
export const NodeRow = memo(function NodeRow({ href, row, isLocked, isRenaming, mayWrite, on, ...line }: Props) {
  const { node, depth } = row
  if (isRenaming)
    return (
      <NameField
        label={`Title of ${node.title}`}
        icon={DOCUMENT_SIGN}
        depth={depth}
        value={node.title}
        onDone={(title, before) => on.renamed({ ...node, title: before }, title)}
      />
    )
  const tools = (
    <>
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
    </>
  )
  return (
    <TreeLine
      {...line}
      row={row}
      href={isNew(node) ? undefined : href}
      icon={DOCUMENT_SIGN}
      mayChange={mayWrite}
      on={on}
      tools={tools}
    >
      {isNew(node) && <NotSaved id={node.id} />}
      {node.suggestion_count > 0 && (
        <span className={css.badge} title={`${node.suggestion_count} open suggestions`}>
          {node.suggestion_count}
        </span>
      )}
    </TreeLine>
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
    <AnchoredMenu
      label="More about the document"
      anchor={anchor}
      options={options}
      onClose={onClose}
      onPick={(value) => onPick(value as 'add')}
    />
  )
}
