import { describe, expect, it } from 'vitest'
import { link } from './linkage.ts'

const linked = (rows: number[][], threshold: number) => {
  const groups = link(
    rows.length,
    (a, b) => rows[a]![b]!,
    () => threshold,
  )
  return groups.map((one) => groups.indexOf(one))
}

describe('link', () => {
  const PAIRS = [
    [1, 0.9, 0.1, 0.2],
    [0.9, 1, 0.3, 0.2],
    [0.1, 0.3, 1, 0.8],
    [0.2, 0.2, 0.8, 1],
  ]

  it('joins similar items and separates the others', () => {
    expect(linked(PAIRS, 0.5)).toEqual([0, 0, 2, 2])
  })

  it('joins groups by all their members, not by the nearest', () => {
    expect(linked(PAIRS, 0.25)).toEqual([0, 0, 2, 2])
    expect(linked(PAIRS, 0.2)).toEqual([0, 0, 0, 0])
  })

  it('joins wide groups from a lower average on', () => {
    const pairs = (within: number, between: number) =>
      [0, 1, 2, 3].map((a) => [0, 1, 2, 3].map((b) => (a === b ? 1 : a >> 1 === b >> 1 ? within : between)))
    expect(linked(pairs(0.95, 0.45), 0.48)).toEqual([0, 0, 2, 2])
    expect(linked(pairs(0.5, 0.45), 0.48)).toEqual([0, 0, 0, 0])
  })

  it('asks less of the mean of many pairs', () => {
    const pairs = [0, 1, 2, 3].map((a) => [0, 1, 2, 3].map((b) => (a === b ? 1 : a >> 1 === b >> 1 ? 0.95 : 0.45)))
    const joined = link(
      4,
      (a, b) => pairs[a]![b]!,
      (count) => (count > 1 ? 0.4 : 0.6),
    )
    expect(new Set(joined).size).toBe(1)
  })

  it('leaves a single item alone', () => {
    expect(linked([[1]], 0.5)).toEqual([0])
  })
})
