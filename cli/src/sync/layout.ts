/** A document as lists show it. */
export interface Listed {
  kind: DocumentKind
  id: string
  title: string
  parentId: string | null
  /** The type of a requirement, the category of a blueprint. */
  tree: string
  updatedAt: string
}

export type DocumentKind = 'requirements' | 'blueprints'

/** A name that every file system takes, and that cannot lead out of its folder. */
export const slugOf = (title: string) =>
  [
    ...title
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}+/gu, '')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, ''),
  ]
    .slice(0, 60)
    .join('') || 'untitled'

/**
 * The path of each document: kind, tree, then the documents above it as folders. `known` keeps the path of a document
 * that has one.
 */
export function pathsOf(documents: Listed[], known: Map<string, string>): Map<string, string> {
  const byId = new Map(documents.map((one) => [one.id, one]))
  const paths = new Map<string, string>()
  const taken = new Set(documents.flatMap(({ id }) => known.get(id) ?? []))
  const pathOf = (document: Listed): string => {
    const done = paths.get(document.id) ?? known.get(document.id)
    if (done) {
      paths.set(document.id, done)
      return done
    }
    const parent = document.parentId === null ? undefined : byId.get(document.parentId)
    const folder = parent ? pathOf(parent).replace(/\.md$/, '') : `${document.kind}/${slugOf(document.tree)}`
    const name = `${folder}/${slugOf(document.title)}`
    let free = `${name}.md`
    for (let number = 2; taken.has(free); number++) free = `${name}-${number}.md`
    taken.add(free)
    paths.set(document.id, free)
    return free
  }
  for (const document of documents) pathOf(document)
  return paths
}
