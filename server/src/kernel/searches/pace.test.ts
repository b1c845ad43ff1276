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
        /** Whether it has to rest after having worked for so long. */
        work(ms: number) {
          at.ms += ms
          return pace.isOver()
        },
        rest(ms: number) {
          at.ms += ms
          pace.noteRest(ms)
        },
      }
    },
    pass(ms: number) {
      at.ms += ms
    },
  }
}

/** With a project one of whose searches ran out of time while others were served. */
function openWithFailed(projectId: string) {
  const opened = open()
  const search = opened.startSearch(projectId)
  search.work(2_000)
  opened.serveOther()
  search.end(true)
  return opened
}

it('lets searches take all there is while nobody else asks for anything', () => {
  const { startSearch } = open()
  for (let time = 0; time < 20; time++) {
    const search = startSearch('p')
    expect([search.work(1_900), search.isHeld(), search.stretchMs()]).toEqual([false, false, 12])
    search.end(true)
  }
})

it('never holds searches up that find what they look for, however many', () => {
  const { startSearch, serveOther } = open()
  for (let time = 0; time < 100; time++) {
    const search = startSearch('p')
    serveOther()
    expect([search.work(1_500), search.isHeld()]).toEqual([false, false])
    search.end(false)
  }
})

it('lets a project search but little when its searches have worked in vain, while others are served', () => {
  const { startSearch, serveOther, pass } = openWithFailed('p')
  const search = startSearch('p')
  serveOther()
  expect([search.isHeld(), search.stretchMs()]).toEqual([true, 4])
  expect([search.work(40), search.work(1)]).toEqual([false, true])
  search.rest(50)
  expect(search.isOver()).toBe(true)
  const other = startSearch('another')
  serveOther()
  expect([other.isHeld(), other.stretchMs(), other.work(50)]).toEqual([false, 12, false])
  expect(search.isOver()).toBe(true)
  pass(101)
  expect([search.isOver(), search.isHeld()]).toEqual([false, false])
})

it('adds up what was in vain, and does not count what was waited for', () => {
  const { startSearch, serveOther } = open()
  const fail = (workedMs: number, restedMs: number) => {
    const search = startSearch('p')
    search.work(workedMs)
    search.rest(restedMs)
    serveOther()
    search.end(true)
    return startSearch('p').isHeld()
  }
  expect([fail(100, 1_900), fail(700, 0), fail(150, 0), fail(60, 0)]).toEqual([false, false, false, true])
})

it('gives more time to those who waited for long, and all of it a minute later', () => {
  const { startSearch, serveOther, pass } = openWithFailed('p')
  pass(10_000)
  const search = startSearch('p')
  serveOther()
  expect([search.work(200), search.work(10)]).toEqual([false, true])
  search.end(true)
  const next = startSearch('p')
  serveOther()
  expect([next.work(40), next.work(10)]).toEqual([false, true])
  // It ran out of time because it was held up: that makes it last no longer.
  next.end(true)
  pass(50_000)
  const last = startSearch('p')
  serveOther()
  expect([last.isHeld(), last.work(1_900)]).toEqual([false, false])
})

it('lets searches that are soon done take nothing from the others', () => {
  const { startSearch, serveOther, pass } = openWithFailed('p')
  pass(10_000)
  for (let time = 0; time < 10; time++) {
    const search = startSearch('p')
    serveOther()
    expect(search.work(30)).toBe(false)
    search.end(false)
  }
  const search = startSearch('p')
  serveOther()
  expect(search.work(200)).toBe(false)
})
