import { type Db, inTransaction } from '../../../kernel/database/index.ts'
import type { RecordedEvent } from '../../../kernel/events.ts'
import { enqueueOnce } from '../../../kernel/jobs/jobs.ts'
import type { JobDeps, Slice } from '../../../kernel/slice.ts'
import { findProject } from '../../projects/index.ts'
import type { TriggerType } from '../automation.ts'
import { isTriggered, listTriggeredAutomations, lockEnabled } from '../queries.ts'
import { joinWaitingRun } from '../runs/joined-item-queries.ts'
import { lineageOf } from '../runs/lineage.ts'
import { systemCtx } from '../system.ts'
import { matches } from '../triggers/matching.ts'
import { scheduleIfRoom } from './left-out.ts'

/** Maps events to the triggers they fire. */
const TRIGGERED_BY: Record<string, TriggerType> = {
  'code.pushed': 'code_push',
  'feedback_item.submitted': 'feedback_submitted',
  'requirements_document.updated': 'requirements_updated',
  'blueprint.updated': 'blueprint_updated',
  'work_order.status_changed': 'work_order_status_changed',
}

export const on: NonNullable<Slice['on']> = Object.fromEntries(
  Object.entries(TRIGGERED_BY).map(([kind, triggerType]) => [
    kind,
    (event: RecordedEvent, deps: JobDeps) =>
      event.payload.typed ? startLater(deps, event) : startTriggered(deps, event, triggerType),
  ]),
)

/** Most projects have no automation for most events. */
export const wanted: NonNullable<Slice['wanted']> = Object.fromEntries(
  Object.entries(TRIGGERED_BY).map(([kind, triggerType]) => [
    kind,
    (db: Db, projectId: string) => isTriggered(db, projectId, triggerType),
  ]),
)

export const START_AFTER_TYPING = 'start_after_typing'
const TYPING_PAUSE_MS = 30_000

/** Typing is stored at every short pause. The automations that it triggers start after a longer one. */
const startLater = ({ db }: JobDeps, event: RecordedEvent) =>
  enqueueOnce(db, START_AFTER_TYPING, event, {
    key: `${START_AFTER_TYPING} ${event.subjectId}`,
    afterMs: TYPING_PAUSE_MS,
  })

export async function startAfterTyping(payload: unknown, deps: JobDeps): Promise<void> {
  const event = payload as RecordedEvent
  await startTriggered(deps, event, TRIGGERED_BY[event.kind]!)
}

/** An event can be delivered again. It does not start the same run twice. */
async function startTriggered(deps: JobDeps, event: RecordedEvent, triggerType: TriggerType): Promise<void> {
  const triggered = await listTriggeredAutomations(deps.db, event.projectId, triggerType)
  if (triggered.length === 0) return
  const { lineage, chainId, depth } = await lineageOf(deps.db, event)
  const { organizationId } = (await findProject(deps.db, event.projectId))!
  const started = new Set<string>()
  for (const automation of triggered) {
    if (lineage.includes(automation.id) || started.has(automation.id)) continue
    if (!(await matches(deps.db, event, automation.filter))) continue
    started.add(automation.id)
    await inTransaction({ db: deps.db }, async ({ db }) => {
      // It may have just been disabled. The lock makes one of the two transactions wait for the other.
      if (!(await lockEnabled(db, event.projectId, automation.id))) return
      const run = {
        automationId: automation.id,
        triggerType,
        triggerId: automation.triggerId,
        eventId: event.id,
        subject: { type: event.subjectType, id: event.subjectId },
        cause: event.payload,
        lineage,
        chainId,
        depth,
      }
      const ctx = systemCtx({ ...deps, db }, { projectId: event.projectId, organizationId }, event.requestId)
      const item = { projectId: event.projectId, eventId: event.id, itemId: event.subjectId, lineage }
      // Many reports share one run.
      const isJoined =
        triggerType === 'feedback_submitted' && (await joinWaitingRun(db, { ...item, automationId: automation.id }))
      if (!isJoined) await scheduleIfRoom(ctx, [run])
    })
  }
}
