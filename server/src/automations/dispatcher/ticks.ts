import { type Db, inTransaction, json } from '../../kernel/database/index.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import type { NewRun } from '../runs/runs.ts'
import { systemCtx } from '../system.ts'
import { scheduleIfRoom } from '../triggers/left-out.ts'
import { nextFireAt } from '../triggers/schedule.ts'

const AT_ONCE = 100

interface DueTrigger {
  id: string
  projectId: string
  organizationId: string
  automationId: string
  cronExpression: string
  timezone: string
  nextFireAt: string
}

/**
 * Starts what is due. Whoever has locked a trigger moves it on in the same transaction, so every tick is fired once,
 * however many nodes look. The next time is counted from now: of what was missed only the last counts.
 */
export async function fireDueSchedules(deps: JobDeps, now: Date): Promise<number> {
  let fired = 0
  for (;;) {
    const batch = await fireBatch(deps, now)
    fired += batch
    if (batch < AT_ONCE) return fired
  }
}

function fireBatch(deps: JobDeps, now: Date): Promise<number> {
  return inTransaction({ db: deps.db }, async ({ db }) => {
    const due = await db<DueTrigger[]>`
      select t.id, t.project_id as "projectId", p.organization_id as "organizationId", t.automation_id as "automationId",
        t.cron_expression as "cronExpression", t.timezone, t.next_fire_at as "nextFireAt"
      from automation_triggers t
      join automations a on a.project_id = t.project_id and a.id = t.automation_id
      join projects p on p.id = t.project_id
      where t.next_fire_at <= ${now.toISOString()} and a.enabled
      order by t.next_fire_at limit ${AT_ONCE} for no key update of a, t skip locked`
    if (due.length === 0) return 0
    await moveOn(db, due, (trigger) => nextOf(deps, trigger, now))
    for (const projectId of new Set(due.map((trigger) => trigger.projectId))) {
      const ofProject = due.filter((trigger) => trigger.projectId === projectId)
      await scheduleIfRoom(systemCtx({ ...deps, db }, ofProject[0]!), ofProject.map(runOf))
    }
    return due.length
  })
}

const runOf = (trigger: DueTrigger): NewRun => ({
  automationId: trigger.automationId,
  triggerType: 'schedule',
  triggerId: trigger.id,
  scheduledFor: trigger.nextFireAt,
})

/** What is known of time zones comes with the platform and may lose one: that ends one schedule, not all that are due. */
function nextOf({ log }: JobDeps, trigger: DueTrigger, now: Date): string | null {
  try {
    return nextFireAt(trigger, now).toISOString()
  } catch (err) {
    const { id, automationId, cronExpression, timezone } = trigger
    const about = { trigger_id: id, automation_id: automationId, cron_expression: cronExpression, timezone }
    log.error({ err, ...about }, 'a schedule has no next time any more')
    return null
  }
}

async function moveOn(db: Db, due: DueTrigger[], nextOf: (trigger: DueTrigger) => string | null): Promise<void> {
  const rows = due.map((trigger) => ({
    project_id: trigger.projectId,
    id: trigger.id,
    next_fire_at: nextOf(trigger),
  }))
  await db`update automation_triggers t set next_fire_at = r.next_fire_at
    from jsonb_to_recordset(${json(rows)}) as r (project_id uuid, id uuid, next_fire_at timestamptz)
    where t.project_id = r.project_id and t.id = r.id`
}

/** When the next schedule is due; undefined when there is none. */
export async function findNextDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ next: string | null }[]>`
    select min(next_fire_at) as next from automation_triggers where next_fire_at is not null`
  return row?.next ? new Date(row.next) : undefined
}
