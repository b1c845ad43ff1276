import { type FieldError, invalid } from '../../kernel/errors.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Trigger, TriggerType } from '../automation.ts'
import { isTimezone, nextFireAt, type Preset, resolveSchedule } from './schedule.ts'

export interface TriggerRequest {
  trigger_type: TriggerType
  config?: { cron_expression?: string | null; timezone?: string | null; preset?: Preset | null } | null
}

export type TriggerDraft = Omit<Trigger, 'id' | 'nextFireAt'>

/** Reads the triggers of a request. All that is wrong with them is said at once. */
export function resolveTriggers(requests: TriggerRequest[]): TriggerDraft[] {
  const errors: FieldError[] = []
  const drafts = requests.map(({ trigger_type: triggerType, config }, index): TriggerDraft => {
    const at = `/triggers/${index}/config`
    const plain = { triggerType, cronExpression: null, timezone: null, preset: null }
    if (triggerType === 'schedule') {
      const schedule = resolveSchedule(config ?? {})
      if (!('faults' in schedule)) return { triggerType, ...schedule }
      errors.push(...schedule.faults.map(({ field, detail }) => ({ pointer: `${at}/${field}`, detail })))
    } else
      for (const [field, value] of Object.entries(config ?? {}))
        if (value != null)
          errors.push({
            pointer: `${at}/${field}`,
            detail: `"${value}" has no meaning for the trigger "${triggerType}". Only a "schedule" has a config; leave it out or send null.`,
          })
    return plain
  })
  if (errors.length > 0) throw invalid(errors)
  return drafts
}

/** What is the same as before keeps its id and its next time, so that sending what was read changes nothing. */
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
      nextFireAt: enabled ? (same?.nextFireAt ?? firstFireAt(draft, now)) : null,
    }
  })
}

export function firstFireAt({ cronExpression, timezone }: TriggerDraft, now: Date): string | null {
  if (cronExpression === null || timezone === null) return null
  // One that was known when the trigger was made: the rest of its automation can still be changed.
  if (!isTimezone(timezone)) return null
  return nextFireAt({ cronExpression, timezone }, now).toISOString()
}

const isSameTrigger = (a: TriggerDraft, b: TriggerDraft) =>
  a.triggerType === b.triggerType &&
  a.cronExpression === b.cronExpression &&
  a.timezone === b.timezone &&
  a.preset === b.preset
