import { inTransaction } from '../../../kernel/database/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import type { NewRun } from '../runs/run.ts'
import { scheduleIfRoom } from '../starting/left-out.ts'
import { systemCtx } from '../system.ts'
import { nextFireAt } from '../triggers/schedule.ts'
import { type DueTrigger, lockDueTriggers, setNextFireTimes } from './queries.ts'

const AT_ONCE = 100

/**
 * Starts due schedules. The transaction that locks a trigger also advances it, so each tick fires once, however many
 * nodes look. The next time is computed from now: of several missed ticks, only one fires.
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
    const due = await lockDueTriggers(db, now, AT_ONCE)
    if (due.length === 0) return 0
    await setNextFireTimes(
      db,
      due.map((trigger) => ({ ...trigger, nextFireAt: nextOf(deps, trigger, now) })),
    )
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

/** The platform defines the time zones and may drop one. That stops one schedule, not all that are due. */
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
