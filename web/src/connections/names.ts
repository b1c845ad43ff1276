import type { Connection } from './api.ts'

const CODES: Partial<Record<Connection['resource_type'], string>> = {
  work_order: 'WO',
  theme: 'TH',
  feedback_item: 'FB',
}

/** WO-38, TH-15. Undefined for what has no number. */
export function codeOf({ resource_type, number }: Connection): string | undefined {
  const code = CODES[resource_type]
  return code && number !== null ? `${code}-${number}` : undefined
}

export const nameOf = (one: Connection) => [codeOf(one), one.title].filter(Boolean).join(' ')

/** in_progress → In progress. */
export const inWords = (state: string) =>
  state.charAt(0).toUpperCase() + state.slice(1).toLowerCase().replaceAll('_', ' ')
