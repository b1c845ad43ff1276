import { expect, it } from 'vitest'
import { calendarOf } from './calendar.ts'
import { storyTime } from './story-time.ts'

const HOUR_MS = 3_600_000
const shown = (now: string, story: string) => new Date(calendarOf(Date.parse(now))(storyTime(story))).toISOString()

it('keeps the time of day of earlier days, whenever it is told', () => {
  for (const now of ['2026-11-16T12:00:00Z', '2027-01-05T00:10:00Z', '2026-11-20T22:30:00Z'])
    expect(shown(now, 'Nov 13 07:30')).toMatch(/T06:30:00/)
  expect(shown('2026-11-20T12:00:00Z', 'Nov 14 09:00')).toBe('2026-11-19T08:00:00.000Z')
})

it('ends now, and keeps the distance of what has just happened', () => {
  expect(shown('2026-11-20T12:00:00Z', 'Nov 15 22:46')).toBe('2026-11-20T12:00:00.000Z')
  expect(shown('2026-11-20T12:00:00Z', 'Nov 15 22:38')).toBe('2026-11-20T11:52:00.000Z')
})

it('fits the last day into today, in order', () => {
  const morning = Array.from({ length: 23 }, (_, hour) => `Nov 15 ${String(hour).padStart(2, '0')}:30`)
  for (const now of ['2026-11-20T02:00:00Z', '2026-11-20T12:00:00Z', '2026-11-20T22:55:00Z']) {
    const times = ['Nov 14 23:59', ...morning].map((story) => Date.parse(shown(now, story)))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)!).toBeLessThanOrEqual(Date.parse(now))
    expect(Date.parse(now) - times[1]!).toBeLessThan(24 * HOUR_MS)
  }
})
