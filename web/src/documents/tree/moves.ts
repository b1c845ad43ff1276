import { isNew } from '../../lib/ids.ts'
import type { DropZone } from '../../ui/tree/tree-row.ts'
import type { Tree, TreeNode } from '../api.ts'
import { groupTitle, type Kind } from '../kind.ts'
import { ancestorsOf, childrenByParent, type Place, placeOf, sortGroups } from './tree.ts'

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

/**
 * Where an arrow moves a document: up and down among its siblings and on into the next group, right below the one above,
 * left out of its parent. Words, if there is no such place.
 */
export function arrowMove(tree: Tree, node: TreeNode, key: string): Place | string {
  const from = placeOf(tree, node.id)
  const parent = node.parent_id ?? node.group_id
  const siblings = childrenByParent(tree.nodes).get(parent)!
  const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
  if (step !== 0) {
    if (siblings[from.position + step]) return { ...from, position: from.position + step }
    const end = step < 0 ? 'first' : 'last'
    if (node.parent_id) return `“${node.title}” is the ${end} below its parent. Alt and ← moves it out.`
    const groups = sortGroups(tree.groups)
    const group = groups[groups.findIndex(({ id }) => id === node.group_id) + step]
    if (!group) return `“${node.title}” is the ${end} of all.`
    const count = siblingsOf(tree, group.id, node).length
    return { groupId: group.id, parentId: null, position: step < 0 ? count : 0 }
  }
  const above = siblings[from.position - 1]
  if (key === 'ArrowRight')
    return above
      ? placeAt(tree, node, { id: above.id, where: 'inside' })!
      : `Nothing stands above “${node.title}” that it could go below.`
  return node.parent_id
    ? placeAt(tree, node, { id: node.parent_id, where: 'after' })!
    : `“${node.title}” stands at the top already.`
}

/** Says why a document cannot go to a place. Undefined if it can. */
export function refusalOf(kind: Kind, tree: Tree, node: TreeNode, to: Place): string | undefined {
  const from = tree.groups.find(({ id }) => id === node.group_id)!
  const group = tree.groups.find(({ id }) => id === to.groupId)!
  const parent = tree.nodes.find(({ id }) => id === to.parentId)
  for (const one of [node, parent]) if (one && isNew(one)) return `“${one.title}” is not saved yet.`
  if (from.locked) return `“${node.title}” follows its feature. Move the requirement instead.`
  if (group.locked) return `${groupTitle(group.name)} follow the features: create a requirement there instead.`
  if (kind === 'requirements' && from.id !== group.id)
    return `“${node.title}” stays in ${groupTitle(from.name)}: overviews and features are separate trees.`
  if (to.parentId === node.id || ancestorsOf(tree.nodes, to.parentId ?? '').some(({ id }) => id === node.id))
    return `“${node.title}” cannot stand below itself.`
  return undefined
}
