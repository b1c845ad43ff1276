import type { Features } from '../../engines/meaning/features.ts'
import { type Likeness, linkByAverage, smoothed } from '../../engines/meaning/linkage.ts'
import { createSpace, type Prior } from '../../engines/meaning/space.ts'

/** What a thread needs to group texts. */
export interface Corpus {
  texts: Features[]
  priors: Prior[]
  /** How rare each term is in the language. */
  rarity: Map<string, number>
}

/** Two groups merge from this average similarity on. A wrong merge costs a person more than a missing one. */
export const ENOUGH = 0.24
/**
 * Where a text has many near ones, what it shares with its neighbours counts: then topics are large and worded in many
 * ways. `SPARSE` and `DENSE` are numbers of near texts; between them, the weight of the neighbours grows.
 */
const NEAR = 0.25
const SPARSE = 6
const DENSE = 14
const ENOUGH_IF_DENSE = 0.54
/** In large topics, also how people ask tells them apart: "when will" from "why was". */
const FREQUENT_WORDS_IF_DENSE = 0.6
const NEIGHBOUR_WEIGHT = 3
const MOST_NEIGHBOURS = 20
/** More would take minutes. Beyond it, texts that are almost equal are merged first. */
const MAX_POINTS = 1_500
const NEARLY_SAME = 0.6

/** Groups texts by topic. Returns the number of the group for each text. */
export function deriveGroups(corpus: Corpus, enough = ENOUGH): number[] {
  const { leaders, leaderOf } = chooseLeaders(corpus)
  const count = leaders.length
  let likeness = compare(corpus, leaders, 1)
  const near = likeness.values.reduce((sum, value) => sum + (value > NEAR ? 1 : 0), -count) / count
  const density = Math.max(0, Math.min(1, (near - SPARSE) / (DENSE - SPARSE)))
  if (density > 0) {
    likeness = compare(corpus, leaders, 1 - density * FREQUENT_WORDS_IF_DENSE)
    const neighbours = Math.min(MOST_NEIGHBOURS, Math.round(0.5 * Math.sqrt(count)))
    for (let round = 0; round < 2; round++) likeness = smoothed(likeness, neighbours, NEIGHBOUR_WEIGHT * density)
  }
  const sizes = new Array<number>(count).fill(0)
  for (const leader of leaderOf) sizes[leader]!++
  const groups = linkByAverage(likeness, sizes, enough + density * (ENOUGH_IF_DENSE - ENOUGH))
  return leaderOf.map((leader) => groups[leader]!)
}

/** With an exponent below 1, frequent words of the language count more. */
function comparing({ texts, priors, rarity }: Corpus, exponent: number) {
  const space = createSpace(texts, priors, (term) => (rarity.get(term) ?? 1) ** exponent)
  const places = texts.map(space.place)
  return (a: number, b: number) => space.alike(places[a]!, places[b]!)
}

function compare(corpus: Corpus, leaders: readonly number[], exponent: number): Likeness {
  const alike = comparing(corpus, exponent)
  const count = leaders.length
  const values = new Float32Array(count * count)
  for (let a = 0; a < count; a++) {
    values[a * count + a] = 1
    for (let b = a + 1; b < count; b++) {
      const value = alike(leaders[a]!, leaders[b]!)
      values[a * count + b] = value
      values[b * count + a] = value
    }
  }
  return { count, values }
}

function chooseLeaders(corpus: Corpus): { leaders: number[]; leaderOf: number[] } {
  const { length } = corpus.texts
  return length <= MAX_POINTS ? everyone(length) : takeTogether(length, comparing(corpus, 1))
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
