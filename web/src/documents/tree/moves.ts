import type { Tree, TreeNode } from '../api.ts'
import { childrenByParent, type Place, placeOf } from './tree.ts'

export interface DropZone {
  /** A document or a group. */
  id: string
  where: 'before' | 'inside' | 'after'
}

const siblingsOf = (tree: Tree, parent: string, moving: TreeNode) =>
  (childrenByParent(tree.nodes).get(parent) ?? []).filter(({ id }) => id !== moving.id)

/** Where a document goes if it is dropped here. */
export function placeAt(tree: Tree, moving: TreeNode, { id, where }: DropZone): Place | undefined {
  if (id === moving.id) return undefined
  const target = tree.nodes.find((node) => node.id === id)
  if (!target) return { groupId: id, parentId: null, position: siblingsOf(tree, id, moving).length }
  if (where === 'inside')
    return { groupId: target.group_id, parentId: id, position: siblingsOf(tree, id, moving).length }
  const at = siblingsOf(tree, target.parent_id ?? target.group_id, moving).indexOf(target)
  return { groupId: target.group_id, parentId: target.parent_id, position: where === 'before' ? at : at + 1 }
}

/** Where an arrow moves a document: up and down among its siblings, right below the one above, left out of its parent. */
export function arrowMove(tree: Tree, node: TreeNode, key: string): Place | undefined {
  const from = placeOf(tree, node.id)
  const parent = node.parent_id ?? node.group_id
  const siblings = childrenByParent(tree.nodes).get(parent)!
  if (key === 'ArrowUp') return from.position > 0 ? { ...from, position: from.position - 1 } : undefined
  if (key === 'ArrowDown')
    return from.position < siblings.length - 1 ? { ...from, position: from.position + 1 } : undefined
  const above = siblings[from.position - 1]
  if (key === 'ArrowRight') return above && placeAt(tree, node, { id: above.id, where: 'inside' })
  return node.parent_id ? placeAt(tree, node, { id: node.parent_id, where: 'after' }) : undefined
}
