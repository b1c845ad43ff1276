import { expect, test } from 'vitest'
import { readTable } from './read-table.ts'

test('a table is read with its separator, quotes and line ends', () => {
  expect(readTable('\uFEFFa,b\r\n"1, 2","say ""hi"""\r\n', true).rows).toEqual([
    ['a', 'b'],
    ['1, 2', 'say "hi"'],
  ])
  expect(readTable('a;b\n1,5;2', true).rows).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ])
  expect(readTable('a\tb\n1\t2', true).rows[1]).toEqual(['1', '2'])
})

test('of a long table, the head and the first 1,000 rows are shown', () => {
  const text = ['n', ...Array.from({ length: 1_500 }, (_, at) => String(at))].join('\n')
  const { rows, hasMore } = readTable(text, true)
  expect([rows.length, hasMore]).toEqual([1_001, true])
  expect(readTable('n\n1\n2', true).hasMore).toBe(false)
})

test('a row that is cut in the middle is left out, also within quotes', () => {
  expect(readTable('a,b\n1,2\n3,"cut', false)).toEqual({
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
    hasMore: true,
  })
})
