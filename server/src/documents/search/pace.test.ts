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
    /** A search that works for so long; how long it rests then. */
    search(projectId: string, workedMs: number) {
      at.arrivals++
      paces.noteSearch()
      at.ms += workedMs
      return paces.paceOf(projectId).restMs(workedMs)
    },
    stretchMs: (projectId: string) => paces.paceOf(projectId).stretchMs(),
    pass(ms: number) {
      at.ms += ms
    },
  }
}

it('lets searches take all there is while nobody else asks for anything', () => {
  const { search, stretchMs } = open()
  for (let time = 0; time < 20; time++) expect(search('p', 400)).toBe(0)
  expect(stretchMs('p')).toBe(12)
})

it('makes a project that has searched a lot rest while others are served', () => {
  const { search, serveOther, stretchMs, pass } = open()
  serveOther()
  expect(search('p', 400)).toBe(0)
  serveOther()
  expect(search('p', 400)).toBe(250)
  serveOther()
  expect(stretchMs('p')).toBe(4)
  expect(search('p', 4)).toBe(120)
  serveOther()
  expect(search('another', 4)).toBe(0)
  pass(101)
  expect(search('p', 4)).toBe(0)
})

it('gives the free time back, slowly', () => {
  const { search, serveOther, pass } = open()
  search('p', 600)
  pass(1_000)
  serveOther()
  expect(search('p', 4)).toBe(120)
  pass(2_000)
  serveOther()
  expect(search('p', 4)).toBe(0)
})
