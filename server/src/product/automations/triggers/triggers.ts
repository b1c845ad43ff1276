import { isDeepStrictEqual } from 'node:util'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { Trigger, TriggerDraft } from '../automation.ts'
import { isTimezone, nextFireAt } from './schedule.ts'

/** An unchanged trigger keeps its id and its next time, so sending back what was read changes nothing. */
export function arrangeTriggers(drafts: TriggerDraft[], before: Trigger[], enabled: boolean, now: Date): Trigger[] {
  const kept = [...before]
  return drafts.map((draft) => {
    const at = kept.findIndex((one) => isSameTrigger(one, draft))
    const [same] = at === -1 ? [] : kept.splice(at, 1)
    return {
      id: same?.id ?? uuidv7(),
      triggerType: draft.triggerType,
      cronExpression: draft.cronExpression,
      timezone: draft.timezone,
      preset: draft.preset,
      filter: draft.filter ?? null,
      nextFireAt: enabled ? (same?.nextFireAt ?? firstFireAt(draft, now)) : null,
    }
  })
}

function firstFireAt({ cronExpression, timezone }: TriggerDraft, now: Date): string | null {
  if (cronExpression === null || timezone === null) return null
  // The time zone was known when the trigger was created. The rest of the automation can still be changed.
  if (!isTimezone(timezone)) return null
  return nextFireAt({ cronExpression, timezone }, now).toISOString()
}

const isSameTrigger = (a: TriggerDraft, b: TriggerDraft) =>
  a.triggerType === b.triggerType &&
  a.cronExpression === b.cronExpression &&
  a.timezone === b.timezone &&
  a.preset === b.preset &&
  isDeepStrictEqual(a.filter ?? null, b.filter ?? null)
