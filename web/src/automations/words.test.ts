import { expect, test } from 'vitest'
import { kitOf, mayDo, overridesOf, scheduleWords } from './words.ts'

test('a kit says in words what it allows, and is the same after it was read and written', () => {
  expect(mayDo([])).toBe('may do what its owner may do')
  const hidden = ['requirements', 'feedback', 'artifacts', 'automations'] as const
  const overrides = [
    ...hidden.map((domain) => ({ domain, restriction: 'cannot_view' as const })),
    ...(['cannot_create', 'cannot_edit', 'cannot_delete'] as const).map((restriction) => ({
      domain: 'blueprints' as const,
      restriction,
    })),
    { domain: 'work_orders' as const, restriction: 'cannot_delete' as const },
  ]
  expect(mayDo(overrides)).toBe('creates and edits work orders, reads blueprints')
  expect(kitOf(overridesOf(kitOf(overrides)))).toEqual(kitOf(overrides))
})

test('schedules are said in words where that is possible', () => {
  const said = [
    '0 9 * * *',
    '30 7 * * 1-5',
    '0 9 * * 5',
    '0 9 * * 1,6',
    '5 * * * *',
    '0 9 1 * *',
    '*/5 9 * * *',
    '0 9,13,17 * * 1-5',
    '30 9,13 * * *',
  ]
  expect(said.map(scheduleWords)).toEqual([
    'Daily 09:00',
    'Weekdays 07:30',
    'Friday 09:00',
    'Mon, Sat 09:00',
    'Hourly :05',
    'Monthly, day 1, 09:00',
    '*/5 9 * * *',
    'Weekdays 09, 13, 17 h',
    'Daily 09:30, 13:30',
  ])
})
