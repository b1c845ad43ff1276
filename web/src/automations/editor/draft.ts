import type { Automation } from '../api.ts'
import type { NewAutomation } from '../edits.ts'
import { findTemplate } from '../templates.ts'

type Trigger = NewAutomation['triggers'][number]

/** Everything that a person sets, as it is sent. */
export interface Values {
  name: string
  user_prompt: string
  triggers: Trigger[]
  tool_kit: { permission_overrides: Automation['tool_kit']['permission_overrides'] }
  integration_grants: { id: string; tools: string[] | null }[]
  model: string | null
  concurrency: Automation['concurrency']
  approval: Automation['approval']
  budget: Automation['budget']
}

const NOTHING: Values = {
  name: '',
  user_prompt: '',
  triggers: [],
  // An agent that deletes should be the wish of a person, not what happens if they set nothing.
  tool_kit: {
    permission_overrides: (
      ['requirements', 'blueprints', 'work_orders', 'feedback', 'artifacts', 'automations'] as const
    ).map((domain) => ({
      domain,
      restriction: domain === 'automations' ? ('cannot_view' as const) : ('cannot_delete' as const),
    })),
  },
  integration_grants: [],
  model: null,
  concurrency: null,
  approval: 'required',
  budget: { tokens_per_day: null, tokens_per_month: null, cost_per_day: null, cost_per_month: null },
}

export const newValues = (template: string | undefined): Values => ({
  ...NOTHING,
  ...(findTemplate(template)?.values as Partial<Values> | undefined),
})

export const valuesOf = (one: Automation): Values => ({
  name: one.name,
  user_prompt: one.user_prompt,
  triggers: one.triggers.map(({ trigger_type, config, filter }) => ({ trigger_type, config, filter })),
  tool_kit: { permission_overrides: one.tool_kit.permission_overrides },
  integration_grants: one.integration_grants.map(({ id, tools }) => ({ id, tools })),
  model: one.model,
  concurrency: one.concurrency,
  approval: one.approval,
  budget: one.budget,
})

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Only what differs, so that what others changed in the meantime stays. */
export const changeOf = (before: Values, after: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(after).filter(([field, value]) => !isSame(value, before[field as keyof Values])),
  ) as Partial<Values>

/** What a person has begun, and the state that they began with. */
export interface Draft {
  base: Values
  values: Values
}

/** The same draft on what is stored now: only what this person changed stays as it was when they began. */
export const rebased = (stored: Values, { base, values }: Draft): Draft => ({
  base: { ...stored, ...changeOf(values, base) },
  values: { ...stored, ...changeOf(base, values) },
})

/** What this person and somebody else have changed differently since the draft began. */
export const conflictsOf = (stored: Values, { base, values }: Draft) =>
  (Object.keys(changeOf(base, values)) as (keyof Values)[]).filter(
    (field) => !isSame(stored[field], base[field]) && !isSame(stored[field], values[field]),
  )

/** What is missing before it can be saved. */
export function missingIn({ name, user_prompt }: Values): string[] {
  return [...(name.trim() === '' ? ['a name'] : []), ...(user_prompt.trim() === '' ? ['instructions'] : [])]
}
