import { directionOf, type Features, unit } from './features.ts'

/** A text as it lies among the texts of its collection. */
export interface Place {
  kind: string
  /** The encoder and the size of the vector. */
  encoder: string
  /** Of length 1, or undefined. */
  vector: Float32Array | undefined
  /** The weight of each term; the squares add up to less than 1. */
  terms: ReadonlyMap<string, number>
}

/** Compares texts of one collection. */
export type Space = ReturnType<typeof createSpace>

// Chosen with `bench/triage`, whose README has the figures.
/** How much the vectors decide where both texts have one; the terms decide the rest. */
const VECTOR_SHARE = 0.65
/** Where only terms can be compared, those that are shared prove more: they are few. */
const TERMS_ALONE = 1.6
/** As many texts in which nothing is particular are counted, so that the first reports do not seem all unlike. */
const NEUTRAL_WEIGHT = 10
/**
 * What a text says beyond its terms weighs as much as this share of a term that no other text uses. Two texts of which
 * nothing is known but a frequent word are therefore not equal.
 */
const UNSAID = 0.5
/** A wrong merge costs a person more than a missing one, so this is right in three of four cases everywhere. */
const ENOUGH = 0.25
/**
 * Two texts can be alike by chance, so a single pair needs this much more. In more texts than `MANY`, chance is greater:
 * each time there are twice as many, it needs `MORE_EACH_DOUBLING` on top. Chance evens out over the pairs of two groups.
 */
const CHANCE = 0.04
const MORE_EACH_DOUBLING = 0.07
const MANY = 130

/**
 * Subtracts what all texts have in common, since everyone writes about the same product, and weighs terms by how few
 * texts use them.
 */
export function createSpace(texts: readonly Features[]) {
  const means = meansOf(texts)
  const frequency = new Map<string, number>()
  for (const { terms } of texts) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const rarityOf = (count: number) => Math.max(0, Math.log((texts.length + NEUTRAL_WEIGHT + 1) / (count + 0.5)))
  const unsaid = UNSAID * Math.log(texts.length + NEUTRAL_WEIGHT + 1)
  const chance = CHANCE + MORE_EACH_DOUBLING * Math.max(0, Math.log2(texts.length / MANY))
  return {
    place({ kind, encoder, vector, terms }: Features): Place {
      const rarities = terms.map((term) => rarityOf(frequency.get(term) ?? 0))
      const length = Math.hypot(unsaid, ...rarities)
      const direction = vector === undefined ? undefined : directionOf(vector)
      const name = `${encoder} ${direction?.length}`
      const mean = means.get(name)
      return {
        kind,
        encoder: name,
        vector: direction && unit(direction.map((value, i) => value - (mean?.[i] ?? 0))),
        terms: new Map(terms.map((term, i) => [term, rarities[i]! / length])),
      }
    },
    /** From about 0 for unrelated texts to 1 or a little more for equal ones. */
    alike(a: Place, b: Place): number {
      if (a.kind !== b.kind) return 0
      const shared = sharedWeight(a.terms, b.terms)
      if (!a.vector || !b.vector || a.encoder !== b.encoder) return TERMS_ALONE * shared
      return VECTOR_SHARE * product(a.vector, b.vector) + (1 - VECTOR_SHARE) * shared
    },
    /** From this mean similarity of so many pairs on, texts are about the same thing. */
    enough: (pairs: number) => ENOUGH + chance / Math.sqrt(pairs),
  }
}

function meansOf(texts: readonly Features[]): Map<string, Float32Array> {
  const found = new Map<string, { sum: Float32Array; count: number }>()
  for (const { encoder, vector } of texts) {
    if (vector === undefined) continue
    const direction = directionOf(vector)
    const name = `${encoder} ${direction.length}`
    const one = found.get(name) ?? { sum: new Float32Array(direction.length), count: 0 }
    found.set(name, one)
    one.count++
    for (const [i, value] of direction.entries()) one.sum[i]! += value
  }
  return new Map(
    [...found].map(([name, { sum, count }]) => [name, sum.map((value) => value / (count + NEUTRAL_WEIGHT))]),
  )
}

function product(a: Float32Array, b: Float32Array): number {
  // Independent sums, because each addition would otherwise wait for the previous one.
  let [even, odd] = [0, 0]
  for (let i = 0; i < a.length; i += 2) {
    even += a[i]! * b[i]!
    odd += (a[i + 1] ?? 0) * (b[i + 1] ?? 0)
  }
  return even + odd
}

function sharedWeight(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of few) sum += weight * (many.get(term) ?? 0)
  return sum
}
