import { afterEach, expect, it, vi } from 'vitest'
import { paceOf, type Time } from '../../kernel/searches/pace.ts'
import { planOf } from './plans.ts'
import { searchThreads } from './threads.ts'

const time: Time = {
  pace: paceOf('nobody'),
  leftMs: () => 10_000,
}
const outcome = (pattern: string, caseSensitive = false) =>
  planOf({ pattern, caseSensitive }, time).catch((err) => [err.code, err.message])

// The module is shared with other tests: patterns here are asked for nowhere else.
afterEach(() => void vi.restoreAllMocks())

it.each(['planned.*once', '(\\w{999}){998}', 'planned('])(
  'asks a thread once for %s, and once more by letter case',
  async (pattern) => {
    const run = vi.spyOn(searchThreads, 'run')
    const first = await outcome(pattern)
    expect(await outcome(pattern)).toEqual(first)
    expect(run).toHaveBeenCalledTimes(1)
    await outcome(pattern, true)
    expect(run).toHaveBeenCalledTimes(2)
  },
)

it('forgets what was asked for longest ago', async () => {
  await outcome('rarely')
  for (let number = 0; number < 499; number++) await outcome(`often${number}`)
  await outcome('rarely')
  await outcome('another')
  const run = vi.spyOn(searchThreads, 'run')
  await outcome('rarely')
  expect(run).not.toHaveBeenCalled()
  await outcome('often0')
  expect(run).toHaveBeenCalledTimes(1)
})

it('does not keep large plans', async () => {
  const large = Array.from({ length: 20 }, (_, at) => `${at}\\p{Greek}`).join('')
  const first = await outcome(large)
  const run = vi.spyOn(searchThreads, 'run')
  expect(await outcome(large)).toEqual(first)
  expect(run).toHaveBeenCalledTimes(1)
})
