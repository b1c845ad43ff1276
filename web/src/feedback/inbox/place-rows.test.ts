import { expect, test } from 'vitest'
import type { InboxItem, InboxPages } from './api.ts'
import { placeRows } from './place-rows.ts'

const row = (number: number, title = 'As before') => ({ id: String(number), number, title }) as InboxItem
const list = (...pages: number[][]): InboxPages => ({
  pages: pages.map((numbers, index) => ({
    items: numbers.map((number) => row(number)),
    total: 9,
    next: index < pages.length - 1 ? numbers.at(-1)! : null,
  })) as InboxPages['pages'],
  pageParams: [],
})
const numbersOf = ({ pages }: InboxPages) => pages.map(({ items }) => items.map(({ number }) => number))
const read = (ids: number[], found: InboxItem[], isOldestFirst = false) => ({
  ids: ids.map(String),
  found,
  total: 9,
  isOldestFirst,
})

test('a changed report stays in its place, and pages without one stay the same objects', () => {
  const before = list([9, 8], [7, 6])
  const after = placeRows(before, read([8], [row(8, 'Changed')]))
  expect(after.pages[0]!.items.map(({ title }) => title)).toEqual(['As before', 'Changed'])
  expect(after.pages[1]).toBe(before.pages[1])
})

test('a report that does not match any more leaves the list', () => {
  expect(numbersOf(placeRows(list([9, 8], [7]), read([8, 7], [])))).toEqual([[9], []])
})

test('new reports come first, one that matches again comes where it belongs, and the total follows', () => {
  const after = placeRows(list([9, 7], [4, 2]), { ...read([11, 10, 3], [row(11), row(10), row(3)]), total: 12 })
  expect(numbersOf(after)).toEqual([
    [11, 10, 9, 7],
    [4, 3, 2],
  ])
  expect(after.pages.map(({ total }) => total)).toEqual([12, 12])
})

test('oldest first, a new report is the last, unless there are pages before it that are not loaded', () => {
  const whole = list([1, 2], [4])
  expect(numbersOf(placeRows(whole, read([5, 3], [row(3), row(5)], true)))).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  const begun: InboxPages = { ...whole, pages: [whole.pages[0]!] }
  expect(numbersOf(placeRows(begun, read([5], [row(5)], true)))).toEqual([[1, 2]])
})

test('an empty list takes its first report', () => {
  expect(numbersOf(placeRows(list([]), read([1], [row(1)])))).toEqual([[1]])
})
