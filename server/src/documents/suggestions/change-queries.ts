import { type Db, json } from '../../kernel/database/index.ts'
import type { Via } from '../../kernel/http/created-via.ts'
import type { Change } from '../document.ts'

/** Ordered by their place in the markdown. */
export const listChanges = (db: Db, projectId: string, documentId: string) => db<Change[]>`
  select id, kind, text, created_at as "createdAt", created_by_name as "createdByName", via from document_changes
  where project_id = ${projectId} and document_id = ${documentId} order by position`

interface Author {
  userId: string | null
  userName: string
}

/** Replaces the pending changes of a document. Existing changes keep their author; new ones get the given author. */
export async function replaceChanges(
  db: Db,
  projectId: string,
  documentId: string,
  changes: Pick<Change, 'id' | 'kind' | 'text'>[],
  { userId, userName }: Author,
  via: Via | null,
): Promise<void> {
  const rows = changes.map(({ id, kind, text }, position) => ({ id, kind, text, position }))
  await db`delete from document_changes
    where project_id = ${projectId} and document_id = ${documentId} and not (id = any(${rows.map((row) => row.id)}::uuid[]))`
  if (rows.length === 0) return
  await db`
    insert into document_changes (project_id, document_id, id, position, kind, text, user_id, created_by_name, via,
      created_at)
    select ${projectId}, ${documentId}, r.id, r.position, r.kind, r.text, ${userId}, ${userName},
      ${via && json(via)}::jsonb, now()
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, position int, kind text, text text)
    on conflict (project_id, id) do update set position = excluded.position`
}
