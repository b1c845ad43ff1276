import type { Text } from '../../../engines/search/index.ts'
import { type Db, query } from '../../../kernel/database/index.ts'
import type { WordSource } from '../../../kernel/searches/word-search.ts'

/** Selects the documents that are searched together. */
export interface Scope {
  projectId: string
  kind: string
}

/** The documents of a scope in one snapshot, compared with an earlier horizon. */
export interface DocumentsState {
  total: number
  /** How many documents were written since the earlier horizon. */
  written: number
  treeNames: Record<string, string>
  /** This snapshot sees every commit of transactions before this one; no transaction before it can commit later. */
  horizon: string
}

/**
 * A row version that this snapshot sees, written by a transaction before the horizon of an earlier snapshot, was
 * visible to that snapshot too. So a reader that has the documents of the earlier snapshot misses only those written
 * since, and keeps those deleted since. A horizon in the future comes from another database, before a backup was
 * restored; then every document counts as written.
 */
const WRITTEN_SINCE = 'coalesce(age(d.xmin) <= age($3::xid) or age($3::xid) < 0, true)'
const OF_KIND = 'documents d where d.project_id = $1 and d.kind = $2'

export async function readDocumentsState(db: Db, { projectId, kind }: Scope, horizon: string | undefined) {
  const [state] = await query<DocumentsState>(
    db,
    `select count(*)::int as total, count(*) filter (where ${WRITTEN_SINCE})::int as written,
       (select coalesce(json_object_agg(t.id, t.name), '{}') from document_trees t where t.project_id = $1) as "treeNames",
       pg_snapshot_xmin(pg_current_snapshot())::xid::text as horizon
     from ${OF_KIND}`,
    [projectId, kind, horizon ?? null],
  )
  return state!
}

/** Most recently updated first. */
export const listWrittenDocuments = (db: Db, { projectId, kind }: Scope, horizon: string | undefined) =>
  query<{ id: string; bytes: number }>(
    db,
    `select d.id, octet_length(d.markdown_content) as bytes from ${OF_KIND} and ${WRITTEN_SINCE}
     order by d.updated_at desc, d.id`,
    [projectId, kind, horizon ?? null],
  )

export async function listDocumentIds(db: Db, { projectId, kind }: Scope): Promise<string[]> {
  // Aggregates the ids, because thousands of rows take much longer than one value.
  const [row] = await query<{ ids: string | null }>(db, `select string_agg(d.id::text, ' ') as ids from ${OF_KIND}`, [
    projectId,
    kind,
  ])
  return row!.ids?.split(' ') ?? []
}

/** Returns texts in no particular order. The label is the tree; the rank is the time of the last update. */
export const readSearchedTexts = (db: Db, { projectId, kind }: Scope, ids: string[]) =>
  query<Text>(
    db,
    `select d.id, d.title, d.markdown_content as body, d.tree_id as label,
       (extract(epoch from d.updated_at) * 1000000)::float8 as rank
     from ${OF_KIND} and d.id = any($3::uuid[])`,
    [projectId, kind, ids],
  )

/** How the search over everything looks for documents of a kind. */
export const documentWords = (kind: 'requirements_document' | 'blueprint'): WordSource => ({
  from: `documents d join document_trees t on t.project_id = d.project_id and t.id = d.tree_id and d.kind = '${kind}'`,
  projectId: 'd.project_id',
  id: 'd.id',
  title: 'd.title',
  detail: 't.name',
  text: 'd.markdown_content',
  newest: 'd.updated_at desc, d.id',
})
