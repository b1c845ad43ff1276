import { Cron as Croner } from 'croner'
import { type Cron, parseCron } from './cron.ts'

export const PRESETS = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const
export type Preset = (typeof PRESETS)[number]

const PRESET_EXPRESSIONS: Record<Preset, string> = {
  hourly: '0 * * * *',
  daily: '0 9 * * *',
  weekdays: '0 9 * * 1-5',
  weekly: '0 9 * * 1',
  monthly: '0 9 1 * *',
}

export interface Schedule {
  cronExpression: string
  timezone: string
  preset: Preset | null
}

interface ScheduleConfig {
  cronExpression?: string | null | undefined
  timezone?: string | null | undefined
  preset?: Preset | null | undefined
}

interface Fault {
  field: keyof ScheduleConfig
  detail: string
}

/** Completes the configuration of a schedule, or lists everything that is wrong with it, by field. */
export function resolveSchedule(config: ScheduleConfig): Schedule | { faults: Fault[] } {
  const { cronExpression: expression, preset = null } = config
  const timezone = config.timezone ?? 'UTC'
  const faults: Fault[] = []
  if (!isTimezone(timezone))
    faults.push({
      field: 'timezone',
      detail: `"${timezone}" is not an IANA time zone, such as "Europe/Berlin" or "UTC".`,
    })
  const fallback = preset && PRESET_EXPRESSIONS[preset]
  const wanted = expression ?? fallback
  if (wanted === null)
    faults.push({ field: 'cronExpression', detail: 'A schedule needs "cron_expression" or "preset".' })
  const cron = wanted === null ? undefined : parseCron(wanted)
  if (cron && 'fault' in cron) faults.push({ field: 'cronExpression', detail: cron.fault })
  else if (cron && fallback && expression != null && patternOf(fallback) !== cron.pattern)
    faults.push({
      field: 'preset',
      detail: `"${preset}" means "${fallback}", which is not what "${expression}" says. Send one of the two.`,
    })
  if (faults.length > 0) return { faults }
  return { cronExpression: (cron as Cron).expression, timezone, preset }
}

const patternOf = (expression: string) => (parseCron(expression) as Cron).pattern

/** Accepts names only: an offset such as "+01:00" has no daylight saving time. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the next time after `now`. When a clock change repeats an hour, a fixed time fires once and an interval
 * continues; a fixed time in a skipped hour fires right after the skip.
 */
export function nextFireAt(
  { cronExpression, timezone }: Pick<Schedule, 'cronExpression' | 'timezone'>,
  now: Date,
): Date {
  const patterns = patternsOf(parseCron(cronExpression) as Cron)
  const nextOf = (index: number) => {
    const next = new Croner(patterns[index]!, { mode: '5-part', timezone, paused: true }).nextRun(now)
    if (!next) throw new Error(`"${cronExpression}" has no next time.`)
    return next
  }
  return earliest(patterns.length, nextOf)
}

/** croner treats several times a day as an interval, so each is asked for separately, in order of time. */
function patternsOf({ expression, pattern }: Cron): string[] {
  const [minutes, hours, ...dates] = pattern.split(' ') as [string, string, ...string[]]
  const written = expression.split(' ').slice(0, 2)
  // A range of all minutes has already become a star.
  if ([...written, minutes, hours].some((field) => field.includes('*'))) return [pattern]
  return hours.split(',').flatMap((hour) => minutes.split(',').map((minute) => [minute, hour, ...dates].join(' ')))
}

/**
 * There can be more than a thousand times a day, so this bisects. Times already past today come on a later day, after
 * all others; the first of those still ahead is the earliest.
 */
function earliest(count: number, nextOf: (index: number) => Date): Date {
  const first = nextOf(0)
  let best = first
  let [low, high] = [1, count]
  while (low < high) {
    const middle = (low + high) >> 1
    const next = nextOf(middle)
    if (next < first) {
      best = next
      high = middle
    } else low = middle + 1
  }
  return best
}
