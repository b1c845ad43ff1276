import type { GroupRow as LineOfGroup, NodeRow as LineOfNode, TreeRow } from '../../ui/tree/tree-row.ts'
import type { Tree, TreeGroup, TreeNode } from '../api.ts'
import { groupTitle } from '../kind.ts'

export interface Place {
  groupId: string
  parentId: string | null
  /** Among the siblings, not counting the document that moves. */
  position: number
}

export type NodeRow = LineOfNode & { node: TreeNode }
export type Row = (LineOfGroup & { group: TreeGroup }) | NodeRow | Extract<TreeRow, { type: 'new' }>

/** The children of each parent, in order. Roots stand under their group. */
export function childrenByParent(nodes: TreeNode[]): Map<string, TreeNode[]> {
  const children = new Map<string, TreeNode[]>()
  for (const node of nodes) {
    const parent = node.parent_id ?? node.group_id
    const siblings = children.get(parent)
    if (siblings) siblings.push(node)
    else children.set(parent, [node])
  }
  return children
}

interface Shown {
  open: ReadonlySet<string>
  closedGroups: ReadonlySet<string>
  /** Where a new document is being named. */
  adding: { groupId: string; parentId: string | null } | undefined
}

export const NEW_ROW = 'new'

/** The lines of the tree, as they stand below each other. */
export function rowsOf({ groups, nodes }: Tree, { open, closedGroups, adding }: Shown): Row[] {
  const children = childrenByParent(nodes)
  const counts = new Map<string, number>()
  for (const { group_id } of nodes) counts.set(group_id, (counts.get(group_id) ?? 0) + 1)
  const rows: Row[] = []
  const add = (parentId: string, depth: number) => {
    for (const node of children.get(parentId) ?? []) {
      const childCount = children.get(node.id)?.length ?? 0
      const isAdding = adding?.parentId === node.id
      const isOpen = isAdding || (childCount > 0 && open.has(node.id))
      const { id, title } = node
      rows.push({ type: 'node', id, title, parent: parentId, node, depth, childCount, isOpen })
      if (isOpen) add(node.id, depth + 1)
      if (isAdding) rows.push({ type: 'new', id: NEW_ROW, depth: depth + 1 })
    }
  }
  for (const group of sortGroups(groups)) {
    const isAdding = adding?.groupId === group.id && adding.parentId === null
    const isOpen = isAdding || !closedGroups.has(group.id)
    const { id, name } = group
    rows.push({ type: 'group', id, title: groupTitle(name), group, count: counts.get(id) ?? 0, isOpen })
    if (isOpen) add(group.id, 0)
    if (isAdding) rows.push({ type: 'new', id: NEW_ROW, depth: 0 })
  }
  return rows
}

/** As the tree shows them. */
export const sortGroups = (groups: TreeGroup[]) =>
  groups.toSorted((one, other) => Number(other.name === 'OVERVIEW') - Number(one.name === 'OVERVIEW'))

export function ancestorsOf(nodes: TreeNode[], id: string): TreeNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const path: TreeNode[] = []
  for (let at = byId.get(id)?.parent_id; at; at = byId.get(at)?.parent_id) {
    const node = byId.get(at)
    if (!node || path.includes(node)) break
    path.unshift(node)
  }
  return path
}

/** The tree after a move, in the form in which the server returns it. */
export function moveNode(tree: Tree, id: string, place: Place): Tree {
  const moving = tree.nodes.find((node) => node.id === id)
  if (!moving) return tree
  const inGroup = new Set([id])
  const children = childrenByParent(tree.nodes)
  const queue = [id]
  for (let at = queue.pop(); at; at = queue.pop())
    for (const child of children.get(at) ?? []) {
      inGroup.add(child.id)
      queue.push(child.id)
    }
  const others = tree.nodes
    .filter((node) => node.id !== id)
    .map((node) => (inGroup.has(node.id) ? { ...node, group_id: place.groupId } : node))
  const siblings = others.filter(
    (node) => node.parent_id === place.parentId && (place.parentId !== null || node.group_id === place.groupId),
  )
  const next = siblings[place.position]
  const at = next ? others.indexOf(next) : others.length
  const moved = { ...moving, group_id: place.groupId, parent_id: place.parentId }
  return { ...tree, nodes: [...others.slice(0, at), moved, ...others.slice(at)] }
}

/** The tree without a document. Its children take its place. */
export function withoutNode(tree: Tree, id: string): Tree {
  const gone = tree.nodes.find((node) => node.id === id)
  if (!gone) return tree
  const children = tree.nodes.filter((node) => node.parent_id === id)
  const nodes = tree.nodes.flatMap((node) => {
    if (node.id === id) return children.map((child) => ({ ...child, parent_id: gone.parent_id }))
    return node.parent_id === id ? [] : [node]
  })
  return { ...tree, nodes }
}

export function placeOf(tree: Tree, id: string): Place {
  const node = tree.nodes.find((one) => one.id === id)!
  const siblings = childrenByParent(tree.nodes).get(node.parent_id ?? node.group_id)!
  return { groupId: node.group_id, parentId: node.parent_id, position: siblings.indexOf(node) }
}

/** Everything below a group or a document, with itself. Undefined if the tree does not have it. */
export function idsWithin(tree: Tree, id: string): Set<string> | undefined {
  const children = childrenByParent(tree.nodes)
  if (!tree.groups.some((group) => group.id === id) && !tree.nodes.some((node) => node.id === id)) return undefined
  const found = new Set([id])
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child.id)
  return found
}
