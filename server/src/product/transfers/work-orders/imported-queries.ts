import { type Db, json } from '../../../kernel/database/index.ts'

/** Which of these were imported before, and what they became. */
export const findImported = (db: Db, projectId: string, source: string, keys: string[]) =>
  db<{ key: string; id: string }[]>`select external_key as key, work_order_id as id from imported_work_orders
  where project_id = ${projectId} and source = ${source} and external_key = any(${keys}::text[])`.map(
    (rows) => new Map(rows.map(({ key, id }) => [key, id])),
  )

export async function insertImported(
  db: Db,
  projectId: string,
  source: string,
  rows: { key: string; id: string }[],
): Promise<void> {
  await db`insert into imported_work_orders (project_id, source, external_key, work_order_id)
    select ${projectId}, ${source}, r.key, r.id from jsonb_to_recordset(${json(rows)}) as r (key text, id uuid)`
}
