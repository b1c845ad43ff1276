import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Change } from './changes.ts'

let changes: typeof import('./changes.ts')
beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  changes = await import('./changes.ts')
})
afterEach(() => void vi.useRealTimers())

const change = (id: string) => ({ id, kind: 'work_order.updated', request_id: 'other-1' }) as Change

test('a module hears of what changed while its code was being loaded, and of each change once', () => {
  changes.takeChange(change('a'), 'p')
  const heard: string[] = []
  changes.followChanges(({ id }, projectId) => heard.push(`${projectId} ${id}`))
  expect(heard).toEqual(['p a'])
  changes.takeChange(change('a'), 'p')
  changes.takeChange(change('b'), 'p')
  expect(heard).toEqual(['p a', 'p b'])
})

test('a module does not hear of what changed long before, and a part of a page hears only of what comes', () => {
  changes.takeChange(change('old'), 'p')
  vi.advanceTimersByTime(31_000)
  changes.takeChange(change('new'), 'p')
  const [module, part]: [string[], string[]] = [[], []]
  changes.followChanges(({ id }) => module.push(id))
  changes.onChange(({ id }) => part.push(id))
  expect([module, part]).toEqual([['new'], []])
})
