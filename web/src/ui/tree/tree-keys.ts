import type { GroupRow, NodeRow, TreeRow } from './tree-row.ts'

export interface TreeActions {
  open(id: string): void
  /** Shows or hides what is below a line. */
  toggle(id: string): void
  rename(id: string): void
  remove(id: string): void
  /** Moves a line as an arrow says, or to where it was dropped. */
  step(id: string, arrow: string): void
}

interface Keys {
  rows: readonly TreeRow[]
  /** The line that the keys act on, or -1. */
  at: number
  mayChange: boolean
  focus(at: number): void
  on: TreeActions
}

/** The keys of a tree. Returns false for a key that means nothing here. */
export function pressInTree({ key, altKey }: { key: string; altKey: boolean }, { rows, at, ...tree }: Keys): boolean {
  const row = rows[at]
  if (altKey && row?.type === 'node' && tree.mayChange && key.startsWith('Arrow')) tree.on.step(row.id, key)
  else if (key === 'ArrowDown') focus(at + 1)
  else if (key === 'ArrowUp') focus(at - 1)
  else if (key === 'Home') focus(0)
  else if (key === 'End') focus(rows.length - 1)
  else if (row?.type === 'node') return pressOnNode(row)
  else if (row?.type === 'group') return pressOnGroup(row)
  else return false
  return true

  function pressOnNode({ id, parent, isOpen, childCount }: NodeRow): boolean {
    if (key === 'ArrowRight' && childCount > 0) isOpen ? focus(at + 1) : tree.on.toggle(id)
    else if (key === 'ArrowLeft' && isOpen) tree.on.toggle(id)
    else if (key === 'ArrowLeft') focus(rows.findIndex((one) => one.id === parent))
    else if (key === 'Enter' || key === ' ') tree.on.open(id)
    else if (key === 'F2' && tree.mayChange) tree.on.rename(id)
    else if (key === 'Delete' && tree.mayChange) tree.on.remove(id)
    else return false
    return true
  }

  function pressOnGroup({ id, isOpen }: GroupRow): boolean {
    if (key === 'ArrowRight') isOpen ? focus(at + 1) : tree.on.toggle(id)
    else if (key === 'ArrowLeft' && isOpen) tree.on.toggle(id)
    else if (key === 'Enter' || key === ' ') tree.on.toggle(id)
    else return false
    return true
  }

  function focus(next: number): void {
    if (rows.length > 0) tree.focus(Math.max(0, Math.min(rows.length - 1, next)))
  }
}
