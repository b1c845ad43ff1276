import type { TreeNode } from '../api.ts'
import type { Row } from './tree.ts'

interface Tree {
  rows: Row[]
  /** The line that the keys act on, or -1. */
  at: number
  mayWrite: boolean
  focus(at: number): void
  toggle(id: string): void
  toggleGroup(id: string): void
  open(id: string): void
  rename(id: string): void
  remove(node: TreeNode): void
  move(node: TreeNode, arrow: string): void
}

/** The keys of a tree. Returns false for a key that means nothing here. */
export function pressInTree({ key, altKey }: { key: string; altKey: boolean }, tree: Tree): boolean {
  const { rows, at } = tree
  const row = rows[at]
  if (altKey && row?.type === 'node' && tree.mayWrite && key.startsWith('Arrow')) tree.move(row.node, key)
  else if (key === 'ArrowDown') focus(at + 1)
  else if (key === 'ArrowUp') focus(at - 1)
  else if (key === 'Home') focus(0)
  else if (key === 'End') focus(rows.length - 1)
  else if (row?.type === 'node') return pressOnNode(row)
  else if (row?.type === 'group') return pressOnGroup(row)
  else return false
  return true

  function pressOnNode({ id, node, isOpen, childCount }: Row & { type: 'node' }): boolean {
    if (key === 'ArrowRight' && childCount > 0) isOpen ? focus(at + 1) : tree.toggle(id)
    else if (key === 'ArrowLeft' && isOpen) tree.toggle(id)
    else if (key === 'ArrowLeft') focus(rows.findIndex((one) => one.id === (node.parent_id ?? node.group_id)))
    else if (key === 'Enter' || key === ' ') tree.open(id)
    else if (key === 'F2' && tree.mayWrite) tree.rename(id)
    else if (key === 'Delete' && tree.mayWrite) tree.remove(node)
    else return false
    return true
  }

  function pressOnGroup({ id, isOpen }: Row & { type: 'group' }): boolean {
    if (key === 'ArrowRight') isOpen ? focus(at + 1) : tree.toggleGroup(id)
    else if (key === 'ArrowLeft' && isOpen) tree.toggleGroup(id)
    else if (key === 'Enter' || key === ' ') tree.toggleGroup(id)
    else return false
    return true
  }

  function focus(next: number): void {
    if (rows.length > 0) tree.focus(Math.max(0, Math.min(rows.length - 1, next)))
  }
}
