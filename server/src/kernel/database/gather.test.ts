import { describe, expect, it } from 'vitest'
import { gather } from './gather.ts'

const double = (numbers: number[]) => Promise.resolve(numbers.map((one) => 2 * one))

describe('a batch', () => {
  it('gives each caller its own result, and does not mix kinds', async () => {
    const batches: number[][] = []
    const ask = gather<number, number>(
      (one) => (one % 2 ? 'odd' : 'even'),
      (all) => {
        batches.push(all)
        return double(all)
      },
    )
    const asked = Array.from({ length: 500 }, (_, index) => index)
    expect(await Promise.all(asked.map(ask))).toEqual(asked.map((one) => 2 * one))
    for (const batch of batches) expect(new Set(batch.map((one) => one % 2)).size).toBe(1)
    expect(batches.flat().sort((a, b) => a - b)).toEqual(asked)
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(100)
    expect(batches.length).toBeLessThan(50)
  })

  it('that fails is retried one by one, so that only the faulty item fails', async () => {
    const ask = gather<number, number>(
      () => 'all',
      async (all) => {
        if (all.includes(7)) throw new Error('seven')
        return double(all)
      },
    )
    const answers = await Promise.allSettled([5, 6, 7, 8].map(ask))
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      10,
      12,
      'seven',
      16,
    ])
  })

  it('is not retried if the database connection was lost, because it may have been committed', async () => {
    let calls = 0
    const ask = gather<number, number>(
      () => 'all',
      async () => {
        calls++
        throw Object.assign(new Error('gone'), { code: 'CONNECTION_LOST' })
      },
    )
    const answers = await Promise.allSettled([1, 2, 3].map(ask))
    expect(answers.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(calls).toBe(1)
  })

  it('does not stop the next one if it fails', async () => {
    let failing = true
    const ask = gather<number, number>(
      () => 'all',
      async (all) => {
        if (failing) throw new Error('once')
        return double(all)
      },
    )
    await expect(ask(1)).rejects.toThrow('once')
    failing = false
    expect(await ask(2)).toBe(4)
  })
})
