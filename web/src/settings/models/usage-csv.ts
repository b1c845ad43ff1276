import { csvText } from '../../lib/csv.ts'
import type { ModelUsage } from './api.ts'

const HEAD = ['Day', 'By', 'Name', 'Tokens', 'Cost']

/** A line for each automation and each person on each day. */
export function usageCsv({ automations, people }: ModelUsage): string {
  const linesOf = (by: string, name: string, days: ModelUsage['people'][number]['days']) =>
    days.map(({ day, tokens, cost }) => [day, by, name, String(tokens), String(cost)])
  return csvText([
    HEAD,
    ...automations.flatMap((one) => linesOf('automation', nameOfUse(one), one.days)),
    ...people.flatMap(({ display_name, days }) => linesOf('person', display_name, days)),
  ])
}

export const nameOfUse = ({ automation_id, name }: ModelUsage['automations'][number]) =>
  name ?? (automation_id === null ? 'Conversations' : 'Deleted automation')
