import { type Db, json } from '../../../kernel/database/index.ts'
import type { Via } from '../../../kernel/http/created-via.ts'
import type { Change } from '../document.ts'

/** Ordered by their place in the markdown. */
export const listChanges = (db: Db, projectId: string, documentId: string) => db<Change[]>`
  select id, kind, text, user_id as "userId", origin, via, created_at as "createdAt",
    created_by_name as "createdByName"
  from document_changes
  where project_id = ${projectId} and document_id = ${documentId} and settled_at is null order by position`

/** Returns those of the ids that changes of other documents have. */
export async function listTakenIds(db: Db, projectId: string, documentId: string, ids: string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from document_changes
    where project_id = ${projectId} and id = any(${ids}::uuid[]) and document_id <> ${documentId}`
  return rows.map(({ id }) => id)
}

interface AuthoredChange extends Pick<Change, 'id' | 'kind' | 'text'> {
  author: { userId: string | null; userName: string; origin: string | null; via: Via | null }
}

/**
 * Replaces the pending changes of a document. Existing changes keep their author, also those that were settled a short
 * while ago and come back because somebody undoes the decision.
 */
export async function replaceChanges(
  db: Db,
  projectId: string,
  documentId: string,
  changes: AuthoredChange[],
): Promise<void> {
  const rows = changes.map(({ id, kind, text, author }, position) => ({ id, kind, text, position, ...author }))
  await db`
    with old as (
      delete from document_changes where project_id = ${projectId} and document_id = ${documentId}
        and settled_at < now() - interval '1 day')
    update document_changes set settled_at = now()
    where project_id = ${projectId} and document_id = ${documentId} and settled_at is null
      and not (id = any(${rows.map((row) => row.id)}::uuid[]))`
  if (rows.length === 0) return
  await db`
    insert into document_changes
      (project_id, document_id, id, position, kind, text, user_id, created_by_name, origin, via, created_at)
    select ${projectId}, ${documentId}, r.id, r.position, r.kind, r.text, r."userId", r."userName", r.origin,
      nullif(r.via, 'null'), now()
    from jsonb_to_recordset(${json(rows)})
      as r (id uuid, position int, kind text, text text, "userId" uuid, "userName" text, origin text, via jsonb)
    on conflict (project_id, id) do update set position = excluded.position, text = excluded.text, settled_at = null
      where document_changes.document_id = excluded.document_id`
}
