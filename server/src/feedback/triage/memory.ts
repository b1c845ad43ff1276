import { setImmediate } from 'node:timers/promises'
import { PRIOR_COUNT } from '../../engines/meaning/background.ts'
import { CentreTable } from '../../engines/meaning/centre-table.ts'
import { type Features, MEANING } from '../../engines/meaning/features.ts'
import { createSpace, meanOf, product, type Shares, type Space, sharedWeight } from '../../engines/meaning/space.ts'

/** A text in a theme. */
export interface Remembered extends Features {
  itemId: string
  themeId: string
  /** True if a person put it there. */
  isPinned: boolean
}

interface Entry extends Remembered {
  /** Its position in the space. Kept only while there are few texts. */
  place: Place | undefined
}

interface Place {
  vector: Float32Array
  weights: Map<string, number>
}

export interface Decision {
  /** Undefined if no theme is close enough. */
  themeId: string | undefined
  /** The similarity of the best theme, from 0 to 1. */
  score: number
  /** The terms that the text and the theme share, the most telling first. */
  shared: string[]
  /** The most similar item of the theme. */
  nearestItemId: string | undefined
}

interface MemoryOptions {
  prior: Float32Array
  rarity(term: string): number
  enough?: number
}

const SHARES: Shares = [0.5, 0.25, 0.25]
const VOTERS = 5
const ENOUGH = 0.24
/** A text this close to one that a person placed follows it, whatever the others say. Tuned with `bench/triage`. */
const FOLLOWS_PINNED = 0.45
const PINNED_WEIGHT = 1.5
/** With more texts than this, only those in the likeliest themes are compared. */
const LOOK_AT_ALL = 3_000
const LIKELY_THEMES = 16
const LOOK_AT_EACH = 40
const WITHOUT_PAUSE_MS = 5
const SHARED = 4
/** More frequent words tell a person nothing. */
const TELLING = 0.9

/** What triage knows of one project: which text is in which theme, ready to be compared. */
export class TriageMemory {
  readonly #options: MemoryOptions
  readonly #items = new Map<string, Entry>()
  readonly #themes = new Map<string, Set<Entry>>()
  readonly #centres = new Map<string, Float32Array>()
  #table: CentreTable | undefined
  readonly #frequency = new Map<string, number>()
  #space: Space
  #placedFor = 0

  constructor(options: MemoryOptions) {
    this.#options = options
    this.#space = this.#newSpace()
  }

  get size(): number {
    return this.#items.size
  }

  get(itemId: string): Remembered | undefined {
    return this.#items.get(itemId)
  }

  membersOf(themeId: string): Iterable<Remembered> {
    return this.#themes.get(themeId) ?? []
  }

  /** Returns the item that is most similar to all of these. */
  middleOf(itemIds: readonly string[]): string {
    const entries = itemIds.flatMap((id) => this.#items.get(id) ?? [])
    const first = entries[0]
    if (!first) return itemIds[0]!
    const centre = this.#meanOf(entries)
    let best = first
    let most = Number.NEGATIVE_INFINITY
    for (const entry of entries) {
      const likeness = product(this.#vectorOf(entry), centre)
      if (likeness <= most) continue
      most = likeness
      best = entry
    }
    return best.itemId
  }

  put(item: Remembered): void {
    this.forget(item.itemId)
    const { itemId, themeId, isPinned, meaning, terms } = item
    const entry: Entry = { itemId, themeId, isPinned, meaning, terms, place: undefined }
    this.#items.set(item.itemId, entry)
    const members = this.#themes.get(item.themeId)
    if (members) members.add(entry)
    else this.#themes.set(item.themeId, new Set([entry]))
    this.#moveCentre(item.themeId)
    for (const term of item.terms) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1)
  }

  forget(itemId: string): void {
    const entry = this.#items.get(itemId)
    if (!entry) return
    this.#items.delete(itemId)
    const members = this.#themes.get(entry.themeId)!
    members.delete(entry)
    if (members.size === 0) this.#themes.delete(entry.themeId)
    this.#moveCentre(entry.themeId)
    for (const term of entry.terms) this.#frequency.set(term, this.#frequency.get(term)! - 1)
  }

  /**
   * Computes the positions that the next decision needs, with pauses that let other work run: after many new texts it
   * takes a good part of a second. Nothing may be added or removed meanwhile.
   */
  async prepare(): Promise<void> {
    this.#keepPlaces()
    let from = performance.now()
    for (const place of this.#missing()) {
      place()
      if (performance.now() - from < WITHOUT_PAUSE_MS) continue
      await setImmediate()
      from = performance.now()
    }
  }

  *#missing(): Iterable<() => void> {
    if (this.#items.size > LOOK_AT_ALL) {
      for (const themeId of this.#themes.keys()) if (!this.#centres.has(themeId)) yield () => this.#centreOf(themeId)
    } else for (const entry of this.#items.values()) if (!entry.place) yield () => this.#placeOf(entry)
  }

  /** Decides where a text belongs, by a vote of the texts most similar to it. */
  decide(features: Features, exceptItemId?: string): Decision {
    this.#keepPlaces()
    const vector = this.#space.centred(features.meaning)
    const weights = this.#space.weighed(features.terms)
    const voters: { entry: Entry; likeness: number }[] = []
    for (const entry of this.#candidates(vector)) {
      if (entry.itemId === exceptItemId) continue
      const place = this.#placeOf(entry)
      const likeness = product(vector, place.vector) + sharedWeight(weights, place.weights)
      if (voters.length === VOTERS && likeness <= voters[VOTERS - 1]!.likeness) continue
      let rank = Math.min(voters.length, VOTERS - 1)
      while (rank > 0 && voters[rank - 1]!.likeness < likeness) {
        voters[rank] = voters[rank - 1]!
        rank--
      }
      voters[rank] = { entry, likeness }
    }
    const best = this.#count(voters)
    if (!best) return { themeId: undefined, score: 0, shared: [], nearestItemId: undefined }
    const score = Math.max(0, (best.most + this.#likenessTo(best.themeId, vector, weights)) / 2)
    return {
      themeId: score >= (this.#options.enough ?? ENOUGH) ? best.themeId : undefined,
      score: Math.min(1, score),
      shared: this.#shared(weights, best.themeId),
      nearestItemId: best.nearest.itemId,
    }
  }

  #count(voters: { entry: Entry; likeness: number }[]) {
    const votes = new Map<string, { themeId: string; sum: number; most: number; nearest: Entry }>()
    const first = voters[0]
    if (first?.entry.isPinned && first.likeness >= FOLLOWS_PINNED)
      return { themeId: first.entry.themeId, most: first.likeness, nearest: first.entry }
    for (const { entry, likeness } of voters) {
      const vote = votes.get(entry.themeId) ?? { themeId: entry.themeId, sum: 0, most: likeness, nearest: entry }
      vote.sum += Math.max(0, likeness) * (entry.isPinned ? PINNED_WEIGHT : 1)
      votes.set(entry.themeId, vote)
    }
    return [...votes.values()].sort((a, b) => b.sum - a.sum)[0]
  }

  /** The average over its members. */
  #likenessTo(themeId: string, vector: Float32Array, weights: Map<string, number>): number {
    const members = this.#themes.get(themeId)!
    let sum = 0
    for (const member of members) sum += sharedWeight(weights, this.#placeOf(member).weights)
    return product(vector, this.#centreOf(themeId)) + sum / members.size
  }

  #candidates(vector: Float32Array): Iterable<Entry> {
    if (this.#items.size <= LOOK_AT_ALL) return this.#items.values()
    this.#table ??= new CentreTable()
    for (const themeId of this.#themes.keys())
      if (!this.#table.has(themeId)) this.#table.set(themeId, this.#centreOf(themeId))
    return this.#table
      .nearest(vector, LIKELY_THEMES)
      .flatMap((themeId) => [...this.#themes.get(themeId)!].slice(-LOOK_AT_EACH))
  }

  #moveCentre(themeId: string): void {
    this.#centres.delete(themeId)
    this.#table?.delete(themeId)
  }

  #centreOf(themeId: string): Float32Array {
    let centre = this.#centres.get(themeId)
    if (!centre) {
      centre = this.#meanOf(this.#themes.get(themeId)!)
      this.#centres.set(themeId, centre)
    }
    return centre
  }

  #meanOf(entries: Iterable<Entry>): Float32Array {
    const mean = new Float32Array(MEANING)
    let count = 0
    for (const entry of entries) {
      const vector = this.#vectorOf(entry)
      for (let i = 0; i < MEANING; i++) mean[i]! += vector[i]!
      count++
    }
    for (let i = 0; i < MEANING; i++) mean[i]! /= count
    return mean
  }

  /** With many texts, positions are computed each time: keeping them would cost more memory than it saves time. */
  #placeOf(entry: Entry): Place {
    if (entry.place) return entry.place
    const place = { vector: this.#space.centred(entry.meaning), weights: this.#space.weighed(entry.terms) }
    if (this.#items.size <= LOOK_AT_ALL) entry.place = place
    return place
  }

  #vectorOf(entry: Entry): Float32Array {
    return this.#items.size <= LOOK_AT_ALL ? this.#placeOf(entry).vector : this.#space.centred(entry.meaning)
  }

  #shared(weights: Map<string, number>, themeId: string): string[] {
    const sums = new Map<string, number>()
    const telling = [...weights].filter(([term]) => this.#options.rarity(term) >= TELLING)
    for (const member of this.#themes.get(themeId)!)
      for (const [term, weight] of telling)
        if (member.terms.includes(term)) sums.set(term, (sums.get(term) ?? 0) + weight)
    return [...sums]
      .sort((a, b) => b[1] - a[1])
      .slice(0, SHARED)
      .map(([term]) => term)
  }

  /** New texts shift what all texts have in common. Then every position is computed again. */
  #keepPlaces(): void {
    if (this.#items.size <= this.#placedFor * 1.2 && this.#items.size >= this.#placedFor / 2) return
    this.#placedFor = this.#items.size
    this.#space = this.#newSpace()
    this.#centres.clear()
    this.#table?.clear()
    for (const entry of this.#items.values()) entry.place = undefined
  }

  #newSpace(): Space {
    const { prior, rarity } = this.#options
    const meanings = [...this.#items.values()].map((entry) => entry.meaning)
    return createSpace({
      shares: SHARES,
      mean: meanOf(meanings, prior, PRIOR_COUNT),
      frequency: new Map(this.#frequency),
      count: this.#items.size + PRIOR_COUNT,
      rarity,
    })
  }
}
