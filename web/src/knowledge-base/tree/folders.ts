import type { NodeRow, TreeRow } from '../../ui/tree/tree-row.ts'
import type { Folder } from '../api.ts'
import { ROOT_NAME } from '../artifact.ts'

/** The root has no id on the server. The tree and pickers need one. */
export const ROOT_ID = 'root'
export const NEW_ROW = 'new'

export interface FolderTree {
  folders: Folder[]
  rootCount: number
}

export type FolderRow = NodeRow & { fileCount: number }
type Row = FolderRow | Extract<TreeRow, { type: 'new' }>

function childrenOf(folders: Folder[]): Map<string, Folder[]> {
  const children = new Map<string, Folder[]>()
  for (const folder of folders) {
    const parent = folder.parent_id ?? ROOT_ID
    children.set(parent, [...(children.get(parent) ?? []), folder])
  }
  return children
}

/** The lines of the tree. The number of a folder counts the files below it too. */
export function rowsOf(
  { folders, rootCount }: FolderTree,
  open: ReadonlySet<string>,
  adding: string | undefined,
): Row[] {
  const children = childrenOf(folders)
  const counts = new Map<string, number>()
  const count = (id: string, own: number): number => {
    const total = (children.get(id) ?? []).reduce((sum, one) => sum + count(one.id, one.file_count), own)
    counts.set(id, total)
    return total
  }
  count(ROOT_ID, rootCount)
  const rows: Row[] = []
  const add = (id: string, title: string, parent: string, depth: number) => {
    const below = children.get(id) ?? []
    const isOpen = adding === id || (below.length > 0 && (id === ROOT_ID || open.has(id)))
    const line = { type: 'node' as const, id, title, parent, depth, childCount: below.length, isOpen }
    rows.push({ ...line, fileCount: counts.get(id)! })
    if (!isOpen) return
    for (const one of below) add(one.id, one.name, id, depth + 1)
    if (adding === id) rows.push({ type: 'new', id: NEW_ROW, depth: depth + 1 })
  }
  add(ROOT_ID, ROOT_NAME, '', 0)
  return rows
}

/** The folders above one, from the root, with itself. Empty for the root. */
export function pathTo(folders: Folder[], id: string | null | undefined): Folder[] {
  const byId = new Map(folders.map((one) => [one.id, one]))
  const path: Folder[] = []
  for (let at = id; at; at = byId.get(at)?.parent_id) {
    const folder = byId.get(at)
    if (!folder || path.includes(folder)) break
    path.unshift(folder)
  }
  return path
}

/** Everything that a folder cannot be moved to: itself and what is below it. */
export const isWithin = (folders: Folder[], id: string, outer: string) =>
  pathTo(folders, id).some((one) => one.id === outer)
