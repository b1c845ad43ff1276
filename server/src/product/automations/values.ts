import type { Static } from 'typebox'
import { type FieldError, invalid } from '../../kernel/errors.ts'
import { readLimits, toToolKit } from '../conversations/index.ts'
import type { AutomationChange, AutomationValues, GrantDraft, TriggerDraft } from './automation.ts'
import type { AutomationBody, NewAutomationBody } from './schema.ts'
import { readFilter } from './triggers/filter.ts'
import { resolveSchedule } from './triggers/schedule.ts'

type NewBody = Static<typeof NewAutomationBody>
type ChangeBody = Static<typeof AutomationBody>

/** Translates a request or a tool call into the values that actions take. */
export const readValues = (body: NewBody): AutomationValues => ({
  name: body.name,
  userPrompt: body.user_prompt,
  triggers: readTriggers(body.triggers),
  toolKit: body.tool_kit ? toToolKit(body.tool_kit) : {},
  grants: readGrants(body.integration_grants ?? []),
  model: body.model ?? null,
  concurrency: body.concurrency,
  approval: body.approval,
  budget: body.budget && readLimits(body.budget),
  enabled: body.enabled,
})

export const readChange = (body: ChangeBody): AutomationChange => ({
  name: body.name,
  enabled: body.enabled,
  userPrompt: body.user_prompt,
  triggers: body.triggers && readTriggers(body.triggers),
  toolKit: body.tool_kit && toToolKit(body.tool_kit),
  grants: body.integration_grants && readGrants(body.integration_grants),
  model: body.model,
  concurrency: body.concurrency,
  approval: body.approval,
  budget: body.budget && readLimits(body.budget),
})

const readGrants = (grants: NonNullable<NewBody['integration_grants']>): GrantDraft[] =>
  grants.map((one) => (typeof one === 'string' ? { id: one, tools: null } : { id: one.id, tools: one.tools ?? null }))

const CONFIG_FIELDS = { cronExpression: 'cron_expression', timezone: 'timezone', preset: 'preset' } as const

/** Reports all faults of the triggers at once. */
function readTriggers(triggers: NewBody['triggers']): TriggerDraft[] {
  const errors: FieldError[] = []
  const drafts = triggers.map(({ trigger_type: triggerType, config, filter: sent }, index): TriggerDraft => {
    const at = `/triggers/${index}/config`
    const filter = readFilter(triggerType, sent, `/triggers/${index}/filter`, errors)
    if (triggerType === 'schedule') {
      const { cron_expression: cronExpression, timezone, preset } = config ?? {}
      const schedule = resolveSchedule({ cronExpression, timezone, preset })
      if (!('faults' in schedule)) return { triggerType, ...schedule, filter }
      for (const { field, detail } of schedule.faults) errors.push({ pointer: `${at}/${CONFIG_FIELDS[field]}`, detail })
    } else
      for (const [field, value] of Object.entries(config ?? {}))
        if (value != null)
          errors.push({
            pointer: `${at}/${field}`,
            detail: `"${value}" has no meaning for the trigger "${triggerType}". Only a "schedule" has a config; leave it out or send null.`,
          })
    return { triggerType, cronExpression: null, timezone: null, preset: null, filter }
  })
  if (errors.length > 0) throw invalid(errors)
  return drafts
}
