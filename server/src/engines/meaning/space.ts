import { type Features, MEANING, PARTS } from './features.ts'

/**
 * Compares texts of one collection. Subtracts what all of them have in common, since everyone writes about the same
 * product, and weights words by how few texts use them.
 */
export interface Space {
  /** The embedding relative to the mean, scaled so the product of two is their similarity without the terms. */
  centred(meaning: Int8Array): Float32Array
  /** Weights of the terms, scaled so the shared weight of two texts is their similarity by terms. */
  weighed(terms: readonly string[]): Map<string, number>
}

/** The weights of the three parts in a similarity of 1: sentence embedding, word embedding and terms. */
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

/** Returns the mean of the texts, as if `priorCount` neutral texts had preceded them. */
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
  // Four independent sums, because each addition would otherwise wait for the previous one.
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
