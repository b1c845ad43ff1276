import type { Db } from '../../../kernel/database/index.ts'
import type { Run, RunStatus } from '../runs/run.ts'
import { type RunRow, runColumns, toRun } from '../runs/run-queries.ts'

export interface RunFilter {
  statuses?: RunStatus[] | undefined
  automationIds?: string[] | undefined
  /** Only those that changed something, or nothing. */
  changed?: boolean | undefined
  /** Only those whose proposals wait for a person. */
  isWaiting?: boolean | undefined
  minCost?: number | undefined
}

export interface ListedRun {
  run: Run
  automationName: string
  changeCount: number
  /** Proposals that nobody has decided about. */
  proposed: number
  accepted: number
}

type Row = RunRow & { automation_name: string; change_count: number; proposed: number; accepted: number }

/** `agent_deeds` is only read here. */
const conditions = (db: Db, projectId: string, { statuses, automationIds, changed, isWaiting, minCost }: RunFilter) => {
  const hasChanged = db`(r.changes <> '[]'::jsonb or exists (select 1 from agent_deeds d
    where d.project_id = r.project_id and d.run_id = r.id and d.status in ('done', 'accepted', 'undone')))`
  return db`r.project_id = ${projectId}
    ${statuses ? db`and r.status = any(${statuses})` : db``}
    ${automationIds ? db`and r.automation_id = any(${automationIds}::uuid[])` : db``}
    ${changed === undefined ? db`` : changed ? db`and ${hasChanged}` : db`and not ${hasChanged}`}
    ${
      isWaiting
        ? db`and r.completed_at is not null and exists (select 1 from agent_deeds d
            where d.project_id = r.project_id and d.run_id = r.id and d.status = 'proposed')`
        : db``
    }
    ${minCost === undefined ? db`` : db`and r.cost >= ${minCost}`}`
}

/** The runs of all automations, the newest first. Of what a run changed, only the beginning. */
export async function listProjectRuns(
  db: Db,
  projectId: string,
  filter: RunFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ListedRun[]> {
  const rows = await db<Row[]>`
    select ${runColumns(db)}, jsonb_path_query_array(r.changes, '$[0 to 2]') as changes,
      jsonb_array_length(r.changes) as change_count, a.name as automation_name, d.proposed, d.accepted
    from automation_runs r
    join automations a on a.project_id = r.project_id and a.id = r.automation_id
    cross join lateral (
      select count(*) filter (where d.status = 'proposed')::int as proposed,
        count(*) filter (where d.status = 'accepted')::int as accepted
      from agent_deeds d where d.project_id = r.project_id and d.run_id = r.id) d
    where ${conditions(db, projectId, filter)} ${before === undefined ? db`` : db`and r.id < ${before}`}
    order by r.id desc limit ${limit}`
  return rows.map((row) => ({
    run: toRun(row),
    automationName: row.automation_name,
    changeCount: row.change_count,
    proposed: row.proposed,
    accepted: row.accepted,
  }))
}

export async function countProjectRuns(db: Db, projectId: string, filter: RunFilter): Promise<number> {
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from automation_runs r where ${conditions(db, projectId, filter)}`
  return row!.total
}

/** The runs that did a run again, the newest first. */
export const listRetries = (db: Db, projectId: string, id: string) => db<
  { id: string; status: RunStatus; createdAt: string }[]
>`select id, status, created_at as "createdAt" from automation_runs r
  where project_id = ${projectId}
    and automation_id = (select automation_id from automation_runs where project_id = ${projectId} and id = ${id})
    and id > ${id} and retry_of = ${id} order by id desc limit 10`

export interface Thing {
  id: string
  title: string
  number: number | null
}

/** What the things that a run changed are called now. The tables of other slices are only read here. */
export const listThings = (db: Db, projectId: string, ids: string[]) => db<Thing[]>`
  select id, title, null::int as number from documents where project_id = ${projectId} and id = any(${ids}::uuid[])
  union all select id, title, work_order_number from work_orders where project_id = ${projectId} and id = any(${ids}::uuid[])
  union all select id, title, theme_number from themes where project_id = ${projectId} and id = any(${ids}::uuid[])
  union all select id, title, feedback_number from feedback_items where project_id = ${projectId} and id = any(${ids}::uuid[])
  union all select id, name, null from artifacts where project_id = ${projectId} and id = any(${ids}::uuid[])
  union all select id, name, null from automations where project_id = ${projectId} and id = any(${ids}::uuid[])`

export const listNames = (db: Db, ids: string[]) => db<{ id: string; name: string }[]>`
  select id, name from users where id = any(${ids}::uuid[])`
