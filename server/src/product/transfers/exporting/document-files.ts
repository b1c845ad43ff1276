/** Where a line lies in its file. */
export interface Place {
  start: number
  bytes: number
}

/** A document as a file for people and other tools, and where its row lies. */
export interface DocumentFile {
  path: string
  at: Place
}

interface Noted {
  id: string
  title: string
  parentId: string | null
  treeId: string
  at: Place
}

const FOLDERS: Record<string, string> = { requirements_document: 'requirements', blueprint: 'blueprints' }

/** Finds paths for the documents: kind, tree, then the documents above as folders, as `slipway docs pull` lays them out. */
export function createLayout() {
  const trees = new Map<string, string>()
  const noted: Noted[] = []

  return {
    note(table: string, line: string, at: Place): void {
      if (table === 'document_trees') {
        const { id, kind, name } = JSON.parse(line)
        trees.set(id, `documents/${FOLDERS[kind]}/${slugOf(name)}`)
      } else if (table === 'documents') {
        const { id, title, parent_id: parentId, tree_id: treeId } = JSON.parse(line)
        noted.push({ id, title, parentId, treeId, at })
      }
    },

    /** Parents come before their children, as their rows do. */
    finish(): DocumentFile[] {
      const paths = new Map<string, string>()
      const taken = new Set<string>()
      return noted.map(({ id, title, parentId, treeId, at }) => {
        const folder = (parentId && paths.get(parentId)) ?? trees.get(treeId)!
        const name = `${folder}/${slugOf(title)}`
        let free = name
        for (let number = 2; taken.has(free); number++) free = `${name}-${number}`
        taken.add(free)
        paths.set(id, free)
        return { path: `${free}.md`, at }
      })
    },
  }
}

/** A name that every file system takes, and that cannot lead out of its folder. */
const slugOf = (title: string) =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'untitled'

/** The text with the head that `slipway docs` writes and reads. */
export function fileOf(row: string): string {
  const { id, title, version_number: version, markdown_content: text } = JSON.parse(row)
  return `---\nslipway:\n  id: ${id}\n  title: ${JSON.stringify(title)}\n  version: ${version}\n---\n${text}`
}
