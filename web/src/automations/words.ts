import type { Automation } from './api.ts'

export const DOMAINS = ['requirements', 'blueprints', 'work_orders', 'feedback', 'artifacts', 'automations'] as const
export type Domain = (typeof DOMAINS)[number]
export const RIGHTS = ['view', 'create', 'edit', 'delete'] as const
export type Right = (typeof RIGHTS)[number]
export type Kit = Record<Domain, Record<Right, boolean>>

/** In a sentence. */
const NOUNS: Record<Domain, string> = {
  requirements: 'requirements',
  blueprints: 'blueprints',
  work_orders: 'work orders',
  feedback: 'feedback',
  artifacts: 'knowledge base documents',
  automations: 'automations',
}
export const DOMAIN_NAMES: Record<Domain, string> = {
  requirements: 'Requirements',
  blueprints: 'Blueprints',
  work_orders: 'Work orders',
  feedback: 'Feedback',
  artifacts: 'Knowledge base',
  automations: 'Automations',
}

type Overrides = Automation['tool_kit']['permission_overrides']

/** What a kit allows, from what it forbids. */
export function kitOf(overrides: Overrides): Kit {
  const forbids = (domain: Domain, right: Right) =>
    overrides.some((one) => one.domain === domain && one.restriction === `cannot_${right}`)
  const of = (domain: Domain) => {
    const views = !forbids(domain, 'view')
    return Object.fromEntries(RIGHTS.map((right) => [right, views && !forbids(domain, right)])) as Kit[Domain]
  }
  return Object.fromEntries(DOMAINS.map((domain) => [domain, of(domain)])) as Kit
}

/** The other way round. A domain that is hidden needs no more than that. */
export const overridesOf = (kit: Kit): Overrides =>
  DOMAINS.flatMap((domain) => {
    if (!kit[domain].view) return [{ domain, restriction: 'cannot_view' as const }]
    return RIGHTS.filter((right) => !kit[domain][right]).map((right) => ({
      domain,
      restriction: `cannot_${right}` as const,
    }))
  })

const together = (words: string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const VERBS: Record<Exclude<Right, 'view'>, string> = { create: 'creates', edit: 'edits', delete: 'deletes' }

/** What an automation may do: "creates and edits work orders, reads blueprints". */
export function mayDo(overrides: Overrides): string {
  const kit = kitOf(overrides)
  if (DOMAINS.every((domain) => RIGHTS.every((right) => kit[domain][right]))) return 'may do what its owner may do'
  const phrases = new Map<string, string[]>()
  for (const domain of DOMAINS.filter((one) => kit[one].view)) {
    const verbs = (['create', 'edit', 'delete'] as const).filter((right) => kit[domain][right])
    const phrase = verbs.length === 0 ? 'reads' : together(verbs.map((right) => VERBS[right]))
    phrases.set(phrase, [...(phrases.get(phrase) ?? []), NOUNS[domain]])
  }
  const sorted = [...phrases].sort(([a], [b]) => Number(a === 'reads') - Number(b === 'reads'))
  return sorted.map(([verb, nouns]) => `${verb} ${together(nouns)}`).join(', ') || 'uses no tools of Slipway'
}

export type TriggerType = Automation['triggers'][number]['trigger_type']
export const TRIGGERS: readonly TriggerType[] = [
  'schedule',
  'code_push',
  'feedback_submitted',
  'requirements_updated',
  'blueprint_updated',
  'work_order_status_changed',
]
export const TRIGGER_NAMES: Record<TriggerType, string> = {
  schedule: 'Schedule',
  code_push: 'Code push',
  feedback_submitted: 'Feedback submitted',
  requirements_updated: 'Requirements updated',
  blueprint_updated: 'Blueprint updated',
  work_order_status_changed: 'Work order status changed',
  manual: 'Manual',
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A schedule in a few words: Weekdays 07:30. Those that are not so simple stay as they are written. */
export function scheduleWords(expression: string | null): string {
  const [minute = '', hour = '', day, month, weekday = ''] = (expression ?? '').split(' ')
  if (/^\d+$/.test(minute) && hour === '*' && day === '*' && weekday === '*')
    return `Hourly :${minute.padStart(2, '0')}`
  if (!/^\d+$/.test(minute) || !/^\d+(,\d+)*$/.test(hour) || month !== '*') return expression ?? ''
  const hours = hour.split(',').map((one) => one.padStart(2, '0'))
  const isShort = hours.length > 1 && Number(minute) === 0
  const time = isShort ? `${hours.join(', ')} h` : hours.map((one) => `${one}:${minute.padStart(2, '0')}`).join(', ')
  if (day === '*' && weekday === '*') return `Daily ${time}`
  if (day === '*' && weekday === '1-5') return `Weekdays ${time}`
  if (day === '*' && /^[0-7]$/.test(weekday)) return `${DAYS[Number(weekday)]} ${time}`
  if (day === '*' && /^[0-7](,[0-7])+$/.test(weekday)) {
    const days = weekday.split(',').map((one) => DAYS[Number(one)]!.slice(0, 3))
    return `${days.join(', ')} ${time}`
  }
  if (/^\d+$/.test(day ?? '') && weekday === '*') return `Monthly, day ${day}, ${time}`
  return expression ?? ''
}

export const triggerWords = ({ trigger_type, config }: Automation['triggers'][number]): string =>
  trigger_type === 'schedule' ? scheduleWords(config.cron_expression) : TRIGGER_NAMES[trigger_type]

/** Nudge stale work orders: NS. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return (words.length > 1 ? words[0]!.charAt(0) + words[1]!.charAt(0) : name.slice(0, 2)).toUpperCase()
}
