import type { Text } from '../engines/search/index.ts'
import { type Db, query } from '../kernel/database/index.ts'

/** The documents that are searched together. */
export interface Scope {
  projectId: string
  kind: string
}

/** What a snapshot says of the documents, beside what was known before. */
export interface DocumentsState {
  total: number
  /** How many were written since the horizon. */
  written: number
  treeNames: Record<string, string>
  /** Everything that transactions before this one wrote is in this snapshot, or will never be. */
  horizon: string
}

/**
 * A row version that this snapshot sees and that a transaction before an earlier snapshot's horizon wrote was seen by that
 * one too. So who knows the earlier documents knows these, but for those written since and those deleted. A horizon in the
 * future is that of another database, from before a backup was restored: then all count as written since.
 */
const WRITTEN_SINCE = 'coalesce(age(d.xmin) <= age($3::xid) or age($3::xid) < 0, true)'
const OF_KIND = 'documents d where d.project_id = $1 and d.kind = $2'

export async function readDocumentsState(
  db: Db,
  { projectId, kind }: Scope,
  horizon: string | undefined,
): Promise<DocumentsState> {
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

/** The most recently updated first. */
export const listWrittenDocuments = (db: Db, { projectId, kind }: Scope, horizon: string | undefined) =>
  query<{ id: string; bytes: number }>(
    db,
    `select d.id, octet_length(d.markdown_content) as bytes from ${OF_KIND} and ${WRITTEN_SINCE}
     order by d.updated_at desc, d.id`,
    [projectId, kind, horizon ?? null],
  )

export async function listDocumentIds(db: Db, { projectId, kind }: Scope): Promise<string[]> {
  // One value: a row for each of many thousands takes much longer.
  const [row] = await query<{ ids: string | null }>(db, `select string_agg(d.id::text, ' ') as ids from ${OF_KIND}`, [
    projectId,
    kind,
  ])
  return row!.ids?.split(' ') ?? []
}

/** In any order. The label is the tree, the rank the time of the last update. */
export const readSearchedTexts = (db: Db, { projectId, kind }: Scope, ids: string[]) =>
  query<Text>(
    db,
    `select d.id, d.title, d.markdown_content as body, d.tree_id as label,
       (extract(epoch from d.updated_at) * 1000000)::float8 as rank
     from ${OF_KIND} and d.id = any($3::uuid[])`,
    [projectId, kind, ids],
  )
