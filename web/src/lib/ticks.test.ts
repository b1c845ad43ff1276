import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onTick } from './ticks.ts'
import { agoOf, momentOf } from './time.ts'

describe('time that is shown', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 18, 12) }))
  afterEach(() => void vi.useRealTimers())

  test('goes on while somebody looks at it, with one timer for all', () => {
    const at = new Date().toISOString()
    const shown: string[] = []
    const read = () => void shown.push(`${momentOf(at)}, ${agoOf(at)}`)
    const stops = [onTick(read), onTick(() => {})]
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(9 * 60_000)
    expect([shown[0], shown.at(-1)]).toEqual(['just now, now', '9 min, 9 minutes ago'])
    for (const stop of stops) stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('goes on after a listener with a fault', () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const heard = vi.fn()
    const stops = [
      onTick(() => {
        throw new Error('no such time')
      }),
      onTick(heard),
    ]
    vi.advanceTimersByTime(10_000)
    expect(heard).toHaveBeenCalledOnce()
    for (const stop of stops) stop()
    expect(reported).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })
})
