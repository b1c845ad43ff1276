import { expect, it } from 'vitest'
import { planGroups } from './plan.ts'

const placed = (...pairs: [string, string][]) => pairs.map(([itemId, themeId]) => ({ itemId, themeId }))

it('a group goes on as the theme that most of its items are in', () => {
  const groups = planGroups(placed(['1', 'a'], ['2', 'a'], ['3', 'b']), [0, 0, 0])
  expect(groups).toEqual([{ themeId: 'a', items: ['1', '2', '3'], absorbed: ['b'] }])
})

it('a theme that is split goes on as its larger half, and the other is to be opened', () => {
  const groups = planGroups(placed(['1', 'a'], ['2', 'a'], ['3', 'a']), [0, 1, 1])
  expect(groups).toEqual([
    { themeId: undefined, items: ['1'], absorbed: [] },
    { themeId: 'a', items: ['2', '3'], absorbed: [] },
  ])
})

it('two groups never go on as one theme', () => {
  const groups = planGroups(placed(['1', 'a'], ['2', 'a'], ['3', 'a'], ['4', 'b']), [0, 0, 1, 1])
  expect(groups.map((one) => one.themeId)).toEqual(['a', 'b'])
})
