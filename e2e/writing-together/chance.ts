/** Choices that depend on nothing but a seed. */
export interface Chance {
  below(limit: number): number
  oneOf<T>(list: readonly T[]): T | undefined
  isOneIn(count: number): boolean
}

/** The generator mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, oneOf: (list) => list[below(list.length)], isOneIn: (count) => below(count) === 0 }
}
