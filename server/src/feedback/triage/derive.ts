import { MEANING } from '../../engines/meaning/features.ts'
import { type Likeness, linkByAverage, smoothed } from '../../engines/meaning/linkage.ts'
import { countTerms, createSpace, meanOf, product, type Shares, sharedWeight } from '../../engines/meaning/space.ts'

/** What a thread needs to group texts. */
export interface Corpus {
  /** `MEANING` numbers for each text. */
  meanings: Int8Array
  terms: string[][]
  prior: Float32Array
  priorCount: number
  /** How rare each term is in the language. */
  rarity: Map<string, number>
}

export interface DeriveOptions {
  /** The similarity from which two groups merge. */
  enough?: number
  neighbours?: number
  weight?: number
}

/** Words weigh more than on arrival, because neighbours make up for different wording. Tuned with `bench/triage`. */
const SHARES: Shares = [0.35, 0.15, 0.5]
/** More would take minutes. Beyond it, texts that are almost equal are merged first. */
const MAX_POINTS = 1_500
const NEARLY_SAME = 0.6
const MOST_NEIGHBOURS = 20
const ENOUGH = 0.425
/**
 * With fewer texts than this, topics are small, and texts must be closer to form one: by this much for each halving.
 * Tuned with `bench/triage`.
 */
const FEW = 150
const NEARER = 0.15
const MOST_ENOUGH = 0.9

/** Groups texts by topic. Returns the number of the group for each text. */
export function deriveGroups(corpus: Corpus, options: DeriveOptions = {}): number[] {
  const { weight = 3 } = options
  const count = corpus.terms.length
  const meanings = Array.from({ length: count }, (_, i) => corpus.meanings.subarray(i * MEANING, (i + 1) * MEANING))
  const space = createSpace({
    shares: SHARES,
    mean: meanOf(meanings, corpus.prior, corpus.priorCount),
    frequency: countTerms(corpus.terms.map((terms) => ({ terms }))),
    count,
    rarity: (term) => corpus.rarity.get(term) ?? 1,
  })
  const vectors = meanings.map((meaning) => space.centred(meaning))
  const weights = corpus.terms.map((terms) => space.weighed(terms))
  const alike = (a: number, b: number) => product(vectors[a]!, vectors[b]!) + sharedWeight(weights[a]!, weights[b]!)

  const { leaders, leaderOf } = count <= MAX_POINTS ? everyone(count) : takeTogether(count, alike)
  const points = leaders.length
  const values = new Float32Array(points * points)
  for (let a = 0; a < points; a++)
    for (let b = a; b < points; b++) {
      const value = alike(leaders[a]!, leaders[b]!)
      values[a * points + b] = value
      values[b * points + a] = value
    }
  // In a small collection, even the nearest texts are not close.
  const near = Math.max(1, Math.min(MOST_NEIGHBOURS, Math.round(options.neighbours ?? 0.5 * Math.sqrt(points))))
  let likeness: Likeness = { count: points, values }
  for (let round = 0; round < 2; round++) likeness = smoothed(likeness, near, weight)
  const sizes = new Array<number>(points).fill(0)
  for (const leader of leaderOf) sizes[leader]!++
  const enough = options.enough ?? Math.min(MOST_ENOUGH, ENOUGH + NEARER * Math.max(0, Math.log2(FEW / count)))
  const groups = linkByAverage(likeness, sizes, enough)
  return leaderOf.map((leader) => groups[leader]!)
}

const everyone = (count: number) => {
  const all = Array.from({ length: count }, (_, i) => i)
  return { leaders: all, leaderOf: all }
}

function takeTogether(count: number, alike: (a: number, b: number) => number) {
  const leaders: number[] = []
  const leaderOf: number[] = []
  for (let text = 0; text < count; text++) {
    let best = -1
    let most = Number.NEGATIVE_INFINITY
    for (let leader = 0; leader < leaders.length; leader++) {
      const value = alike(text, leaders[leader]!)
      if (value > most) {
        most = value
        best = leader
      }
    }
    if (most < NEARLY_SAME && leaders.length < MAX_POINTS) best = leaders.push(text) - 1
    leaderOf.push(best)
  }
  return { leaders, leaderOf }
}
