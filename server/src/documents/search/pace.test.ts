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
          return pace.restMs(ms)
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
    expect(startSearch('p').work(140)).toBe(0)
  }
})

it('makes a project that has searched a lot rest while others are served', () => {
  const { startSearch, serveOther, pass } = open()
  const first = startSearch('p')
  serveOther()
  expect(first.work(600)).toBe(0)
  serveOther()
  expect(first.work(100)).toBe(500)
  serveOther()
  const second = startSearch('p')
  expect([second.isHeld(), second.work(150)]).toEqual([false, 0])
  serveOther()
  expect([second.isHeld(), second.stretchMs(), second.work(4)]).toEqual([false, 12, 240])
  expect([second.isHeld(), second.stretchMs(), second.work(4)]).toEqual([true, 4, 240])
  const other = startSearch('another')
  expect(other.work(400)).toBe(0)
  pass(101)
  expect(second.work(4)).toBe(0)
})

it('gives the free time back, slowly', () => {
  const { startSearch, serveOther, pass } = open()
  const search = startSearch('p')
  search.work(750)
  pass(4_000)
  serveOther()
  expect(search.work(4)).toBe(240)
  pass(3_000)
  serveOther()
  expect(search.work(4)).toBe(0)
})
