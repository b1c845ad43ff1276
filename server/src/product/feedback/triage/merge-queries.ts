import type { Db } from '../../../kernel/database/index.ts'

/** The themes that are open and whose title is most like one of these. */
export async function listNearTitles(db: Db, projectId: string, exceptId: string, titles: string[], limit: number) {
  const rows = await db<{ id: string }[]>`
    select t.id from themes t, lateral (select max(similarity(t.title, n.title)) as score
      from unnest(${titles}::text[]) as n (title)) near
    where t.project_id = ${projectId} and t.id <> ${exceptId} and t.status in ('unresolved', 'in_progress')
      and near.score > 0.1
    order by near.score desc, t.id limit ${limit}`
  return rows.map((row) => row.id)
}
