import type { AutomationRunPageWrite as RunWrite } from '@slipway/sdk'
import { expect, test } from 'vitest'
import { codeOf, fieldsOf, kindOf, titleOf } from './describe-write.ts'

const write = (values: Partial<RunWrite>): RunWrite => ({
  object: 'automation_run_write',
  id: 'a',
  tool: 'update_work_order',
  status: 'proposed',
  input: {},
  resource_type: 'work_order',
  resource_id: 'b',
  before: null,
  after: null,
  depends_on: [],
  reason: null,
  decided_by: null,
  decided_at: null,
  created_at: '2026-11-18T10:12:00.000Z',
  title: null,
  number: null,
  decider: null,
  changed_since: null,
  ...values,
})

test('a write is named after what it changes, and says how', () => {
  const made = write({ tool: 'create_work_order', input: { title: 'Round' }, resource_type: null })
  expect([titleOf(made), kindOf(made)]).toEqual(['Round', 'new work order'])
  const moved = write({ title: 'Refunds', number: 33, before: { status: 'in_review' }, after: { status: 'completed' } })
  expect([titleOf(moved), codeOf(moved), kindOf(moved)]).toEqual(['Refunds', 'WO-33', 'status'])
  expect(fieldsOf(moved)).toEqual([{ key: 'status', before: 'In review', after: 'Completed', isText: false }])
  expect(kindOf(write({ tool: 'suggest_blueprint_change' }))).toBe('suggested edit')
})

test('fields that only machines read are left out', () => {
  expect(
    fieldsOf({ before: { version_id: 'x', updated_at: 'y' }, after: { version_id: 'z', assignee_id: 'q' } }),
  ).toEqual([])
})
