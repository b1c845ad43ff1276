import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cron, parseCron } from './cron.ts'
import { nextFireAt } from './schedule.ts'

const patternOf = (text: string) => (parseCron(text) as Cron).pattern
const faultOf = (text: string) => (parseCron(text) as { fault: string }).fault

describe('an expression of five fields', () => {
  it.each([
    ['* * * * *', '* * * * *'],
    ['0 9 * * 1-5', '0 9 * * 1,2,3,4,5'],
    ['0 9 * * MON-FRI', '0 9 * * 1,2,3,4,5'],
    ['0 9 * * mon,Wed,FRI', '0 9 * * 1,3,5'],
    ['0 0 1 JAN,jul *', '0 0 1 1,7 *'],
    ['0 0 1 JAN-MAR *', '0 0 1 1,2,3 *'],
    ['*/20 * * * *', '0,20,40 * * * *'],
    ['10-30/10 * * * *', '10,20,30 * * * *'],
    ['50/5 * * * *', '50,55 * * * *'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['0 0 * * SUN', '0 0 * * 0'],
    ['0 0 * * 5-7', '0 0 * * 0,5,6'],
    ['0 0 * * FRI-SUN', '0 0 * * 0,5,6'],
    ['0 0 * * SUN-TUE', '0 0 * * 0,1,2'],
    ['0 0 * * 0-7', '0 0 * * *'],
    [
      '0 */1 */1 */1 */1',
      '0 * 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31 * 0,1,2,3,4,5,6',
    ],
    ['59,0,0,7 23 31 12 6', '0,7,59 23 31 12 6'],
    ['  0   9\t* * *  ', '0 9 * * *'],
    ['00 09 01 01 *', '0 9 1 1 *'],
  ])('%s means %s', (text, pattern) => {
    expect(patternOf(text)).toBe(pattern)
  })

  it('is shown as it was written, with single spaces', () => {
    expect(parseCron('  0   9 * *  MON ')).toMatchObject({ expression: '0 9 * * MON' })
  })

  it.each([
    ['', 'five fields'],
    ['* * * *', 'five fields'],
    ['0 * * * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['60 * * * *', 'first field (minute): "60" is not from 0 to 59'],
    ['* 24 * * *', 'second field (hour): "24" is not from 0 to 23'],
    ['* * 0 * *', 'third field (day of month): "0" is not from 1 to 31'],
    ['* * 32 * *', 'third field (day of month): "32"'],
    ['* * * 13 *', 'fourth field (month): "13" is not from 1 to 12 or one of JAN'],
    ['* * * * 8', 'fifth field (day of week): "8" is not from 0 to 7 or one of SUN'],
    ['* * * * MONDAY', '"MONDAY"'],
    ['* * * MON *', 'fourth field (month): "MON"'],
    ['* JAN * * *', 'second field (hour): "JAN"'],
    ['*/0 * * * *', 'the step of "*/0" must be from 1 to 59'],
    ['*/60 * * * *', 'the step of "*/60"'],
    ['30-10 * * * *', '"30-10" runs backwards'],
    ['0 22-2 * * *', '"22-2" runs backwards'],
    ['1,,2 * * * *', 'first field (minute): "" is not'],
    ['-1 * * * *', '"-1" is not'],
    ['1.5 * * * *', '"1.5" is not'],
    ['*-5 * * * *', '"*-5" is not'],
    ['0 0 L * *', 'third field (day of month): "L"'],
    ['0 0 ? * *', '"?" is not'],
    ['0 0 * * 5#2', '"5#2" is not'],
    ['0 0 30 2 *', 'never comes'],
    ['0 0 31 2,4,6,9,11 *', 'never comes'],
    ['99999999999999999999 * * * *', 'first field'],
  ])('"%s" is refused: %s', (text, fault) => {
    expect(faultOf(text)).toContain(fault)
  })

  it.each(['0 0 29 2 *', '0 0 30 2 MON', '0 0 31 * *', '0 0 31 4,5 *', '0 0 30,1 2 *'])('"%s" comes', (text) => {
    expect(nextFireAt({ cronExpression: text, timezone: 'UTC' }, new Date('2026-11-15T00:00:00Z'))).toBeInstanceOf(Date)
  })
})

describe('the next time', () => {
  const next = (cronExpression: string, from: string, timezone = 'UTC') =>
    nextFireAt({ cronExpression, timezone }, new Date(from)).toISOString()

  it('is after now, never now', () => {
    expect(next('0 9 * * *', '2026-11-15T09:00:00.000Z')).toBe('2026-11-16T09:00:00.000Z')
    expect(next('0 9 * * *', '2026-11-15T08:59:59.999Z')).toBe('2026-11-15T09:00:00.000Z')
    expect(next('0 9 * * *', '2026-11-15T09:00:00.001Z')).toBe('2026-11-16T09:00:00.000Z')
  })

  it('waits for a leap year', () => {
    expect(next('0 0 29 2 *', '2096-03-01T00:00:00Z')).toBe('2104-02-29T00:00:00.000Z')
  })

  it('takes either of day of month and day of week when both are set', () => {
    expect(next('0 0 13 * FRI', '2026-11-15T00:00:00Z')).toBe('2026-11-20T00:00:00.000Z')
    expect(next('0 0 16 * FRI', '2026-11-15T00:00:00Z')).toBe('2026-11-16T00:00:00.000Z')
  })

  it('agrees with counting the minutes', () => {
    const list = (min: number, max: number) =>
      fc.oneof(fc.constant('*'), fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map(String))
    const fields = fc.tuple(list(0, 59), list(0, 23), list(1, 28), list(1, 12), list(0, 7))
    const from = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) })
    fc.assert(
      fc.property(fields, from, (parts, start) => {
        const expression = parts.join(' ')
        const found = new Date(next(expression, new Date(start).toISOString()))
        expect(found.getTime()).toBe(countMinutes(parts, start))
      }),
      { numRuns: 150 },
    )
  })
})

/** The slow and obvious way, in UTC; whole days and hours that cannot match are skipped. */
function countMinutes(parts: string[], start: number): number {
  const sets = parts.map((part) => (part === '*' ? undefined : new Set(part.split(',').map(Number))))
  const [minutes, hours, days, months, weekdays] = sets
  const isDay = (at: Date) => {
    const day = days?.has(at.getUTCDate())
    const weekday = weekdays && (weekdays.has(at.getUTCDay()) || (at.getUTCDay() === 0 && weekdays.has(7)))
    if (months && !months.has(at.getUTCMonth() + 1)) return false
    return day === undefined ? weekday !== false : weekday === undefined ? day : day || weekday
  }
  for (let at = Math.floor(start / 60_000) * 60_000 + 60_000; ; ) {
    const date = new Date(at)
    if (!isDay(date)) at += 86_400_000 - (at % 86_400_000)
    else if (hours && !hours.has(date.getUTCHours())) at += 3_600_000 - (at % 3_600_000)
    else if (minutes && !minutes.has(date.getUTCMinutes())) at += 60_000
    else return at
  }
}
