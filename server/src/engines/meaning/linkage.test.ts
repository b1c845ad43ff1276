import { describe, expect, it } from 'vitest'
import { type Likeness, linkByAverage, smoothed } from './linkage.ts'

const likeness = (rows: number[][]): Likeness => ({ count: rows.length, values: Float32Array.from(rows.flat()) })
const ones = (count: number) => new Array<number>(count).fill(1)
const together = (groups: number[]) => groups.map((one) => groups.indexOf(one))

describe('linkByAverage', () => {
  const PAIRS = likeness([
    [1, 0.9, 0.1, 0.2],
    [0.9, 1, 0.3, 0.2],
    [0.1, 0.3, 1, 0.8],
    [0.2, 0.2, 0.8, 1],
  ])

  it('joins similar items and separates the others', () => {
    expect(together(linkByAverage(PAIRS, ones(4), 0.5))).toEqual([0, 0, 2, 2])
  })

  it('joins groups by average similarity, not by their nearest members', () => {
    expect(together(linkByAverage(PAIRS, ones(4), 0.21))).toEqual([0, 0, 2, 2])
    expect(together(linkByAverage(PAIRS, ones(4), 0.19))).toEqual([0, 0, 0, 0])
  })

  it('weights an item by its size', () => {
    const line = likeness([
      [1, 0.9, 0],
      [0.9, 1, 0.6],
      [0, 0.6, 1],
    ])
    expect(together(linkByAverage(line, [1, 1, 1], 0.4))).toEqual([0, 0, 2])
    expect(together(linkByAverage(line, [1, 9, 1], 0.4))).toEqual([0, 0, 0])
  })

  it('leaves a single item alone', () => {
    expect(linkByAverage(likeness([[1]]), [1], 0.5)).toEqual([0])
  })
})

describe('smoothed', () => {
  it('brings items with the same neighbours together and leaves the others apart', () => {
    const chain = likeness([
      [1, 0.6, 0.2, 0],
      [0.6, 1, 0.6, 0],
      [0.2, 0.6, 1, 0],
      [0, 0, 0, 1],
    ])
    const { values } = smoothed(chain, 2, 1)
    expect(values[2]).toBeGreaterThan(0.5)
    expect(values[3]).toBe(0)
    expect(values[0]).toBeCloseTo(1)
  })
})
