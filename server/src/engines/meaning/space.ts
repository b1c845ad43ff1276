import { NEUTRAL_WEIGHT } from './background.ts'
import { BUILT_IN, type Features } from './features.ts'

/** A text as it lies among the texts of its collection. */
export interface Place {
  language: string
  encoder: string
  /** The vectors relative to the mean, scaled so that the product of two is their share of the similarity. */
  vector: Float32Array | undefined
  terms: ReadonlyMap<string, number>
  words: ReadonlyMap<string, number>
}

/** Compares texts of one collection. */
export interface Space {
  place(features: Features): Place
  /** From about 0 for unrelated texts to 1 for equal ones. */
  alike(a: Place, b: Place): number
}

/** The mean of neutral texts, for each vector of an encoder. */
export interface Prior {
  encoder: string
  means: Float32Array[]
}

/** What the vectors contribute to a similarity of 1. The words contribute the rest. Tuned with `bench/triage`. */
const SHARES: Record<string, number[]> = { [BUILT_IN]: [0.4, 0.15] }
const OTHER_SHARES = [0.55]
const WORD_SHARE = 0.45
/** Words alone prove less than words and vectors together. */
const ONLY_WORDS = 0.8

const sharesOf = (encoder: string) => SHARES[encoder] ?? OTHER_SHARES

/**
 * Subtracts what all texts have in common, since everyone writes about the same product, and weighs words by how few
 * texts use them. While there are few texts, neutral ones count as well.
 */
export function createSpace(
  texts: readonly Features[],
  priors: readonly Prior[],
  rarity: (term: string) => number,
): Space {
  const means = new Map(priors.map((prior) => [prior.encoder, meansOf(texts, prior)]))
  const weigh = {
    terms: createWeights(texts, (one) => one.terms, rarity),
    words: createWeights(texts, (one) => one.words, rarity),
  }
  return {
    place(features) {
      const { language, encoder, vectors } = features
      const mean = means.get(encoder)
      const vector = mean && vectors.length === mean.length ? centred(vectors, mean, sharesOf(encoder)) : undefined
      return { language, encoder, vector, terms: weigh.terms(features), words: weigh.words(features) }
    },
    alike(a, b) {
      if (a.words.size === 0 || b.words.size === 0) return 0
      const isComparable = a.vector !== undefined && b.vector !== undefined && a.encoder === b.encoder
      if (!isComparable) return ONLY_WORDS * sharedWeight(a.terms, b.terms)
      const inWords = a.language === b.language ? sharedWeight(a.words, b.words) : sharedWeight(a.terms, b.terms)
      return product(a.vector!, b.vector!) + WORD_SHARE * inWords
    },
  }
}

function createWeights(
  texts: readonly Features[],
  select: (one: Features) => readonly string[],
  rarity: (term: string) => number,
) {
  const frequency = new Map<string, number>()
  for (const text of texts) for (const term of select(text)) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  return (features: Features): Map<string, number> => {
    const weights = new Map<string, number>()
    let square = 0
    for (const term of select(features)) {
      const share = (texts.length + NEUTRAL_WEIGHT + 1) / ((frequency.get(term) ?? 0) + 0.5)
      const weight = Math.log(share) * rarity(term)
      if (weight <= 0) continue
      weights.set(term, weight)
      square += weight ** 2
    }
    const length = Math.sqrt(square) || 1
    for (const [term, weight] of weights) weights.set(term, weight / length)
    return weights
  }
}

function meansOf(texts: readonly Features[], { encoder, means }: Prior): Float32Array[] {
  const same = texts.filter((one) => one.encoder === encoder && one.vectors.length === means.length)
  return means.map((prior, part) => {
    const sum = prior.map((value) => value * NEUTRAL_WEIGHT)
    for (const { vectors } of same) addUnit(sum, vectors[part]!)
    return sum.map((value) => value / (same.length + NEUTRAL_WEIGHT))
  })
}

/** The mean of neutral texts as an encoder sees them. */
export function priorOf(encoder: string, texts: readonly Int8Array[][]): Prior {
  const means = (texts[0] ?? []).map((first, part) => {
    const sum = new Float32Array(first.length)
    for (const vectors of texts) addUnit(sum, vectors[part]!)
    return sum.map((value) => value / texts.length)
  })
  return { encoder, means }
}

function addUnit(sum: Float32Array, vector: Int8Array): void {
  const scale = 1 / lengthOf(vector)
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * scale
}

function centred(
  vectors: readonly Int8Array[],
  means: readonly Float32Array[],
  shares: readonly number[],
): Float32Array {
  // Filled up to a multiple of four, as `product` needs it.
  const length = means.reduce((sum, mean) => sum + mean.length, 0)
  const all = new Float32Array(Math.ceil(length / 4) * 4)
  let from = 0
  for (const [part, mean] of means.entries()) {
    const scale = 1 / lengthOf(vectors[part]!)
    const own = all.subarray(from, from + mean.length)
    for (let i = 0; i < own.length; i++) own[i] = vectors[part]![i]! * scale - mean[i]!
    const factor = Math.sqrt(shares[part]!) / lengthOf(own)
    for (let i = 0; i < own.length; i++) own[i]! *= factor
    from += mean.length
  }
  return all
}

function product(a: Float32Array, b: Float32Array): number {
  // Four independent sums, because each addition would otherwise wait for the previous one.
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < a.length; i += 4) {
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

function lengthOf(values: Int8Array | Float32Array): number {
  let square = 0
  for (const value of values) square += value ** 2
  return Math.sqrt(square) || 1
}
