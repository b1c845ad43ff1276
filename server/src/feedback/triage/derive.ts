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
export const ENOUGH = 0.22
/**
 * Where a text has many near ones, what it shares with its neighbours counts: then topics are large and worded in many
 * ways. `SPARSE` and `DENSE` are numbers of near texts; between them, the weight of the neighbours grows.
 */
const NEAR = 0.25
const SPARSE = 6
const DENSE = 14
const ENOUGH_IF_DENSE = 0.52
const NEIGHBOUR_WEIGHT = 3
const MOST_NEIGHBOURS = 20
/** More would take minutes. Beyond it, texts that are almost equal are merged first. */
const MAX_POINTS = 1_500
const NEARLY_SAME = 0.6

/** Groups texts by topic. Returns the number of the group for each text. */
export function deriveGroups({ texts, priors, rarity }: Corpus, enough = ENOUGH): number[] {
  const space = createSpace(texts, priors, (term) => rarity.get(term) ?? 1)
  const places = texts.map(space.place)
  const alike = (a: number, b: number) => space.alike(places[a]!, places[b]!)
  const { leaders, leaderOf } = texts.length <= MAX_POINTS ? everyone(texts.length) : takeTogether(texts.length, alike)
  const count = leaders.length
  const values = new Float32Array(count * count)
  let near = 0
  for (let a = 0; a < count; a++) {
    values[a * count + a] = 1
    for (let b = a + 1; b < count; b++) {
      const value = alike(leaders[a]!, leaders[b]!)
      values[a * count + b] = value
      values[b * count + a] = value
      if (value > NEAR) near += 2
    }
  }
  const density = Math.max(0, Math.min(1, (near / count - SPARSE) / (DENSE - SPARSE)))
  let likeness: Likeness = { count, values }
  if (density > 0) {
    const neighbours = Math.min(MOST_NEIGHBOURS, Math.round(0.5 * Math.sqrt(count)))
    for (let round = 0; round < 2; round++) likeness = smoothed(likeness, neighbours, NEIGHBOUR_WEIGHT * density)
  }
  const sizes = new Array<number>(count).fill(0)
  for (const leader of leaderOf) sizes[leader]!++
  const groups = linkByAverage(likeness, sizes, enough + density * (ENOUGH_IF_DENSE - ENOUGH))
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
