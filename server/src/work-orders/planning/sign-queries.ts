import type { Db } from '../../kernel/database/index.ts'

/** When each work order changed last, and how many comments it has. */
export const listSigns = (db: Db, projectId: string) => db<
  { work_order_id: string; updated_at: string; comment_count: number }[]
>`select w.id as work_order_id, w.updated_at, coalesce(c.count, 0) as comment_count
  from work_orders w
  left join (
    select work_order_id, count(*)::int from work_order_comments where project_id = ${projectId} group by work_order_id
  ) c on c.work_order_id = w.id
  where w.project_id = ${projectId}`
