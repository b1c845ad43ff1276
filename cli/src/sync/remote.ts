import { items, type KeyClient, SlipwayError } from '@slipway/sdk'
import { changedParts } from './changed-parts.ts'
import { type DocumentKind, type Listed, slugOf } from './layout.ts'

export interface RemoteDocument {
  id: string
  title: string
  version: number
  updatedAt: string
  text: string
  etag: string | undefined
}

interface NewDocument {
  kind: DocumentKind
  title: string
  text: string
  tree: string
  parentId: string | undefined
}

const AT_ONCE = 32

/** Runs some at a time. */
export async function eachAtOnce<T>(values: T[], run: (value: T) => Promise<void>): Promise<void> {
  const waiting = [...values].reverse()
  const work = async () => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) await run(value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

export async function listDocuments({ requirements, blueprints }: KeyClient): Promise<Listed[]> {
  const found: Listed[] = []
  for await (const one of items(requirements.list))
    found.push({ ...common(one), kind: 'requirements', tree: one.document_type })
  for await (const one of items(blueprints.list))
    found.push({ ...common(one), kind: 'blueprints', tree: one.category_name })
  return found
}

const common = (one: { document_id: string; title: string; parent_id: string | null; updated_at: string }) => ({
  id: one.document_id,
  title: one.title,
  parentId: one.parent_id,
  updatedAt: one.updated_at,
})

const toRemote = ({ data, meta }: { data: Detail; meta: { etag?: string | undefined } }): RemoteDocument => ({
  id: data.document_id,
  title: data.title,
  version: data.version_number,
  updatedAt: data.updated_at,
  text: data.markdown_content,
  etag: meta.etag,
})

interface Detail {
  document_id: string
  title: string
  version_number: number
  updated_at: string
  markdown_content: string
}

/** Pending suggestions stand in the text as CriticMarkup. */
export const readDocument = async (client: KeyClient, kind: DocumentKind, id: string) =>
  toRemote(await client[kind].get(id))

/** Fails with 412 if somebody changed it since `etag`. */
export const writeDocument = async (client: KeyClient, kind: DocumentKind, id: string, text: string, etag?: string) =>
  toRemote(await client[kind].update(id, { markdown_content: text }, { ifMatch: etag }))

/** Proposes each part that differs, or the whole text if a part cannot be proposed by itself. */
export async function suggestText(client: KeyClient, kind: DocumentKind, id: string, before: string, after: string) {
  const proposed: string[] = []
  const suggest = async (old_text: string, new_text: string) => {
    const { data } = await client[kind].suggest(id, { old_text, new_text, replace_all: false })
    proposed.push(...data.change_ids)
  }
  const parts = changedParts(before, after)
  try {
    for (const part of parts) await suggest(part.before, part.after)
  } catch (err) {
    for (const change of proposed) await client[kind].rejectSuggestion(id, change)
    const isWhole = parts[0]?.before === before
    if (isWhole || !(err instanceof SlipwayError) || ![400, 409, 422].includes(err.status)) throw err
    await suggest(before, after)
  }
}

export const renameDocument = async (client: KeyClient, kind: DocumentKind, id: string, title: string) =>
  toRemote(await client[kind].rename(id, { title }))

export async function createDocument(client: KeyClient, { kind, title, text, tree, parentId }: NewDocument) {
  const values = { title, markdown_content: text, ...(parentId ? { parent_id: parentId } : {}) }
  if (kind === 'requirements') {
    const document_type = tree === 'overview' ? 'OVERVIEW' : 'FEATURE'
    return toRemote(await client.requirements.create({ ...values, document_type }))
  }
  if (parentId) return toRemote(await client.blueprints.create(values))
  const { items: categories } = await client.blueprints.listCategories()
  const category = categories.find(({ name }) => slugOf(name) === slugOf(tree))
  return toRemote(await client.blueprints.create({ ...values, ...(category ? { category_id: category.id } : {}) }))
}
