import { describe, expect, it } from 'vitest'
import { nextFireAt, PRESETS, resolveSchedule, type Schedule } from './schedule.ts'

function timesOf(cronExpression: string, timezone: string, from: string, count: number): string[] {
  let at = new Date(from)
  return Array.from({ length: count }, () => {
    at = nextFireAt({ cronExpression, timezone }, at)
    return at.toISOString().slice(5, 16)
  })
}

describe('a fixed time', () => {
  it('follows the wall clock into winter, coming once in the hour that comes twice', () => {
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00:00Z', 3)).toEqual([
      '10-24T00:30',
      '10-25T00:30',
      '10-26T01:30',
    ])
  })

  it('follows the wall clock into summer, coming at the jump when its hour is left out', () => {
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).toEqual([
      '03-28T01:30',
      '03-29T01:00',
      '03-30T00:30',
    ])
  })

  it('comes once in the longer night also where there are several a day', () => {
    const from = '2026-10-24T12:30:00Z'
    expect(timesOf('0 2,14 * * *', 'Europe/Berlin', from, 3)).toEqual(['10-25T00:00', '10-25T13:00', '10-26T01:00'])
    expect(timesOf('0,30 2 * * *', 'Europe/Berlin', from, 3)).toEqual(['10-25T00:00', '10-25T00:30', '10-26T01:00'])
    expect(timesOf('30 1-3 * * *', 'Europe/Berlin', from, 4)).toEqual([
      '10-24T23:30',
      '10-25T00:30',
      '10-25T02:30',
      '10-26T00:30',
    ])
  })

  it('is not lost in the shorter night where there are several a day', () => {
    const from = '2026-03-28T13:30:00Z'
    expect(timesOf('0 2,14 * * *', 'Europe/Berlin', from, 3)).toEqual(['03-29T01:00', '03-29T12:00', '03-30T00:00'])
    expect(timesOf('0,30 2 * * *', 'Europe/Berlin', from, 3)).toEqual(['03-29T01:00', '03-30T00:00', '03-30T00:30'])
    expect(timesOf('30 1,2,3 * * *', 'Europe/Berlin', from, 4)).toEqual([
      '03-29T00:30',
      '03-29T01:00',
      '03-29T01:30',
      '03-29T23:30',
    ])
  })

  it.each([
    ['Europe/Berlin', '2026-03-28'],
    ['Europe/Berlin', '2026-10-24'],
    ['America/Santiago', '2026-09-05'],
    ['Australia/Lord_Howe', '2026-04-04'],
  ])('of many in %s from %s on is the earliest of them, whatever the hour', (timezone, date) => {
    const from = Date.parse(`${date}T06:10:00Z`)
    const hours = [0, 1, 2, 3, 14, 23]
    const next = (expression: string, at: Date) => nextFireAt({ cronExpression: expression, timezone }, at)
    for (let step = 0; step < 60; step++) {
      const at = new Date(from + step * 35 * 60_000)
      const singles = hours.flatMap((hour) => [0, 15, 45].map((minute) => next(`${minute} ${hour} * * *`, at)))
      const earliest = new Date(Math.min(...singles.map(Number)))
      expect(next(`0,15,45 ${hours.join(',')} * * *`, at)).toEqual(earliest)
    }
  })

  it('keeps its hour across both changes of a year', () => {
    expect(timesOf('0 9 * * *', 'America/New_York', '2026-03-07T00:00:00Z', 3)).toEqual([
      '03-07T14:00',
      '03-08T13:00',
      '03-09T13:00',
    ])
    expect(timesOf('0 9 * * *', 'America/New_York', '2026-10-31T00:00:00Z', 3)).toEqual([
      '10-31T13:00',
      '11-01T14:00',
      '11-02T14:00',
    ])
  })

  it('comes also where midnight itself is left out', () => {
    expect(timesOf('0 0 * * *', 'America/Santiago', '2026-09-05T10:00:00Z', 2)).toEqual(['09-06T04:00', '09-07T03:00'])
  })

  it('knows zones whose offset is no whole hour, and zones across the date line', () => {
    expect(timesOf('0 9 * * *', 'Asia/Kathmandu', '2026-11-15T00:00:00Z', 1)).toEqual(['11-15T03:15'])
    expect(timesOf('0 9 * * 1', 'Pacific/Kiritimati', '2026-11-15T00:00:00Z', 1)).toEqual(['11-15T19:00'])
  })
})

describe('an interval', () => {
  it('goes on through the hour that comes twice', () => {
    expect(timesOf('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4)).toEqual([
      '10-25T00:00',
      '10-25T01:00',
      '10-25T02:00',
      '10-25T03:00',
    ])
  })

  it('goes on through the hour that is left out', () => {
    expect(timesOf('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:10:00Z', 4)).toEqual([
      '03-29T00:30',
      '03-29T01:00',
      '03-29T01:30',
      '03-29T02:00',
    ])
  })

  it('within one hour of the day goes on when that hour comes twice', () => {
    expect(timesOf('*/30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 5)).toEqual([
      '10-25T00:00',
      '10-25T00:30',
      '10-25T01:00',
      '10-25T01:30',
      '10-26T01:00',
    ])
  })

  it('goes on where the clock changes by half an hour', () => {
    expect(timesOf('*/30 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:10:00Z', 4)).toEqual([
      '04-04T14:30',
      '04-04T15:00',
      '04-04T15:30',
      '04-04T16:00',
    ])
  })
})

describe('the config of a schedule', () => {
  it.each([
    ['hourly', '0 * * * *'],
    ['daily', '0 9 * * *'],
    ['weekdays', '0 9 * * 1-5'],
    ['weekly', '0 9 * * 1'],
    ['monthly', '0 9 1 * *'],
  ] as const)('"%s" is short for "%s"', (preset, cronExpression) => {
    expect(resolveSchedule({ preset })).toEqual({ cronExpression, timezone: 'UTC', preset })
    expect(PRESETS).toContain(preset)
  })

  it('may say both when they agree, however the expression is written', () => {
    const said = resolveSchedule({ preset: 'weekdays', cronExpression: '0 9 * * MON-FRI', timezone: 'Asia/Tokyo' })
    expect(said).toEqual({ cronExpression: '0 9 * * MON-FRI', timezone: 'Asia/Tokyo', preset: 'weekdays' })
    expect(resolveSchedule({ preset: 'hourly', cronExpression: '0 */1 * * *' })).toMatchObject({ preset: 'hourly' })
  })

  it('says all that is wrong with it', () => {
    const { faults } = resolveSchedule({ cronExpression: '61 * * * *', timezone: 'Mars/Olympus' }) as {
      faults: { field: string }[]
    }
    expect(faults.map((fault) => fault.field)).toEqual(['timezone', 'cronExpression'])
  })

  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'EST', 'europe/berlin'])(
    'knows the zone %s',
    (timezone) => {
      expect((resolveSchedule({ preset: 'daily', timezone }) as Schedule).timezone).toBe(timezone)
    },
  )

  it.each(['', ' ', '+01:00', 'Berlin', 'Europe/Berlin ', 'UTC+1', 'Europe//Berlin', '../etc'])(
    'does not know the zone "%s"',
    (timezone) => {
      expect(resolveSchedule({ preset: 'daily', timezone })).toMatchObject({ faults: [{ field: 'timezone' }] })
    },
  )
})
