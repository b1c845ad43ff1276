import { expect, test } from 'vitest'
import type { ModelUsage } from './api.ts'
import { usageCsv } from './usage-csv.ts'

test('usage is exported by day, for automations, conversations and people, without formulas', () => {
  const days = [
    { day: '2026-11-17', tokens: 120, cost: 0.5 },
    { day: '2026-11-18', tokens: 240, cost: 1 },
  ]
  const usage = {
    automations: [
      { automation_id: 'a', name: '=Drift, watch', days },
      { automation_id: null, name: null, days: days.slice(1) },
    ],
    people: [{ user_id: 'u', display_name: 'Ada', days: days.slice(0, 1) }],
  } as unknown as ModelUsage
  expect(usageCsv(usage).split('\r\n')).toEqual([
    'Day,By,Name,Tokens,Cost',
    `2026-11-17,automation,"'=Drift, watch",120,0.5`,
    `2026-11-18,automation,"'=Drift, watch",240,1`,
    '2026-11-18,automation,Conversations,240,1',
    '2026-11-17,person,Ada,120,0.5',
    '',
  ])
})
