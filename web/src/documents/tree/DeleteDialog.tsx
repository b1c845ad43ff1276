import { Link, useNavigate } from '@tanstack/react-router'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Tree, TreeNode } from '../api.ts'
import type { Kind } from '../kind.ts'
import css from './DeleteDialog.module.css'
import { deleteDocument, whatDeleteDoes } from './deletion.ts'

interface Props {
  projectId: string
  kind: Kind
  tree: Tree
  node: TreeNode
  /** True if its page is shown. */
  isOpen: boolean
  onClose(): void
}

/** Says what a deletion takes along before it happens. */
export function DeleteDialog({ projectId, kind, tree, node, isOpen, onClose }: Props) {
  const navigate = useNavigate()
  const isLocked = tree.groups.find(({ id }) => id === node.group_id)!.locked
  if (isLocked)
    return (
      <Dialog label={`Delete ${node.title}`} width={420} onClose={onClose}>
        <div className={css.body}>
          <h2>“{node.title}” follows its feature</h2>
          <p>A feature blueprint is deleted with its requirement, not on its own.</p>
          <div className={css.actions}>
            <Button onClick={onClose}>Cancel</Button>
            <Link
              className={css.go}
              to="/p/$projectId/requirements/$documentId"
              params={{ projectId, documentId: node.feature_id! }}
              onClick={onClose}
            >
              Open the requirement
            </Link>
          </div>
        </div>
      </Dialog>
    )
  const remove = () => {
    deleteDocument(projectId, kind, node)
    onClose()
    const next = node.parent_id ?? tree.nodes.find((one) => one.group_id === node.group_id && one.id !== node.id)?.id
    if (!isOpen) return
    if (next) void navigate({ to: `/p/$projectId/${kind}/$documentId`, params: { projectId, documentId: next } })
    else void navigate({ to: `/p/$projectId/${kind}`, params: { projectId } })
  }
  return (
    <Dialog label={`Delete ${node.title}`} width={420} onClose={onClose}>
      <div className={css.body}>
        <h2>Delete “{node.title}”?</h2>
        <p>{whatDeleteDoes(kind, tree, node)}</p>
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button className={css.danger} onClick={remove} data-autofocus>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
