/** Strict cron expressions with five fields. A fault names the field. */

interface Field {
  name: string
  min: number
  max: number
  names?: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 7, names: DAYS },
]
const DAY_OF_WEEK = FIELDS[4]!

export interface Cron {
  /** As written, with single spaces. */
  expression: string
  /** Numbers only, with ranges and steps expanded; an unrestricted field stays `*`. Equal patterns mean the same. */
  pattern: string
}

class Fault extends Error {}

/** Parses an expression or explains what is wrong with it. */
export function parseCron(text: string): Cron | { fault: string } {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== FIELDS.length)
    return {
      fault: `"${text}" does not have five fields: minute, hour, day of month, month, day of week.`,
    }
  try {
    const fields = plainest(parts.map((part, index) => valuesOf(part, FIELDS[index]!, index)))
    if (neverComes(fields)) return { fault: `"${text}" names a date that never comes. Use a day that the month has.` }
    return { expression: parts.join(' '), pattern: fields.map((values) => values?.join(',') ?? '*').join(' ') }
  } catch (err) {
    if (err instanceof Fault) return { fault: err.message }
    throw err
  }
}

/**
 * A field that lists all values equals `*`, except for a day next to the other day field: if both are set, either
 * matches.
 */
function plainest([minute, hour, day, month, weekday]: (number[] | undefined)[]): (number[] | undefined)[] {
  const unless = (values: number[] | undefined, all: number) => (values?.length === all ? undefined : values)
  return [
    unless(minute, 60),
    unless(hour, 24),
    weekday ? day : unless(day, 31),
    unless(month, 12),
    day ? weekday : unless(weekday, 7),
  ]
}

/** The values of a field, sorted. Undefined if it allows everything. */
function valuesOf(part: string, field: Field, index: number): number[] | undefined {
  if (part === '*') return undefined
  const values = new Set(part.split(',').flatMap((item) => itemValues(item, field, index)))
  return [...values].sort((a, b) => a - b)
}

function itemValues(item: string, field: Field, index: number): number[] {
  const fault = (detail: string) => new Fault(`In the ${ordinal(index)} field (${field.name}): ${detail}`)
  const match = /^(?:(\*)|([A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?)(?:\/(\d{1,4}))?$/.exec(item)
  if (!match) throw fault(`"${item}" is not a number, a range such as 1-5, a step such as */15, or a list of those.`)
  const [, star, first, last, by] = match
  const from = star ? field.min : numberOf(first!, field, fault)
  const step = by === undefined ? 1 : Number(by)
  let to = star ? topOf(field) : last === undefined ? (by === undefined ? from : topOf(field)) : from
  if (last !== undefined) {
    to = numberOf(last, field, fault)
    // At the end of a range, Sunday is the last day of the week.
    if (field === DAY_OF_WEEK && to === 0 && from > 0) to = 7
  }
  if (from > to) throw fault(`"${item}" runs backwards. Write two ranges, separated by a comma.`)
  if (step < 1 || step > field.max) throw fault(`the step of "${item}" must be from 1 to ${field.max}.`)
  const values: number[] = []
  for (let value = from; value <= to; value += step) values.push(field === DAY_OF_WEEK ? value % 7 : value)
  return values
}

const topOf = (field: Field) => (field === DAY_OF_WEEK ? 6 : field.max)

function numberOf(text: string, field: Field, fault: (detail: string) => Fault): number {
  const name = field.names?.indexOf(text.toUpperCase()) ?? -1
  if (name !== -1) return name + field.min
  const allowed = `from ${field.min} to ${field.max}${field.names ? ` or one of ${field.names.join(', ')}` : ''}`
  if (!/^\d{1,4}$/.test(text) || Number(text) < field.min || Number(text) > field.max)
    throw fault(`"${text}" is not ${allowed}.`)
  return Number(text)
}

/** Weekdays occur in every month, so only days of the month can be unreachable. */
function neverComes([, , days, months, weekdays]: (number[] | undefined)[]): boolean {
  if (!days || weekdays) return false
  const longest = Math.max(...(months ?? [1]).map((month) => DAYS_IN_MONTH[month - 1]!))
  return Math.min(...days) > longest
}

const ordinal = (index: number) => ['first', 'second', 'third', 'fourth', 'fifth'][index]
