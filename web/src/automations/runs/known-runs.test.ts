import type { ListedAutomationRun } from '@slipway/sdk'
import { expect, test } from 'vitest'
import { knownPage, outdateRuns, type RunsPage, wereRead } from './known-runs.ts'

const run = (id: string, status = 'succeeded') => ({ id, status }) as ListedAutomationRun
const page = (ids: string, next: string | null): RunsPage => ({
  items: [...ids].map((id) => run(id)),
  total: null,
  next_before: next,
})
const ids = (found: RunsPage | undefined) => found && [found.items.map(({ id }) => id).join(''), found.next_before]

test('what follows a run is taken from the pages that were read, also when new runs moved it', () => {
  const pages = [page('ih', 'h'), page('gf', 'f'), page('e', null)]
  expect(ids(knownPage(pages, 'h', 2))).toEqual(['gf', 'f'])
  expect(ids(knownPage(pages, 'i', 2))).toEqual(['hg', 'g'])
  expect(ids(knownPage(pages, 'g', 2))).toEqual(['fe', null])
  expect(ids(knownPage(pages, 'f', 2))).toEqual(['e', null])
})

test('a page is read if it was never read whole, or has a run that goes on or was changed', () => {
  const pages = [page('ih', 'h'), page('gf', 'f')]
  expect(knownPage(pages, 'x', 2)).toBeUndefined()
  expect(knownPage(pages, 'g', 2)).toBeUndefined()
  expect(knownPage([pages[0]!, { ...pages[1]!, items: [run('g'), run('f', 'running')] }], 'h', 2)).toBeUndefined()
  outdateRuns(pages, ({ id }) => id === 'f')
  expect(knownPage(pages, 'h', 2)).toBeUndefined()
  expect(ids(knownPage(pages, 'i', 2))).toEqual(['hg', 'g'])
  wereRead(pages[1]!)
  expect(ids(knownPage(pages, 'h', 2))).toEqual(['gf', 'f'])
})
