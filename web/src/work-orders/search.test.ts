import { expect, test } from 'vitest'
import { filtersOf, readWorkOrderSearch } from './search.ts'

const understood = (raw: Record<string, unknown>) => JSON.parse(JSON.stringify(readWorkOrderSearch(raw)))
const ID = '01a1e7b7-aeb6-7071-b1aa-5265ec7dcceb'

test('an address keeps the filters that it understands', () => {
  const raw = { view: 'board', status: '!completed,ready', label: `${ID},none`, title: 'Refund, please', sort: 'title' }
  expect(understood(raw)).toEqual(raw)
})

test('values that no work order can have are left out, and a filter without values is none', () => {
  expect(understood({ status: 'ready,xyz', priority: 'xyz', updated: 'ever', assignee: 'me,', type: '!' })).toEqual({
    status: 'ready',
  })
  expect(filtersOf(readWorkOrderSearch({ priority: 'xyz' }))).toEqual([])
})

test('what is left out is named, so that the router forgets it too', () => {
  const raw = { view: 'nonsense', sort: '\0', group: '7', other: 'x' }
  expect(Object.entries(readWorkOrderSearch(raw))).toEqual(Object.keys(raw).map((name) => [name, undefined]))
})
