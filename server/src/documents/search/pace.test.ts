import { expect, it } from 'vitest'
import { createPaces } from './pace.ts'

/** A clock and requests that come when the test says so. */
function open() {
  const at = { ms: 0, arrivals: 0 }
  const paces = createPaces({ now: () => at.ms, arrivals: () => at.arrivals })
  return {
    serveOther() {
      at.arrivals++
    },
    startSearch(projectId: string) {
      at.arrivals++
      paces.noteSearch()
      const pace = paces.paceOf(projectId)
      return {
        ...pace,
        /** How long it rests after having worked for so long. */
        work(ms: number) {
          at.ms += ms
          return Math.round(pace.restMs(ms))
        },
      }
    },
    pass(ms: number) {
      at.ms += ms
    },
  }
}

it('lets searches take all there is while nobody else asks for anything', () => {
  const { startSearch } = open()
  for (let time = 0; time < 20; time++) {
    const search = startSearch('p')
    expect(search.work(400)).toBe(0)
    expect(search.work(400)).toBe(0)
    expect(search.stretchMs()).toBe(12)
  }
})

it('never holds searches up that are soon done', () => {
  const { startSearch, serveOther } = open()
  for (let time = 0; time < 100; time++) {
    serveOther()
    expect(startSearch('p').work(290)).toBe(0)
  }
})

it('makes a project that has searched a lot rest while others are served', () => {
  const { startSearch, serveOther, pass } = open()
  const first = startSearch('p')
  serveOther()
  expect(first.work(500)).toBe(0)
  expect(first.isHeld()).toBe(false)
  expect(first.work(4)).toBe(196)
  expect([first.isHeld(), first.stretchMs(), first.work(4)]).toEqual([true, 4, 392])
  const other = startSearch('another')
  expect([other.isHeld(), other.stretchMs(), other.work(400)]).toEqual([false, 12, 0])
  pass(101)
  expect([first.isHeld(), first.stretchMs(), first.work(4)]).toEqual([false, 12, 0])
})

it('begins searches of such a project at once, and lets them end when they are soon done', () => {
  const { startSearch, serveOther, pass } = open()
  const first = startSearch('p')
  serveOther()
  first.work(900)
  for (let time = 0; time < 10; time++) {
    const next = startSearch('p')
    serveOther()
    expect([next.isHeld(), next.stretchMs(), next.work(20), next.work(20)]).toEqual([true, 4, 0, 0])
  }
  const heavy = startSearch('p')
  serveOther()
  heavy.work(40)
  // What it worked at first counts as well, now that it is not soon done.
  expect(heavy.work(10)).toBe((900 + 50 - 450 * 0.02 - 500) / 0.02)
  pass(5_000)
  const later = startSearch('p')
  serveOther()
  expect([later.isHeld(), later.work(100)]).toEqual([true, 0])
  serveOther()
  expect(later.work(4)).toBeGreaterThan(15_000)
})

it('gives the free time back, slowly, and forgives most of what goes beyond it', () => {
  const { startSearch, serveOther, pass } = open()
  const search = startSearch('p')
  serveOther()
  search.work(5_000)
  expect(search.work(0)).toBe(25_000)
  pass(24_000)
  serveOther()
  expect(search.work(0)).toBe(1_000)
  pass(1_000)
  serveOther()
  expect(search.work(0)).toBe(0)
})

it('charges nothing for what is done while nobody else is served', () => {
  const { startSearch, serveOther } = open()
  startSearch('p').work(5_000)
  serveOther()
  expect(startSearch('p').work(400)).toBe(0)
})
