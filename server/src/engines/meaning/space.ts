import { type Features, MEANING, PARTS } from './features.ts'

/**
 * Texts compared with each other: centred on what they all have in common, since in one product everyone speaks of the
 * same things, and their words weighed by how few of them use each.
 */
export interface Space {
  /** The meaning relative to the mean, so scaled that a product of two is their likeness without the words. */
  centred(meaning: Int8Array): Float32Array
  /** So scaled that what two share is their likeness by the words. */
  weighed(terms: readonly string[]): Map<string, number>
}

/** How much of a likeness of 1 each makes up: the meaning of the whole, that of the words, the words themselves. */
export type Shares = readonly [whole: number, words: number, terms: number]

export interface SpaceBasis {
  shares: Shares
  mean: Float32Array
  frequency: ReadonlyMap<string, number>
  count: number
  rarity(term: string): number
}

export function createSpace({ shares, mean, frequency, count, rarity }: SpaceBasis): Space {
  return {
    centred(meaning) {
      const vector = new Float32Array(MEANING)
      for (const [part, { from, to }] of PARTS.entries()) {
        const scale = 1 / lengthOf(meaning, from, to)
        for (let i = from; i < to; i++) vector[i] = meaning[i]! * scale - mean[i]!
        const length = Math.sqrt(shares[part]!) / lengthOf(vector, from, to)
        for (let i = from; i < to; i++) vector[i]! *= length
      }
      return vector
    },
    weighed(terms) {
      const weights = new Map<string, number>()
      let square = 0
      for (const term of terms) {
        const weight = Math.log((count + 1) / ((frequency.get(term) ?? 0) + 0.5)) * rarity(term)
        if (weight <= 0) continue
        weights.set(term, weight)
        square += weight ** 2
      }
      const scale = Math.sqrt(shares[2] / (square || 1))
      for (const [term, weight] of weights) weights.set(term, weight * scale)
      return weights
    },
  }
}

/** The mean of texts, as if so many neutral ones had come before them. */
export function meanOf(meanings: readonly Int8Array[], prior: Float32Array, priorCount: number): Float32Array {
  const mean = new Float32Array(MEANING)
  for (const meaning of meanings)
    for (const { from, to } of PARTS) {
      const scale = 1 / lengthOf(meaning, from, to)
      for (let i = from; i < to; i++) mean[i]! += meaning[i]! * scale
    }
  const total = meanings.length + priorCount
  for (let i = 0; i < MEANING; i++) mean[i] = (mean[i]! + prior[i]! * priorCount) / total
  return mean
}

export function countTerms(all: readonly Pick<Features, 'terms'>[]): Map<string, number> {
  const frequency = new Map<string, number>()
  for (const { terms } of all) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  return frequency
}

export function product(a: Float32Array, b: Float32Array): number {
  // Four sums, because each addition would otherwise wait for the one before.
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < MEANING; i += 4) {
    first += a[i]! * b[i]!
    second += a[i + 1]! * b[i + 1]!
    third += a[i + 2]! * b[i + 2]!
    fourth += a[i + 3]! * b[i + 3]!
  }
  return first + second + third + fourth
}

export function sharedWeight(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of few) sum += weight * (many.get(term) ?? 0)
  return sum
}

function lengthOf(values: Int8Array | Float32Array, from: number, to: number): number {
  let square = 0
  for (let i = from; i < to; i++) square += values[i]! ** 2
  return Math.sqrt(square) || 1
}
