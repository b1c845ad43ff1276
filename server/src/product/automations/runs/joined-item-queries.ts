import { type Db, json, type Tx } from '../../../kernel/database/index.ts'

/** Including the item that started the run. A model needs several steps for each, and a run has a limit of steps. */
export const MAX_ITEMS_OF_RUN = 10

interface NewItem {
  projectId: string
  automationId: string
  eventId: string
  itemId: string
  lineage: string[]
}

/**
 * Adds new feedback to a run that is still waiting. False if none has room: then it needs its own run. The caller has
 * locked the automation, so an event that is delivered twice is recognized the second time.
 */
export async function joinWaitingRun(db: Tx, item: NewItem): Promise<boolean> {
  const { projectId, automationId, eventId, itemId, lineage } = item
  const [known] = await db`
    select 1 from automation_run_items
    where project_id = ${projectId} and automation_id = ${automationId} and event_id = ${eventId}
    union all
    select 1 from automation_runs
    where project_id = ${projectId} and automation_id = ${automationId} and event_id = ${eventId} and retry_of is null`
  if (known) return true
  const [joined] = await db`
    insert into automation_run_items (project_id, run_id, automation_id, event_id, item_id)
    select ${projectId}, w.id, ${automationId}, ${eventId}::bigint, ${itemId}::uuid from (
      select r.id from automation_runs r
      where r.project_id = ${projectId} and r.automation_id = ${automationId} and r.status = 'scheduled'
        and r.trigger_type = 'feedback_submitted' and r.lineage = ${lineage}::uuid[]
        and (select count(*) from automation_run_items i where i.project_id = r.project_id and i.run_id = r.id)
          < ${MAX_ITEMS_OF_RUN - 1}
      order by r.created_at desc, r.id desc limit 1 for update skip locked) w
    returning run_id`
  return joined !== undefined
}

/** In the order of submission. */
export async function listJoinedItems(db: Db, projectId: string, runId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select item_id as id from automation_run_items
    where project_id = ${projectId} and run_id = ${runId} order by event_id`
  return rows.map(({ id }) => id)
}

/** For a retried run. */
export const copyJoinedItems = (db: Tx, projectId: string, fromRunId: string, toRunId: string) => db`
  insert into automation_run_items (project_id, run_id, automation_id, event_id, item_id)
  select project_id, ${toRunId}, automation_id, event_id, item_id from automation_run_items
  where project_id = ${projectId} and run_id = ${fromRunId}`

/** Items of the backlog have no event of their own. Negative ids keep their order and match no event. */
export const joinBacklogItems = (
  db: Tx,
  projectId: string,
  automationId: string,
  runId: string,
  items: { id: string; feedbackNumber: number }[],
) => db`
  insert into automation_run_items (project_id, run_id, automation_id, event_id, item_id)
  select ${projectId}, ${runId}, ${automationId}, i."feedbackNumber" - 1000000000000, i.id
  from jsonb_to_recordset(${json(items)}) as i (id uuid, "feedbackNumber" bigint)`
