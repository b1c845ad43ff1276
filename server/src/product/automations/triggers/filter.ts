import { type Static, Type } from 'typebox'
import type { FieldError } from '../../../kernel/errors.ts'
import { Nullable, named, OneOf, Text } from '../../../kernel/http/schema.ts'
import { STATUSES } from '../../work-orders/index.ts'

const Statuses = Nullable(Type.Array(OneOf(STATUSES), { minItems: 1, maxItems: STATUSES.length }), { examples: [null] })
const Name = (description: string) => Nullable(Text(500, { minLength: 1 }), { description, examples: [null] })

const fields = {
  status_from: Statuses,
  status_to: Statuses,
  label: Name('The title of a label that the work order has.'),
  path: Name('The beginning of a path that a commit changed.'),
  category: Name('The category of the blueprint, or the type of the requirements document.'),
  key: Name('The id or the name of the reporting key that the feedback came with.'),
}

export const TriggerFilterShape = named('AutomationTriggerFilter', Type.Object(fields))
export const TriggerFilterBody = Type.Partial(Type.Object(fields))
export type TriggerFilter = Static<typeof TriggerFilterShape>

type Field = keyof TriggerFilter

const MEANT_FOR: Record<string, Field[]> = {
  work_order_status_changed: ['status_from', 'status_to', 'label'],
  code_push: ['path'],
  blueprint_updated: ['category'],
  requirements_updated: ['category'],
  feedback_submitted: ['key'],
}

/** Completes a filter. Null if it filters nothing. Reports fields that have no meaning for the trigger. */
export function readFilter(
  triggerType: string,
  sent: Static<typeof TriggerFilterBody> | null | undefined,
  at: string,
  errors: FieldError[],
): TriggerFilter | null {
  const given = Object.entries(sent ?? {}).filter(([, value]) => value !== null && value !== undefined)
  if (given.length === 0) return null
  const meant = MEANT_FOR[triggerType] ?? []
  for (const [field] of given)
    if (!meant.includes(field as Field))
      errors.push({
        pointer: `${at}/${field}`,
        detail: `"${field}" has no meaning for the trigger "${triggerType}". ${meant.length > 0 ? `It takes: ${meant.join(', ')}.` : 'It takes no filter.'}`,
      })
  const none = { status_from: null, status_to: null, label: null, path: null, category: null, key: null }
  return { ...none, ...(Object.fromEntries(given) as Partial<TriggerFilter>) }
}
