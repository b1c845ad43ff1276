import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'
import type { WorkOrderRow } from './work-order.ts'

const row = (title: string): WorkOrderRow => ({
  id: '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81',
  work_order_number: 7,
  title,
  status: 'in_review',
  priority: 'high',
  type: 'fix',
  phase: null,
  assignee: null,
  labels: [],
  comment_count: 2,
  updated_at: '2026-11-15T09:30:00.000Z',
})

const titleIn = (title: string) => csvOf([row(title)]).split('\r\n')[1]!

test('a row has its values by the names that people know', () => {
  expect(titleIn('Round once')).toBe('WO-7,Round once,In review,High,Fix,,,,2,2026-11-15T09:30:00.000Z')
})

test('commas, quotes and line ends are quoted', () => {
  expect(titleIn('Say "no", then stop')).toContain(',"Say ""no"", then stop",')
  expect(csvOf([row('one\ntwo')])).toContain('"one\ntwo"')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('a spreadsheet does not run %j', (title) => {
  expect(titleIn(title)).toContain(`'${title}`)
})

test('the text begins with its head and without a mark', () => {
  expect(csvOf([]).startsWith('Number,Title,')).toBe(true)
})
