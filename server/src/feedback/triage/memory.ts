import { setImmediate } from 'node:timers/promises'
import type { Features } from '../../engines/meaning/features.ts'
import { createSpace, type Place, type Prior, type Space } from '../../engines/meaning/space.ts'
import { ENOUGH } from './derive.ts'
import type { Matter } from './reading.ts'

/** A matter in a theme. */
export interface Remembered {
  /** The item and the number of the matter in it: see `keyOf`. */
  key: string
  itemId: string
  themeId: string
  /** True if a person put it there. */
  isPinned: boolean
  matter: Matter
}

export const keyOf = (itemId: string, matter: number) => `${itemId} ${matter}`

/** What a person taught: texts like this do not belong to the theme; without a theme, they are not feedback. */
export interface Lesson {
  itemId: string
  themeId: string | null
  matters: Matter[]
}

interface Entry extends Remembered {
  place: Place | undefined
}

export interface Decision {
  /** Undefined if no theme is close enough. */
  themeId: string | undefined
  /** True if a person set something like it aside. */
  isSetAside: boolean
  /** The average similarity to the matters of the best theme, from 0 to 1. */
  score: number
  /** The terms that the matter and the theme share, the most telling first. */
  shared: string[]
}

export interface MemoryOptions {
  priors: Prior[]
  rarity(term: string): number
}

/** A matter this close to one that a person placed follows it, whatever the others say. Tuned with `bench/triage`. */
const FOLLOWS_PINNED = 0.35
const LIKE_SET_ASIDE = 0.5
const WITHOUT_PAUSE_MS = 5
const LOOK_AT_CLOCK = 64
const SHARED = 4
/** More frequent words tell a person nothing. */
const TELLING = 0.8
/** Positions are computed again when the texts are this many times as many: what they have in common has shifted. */
const GROWN = 1.2

/** What triage knows of one project: which matter is in which theme, ready to be compared. */
export class TriageMemory {
  readonly #options: MemoryOptions
  readonly #entries = new Map<string, Entry>()
  readonly #themes = new Map<string, Set<Entry>>()
  #space: Space
  #placedFor = 0

  constructor(options: MemoryOptions) {
    this.#options = options
    this.#space = createSpace([], options.priors, options.rarity)
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Remembered | undefined {
    return this.#entries.get(key)
  }

  membersOf(themeId: string): Iterable<Remembered> {
    return this.#themes.get(themeId) ?? []
  }

  put({ key, itemId, themeId, isPinned, matter }: Remembered): void {
    this.forget(key)
    const entry: Entry = { key, itemId, themeId, isPinned, matter, place: undefined }
    this.#entries.set(key, entry)
    const members = this.#themes.get(themeId)
    if (members) members.add(entry)
    else this.#themes.set(themeId, new Set([entry]))
  }

  forget(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    const members = this.#themes.get(entry.themeId)!
    members.delete(entry)
    if (members.size === 0) this.#themes.delete(entry.themeId)
  }

  /** Returns the matter that is most similar to all of these, and the average similarity of all pairs. */
  middleOf(keys: readonly string[]): { middle: Remembered; likeness: number } | undefined {
    const entries = keys.flatMap((key) => this.#entries.get(key) ?? []).slice(0, 60)
    let best: { middle: Remembered; likeness: number } | undefined
    let total = 0
    for (const entry of entries) {
      let sum = 0
      for (const other of entries) if (other !== entry) sum += this.#alike(this.#placeOf(entry), other)
      const likeness = entries.length > 1 ? sum / (entries.length - 1) : 1
      total += likeness
      if (!best || likeness > best.likeness) best = { middle: entry, likeness }
    }
    return best && { middle: best.middle, likeness: total / entries.length }
  }

  /** Decides where a matter belongs. Pauses to let other work run; nothing may be added or removed meanwhile. */
  async decide(matter: Features, lessons: readonly Lesson[] = [], exceptItemId?: string): Promise<Decision> {
    this.#keepSpace()
    const place = this.#space.place(matter)
    const found = new Map<string, { sum: number; most: number; pinned: number }>()
    let from = performance.now()
    let since = 0
    for (const entry of this.#entries.values()) {
      if (++since % LOOK_AT_CLOCK === 0 && performance.now() - from >= WITHOUT_PAUSE_MS) {
        await setImmediate()
        from = performance.now()
      }
      if (entry.itemId === exceptItemId) continue
      const likeness = this.#alike(place, entry)
      const theme = found.get(entry.themeId) ?? { sum: 0, most: 0, pinned: 0 }
      theme.sum += likeness
      theme.most = Math.max(theme.most, likeness)
      if (entry.isPinned) theme.pinned = Math.max(theme.pinned, likeness)
      found.set(entry.themeId, theme)
    }
    return this.#choose(place, found, lessons)
  }

  #choose(
    place: Place,
    found: Map<string, { sum: number; most: number; pinned: number }>,
    lessons: readonly Lesson[],
  ): Decision {
    let best: { themeId: string; score: number; rank: number; isEnough: boolean } | undefined
    const refused = this.#refusals(place, lessons)
    let nearest = 0
    for (const [themeId, { sum, most, pinned }] of found) {
      nearest = Math.max(nearest, most)
      if ((refused.get(themeId) ?? 0) > most) continue
      const score = sum / this.#themes.get(themeId)!.size
      const follows = pinned >= FOLLOWS_PINNED
      const rank = follows ? 1 + pinned : score
      if (!best || rank > best.rank)
        best = { themeId, score: follows ? pinned : score, rank, isEnough: follows || score >= ENOUGH }
    }
    const aside = refused.get(null) ?? 0
    const isSetAside = aside >= LIKE_SET_ASIDE && aside > nearest
    if (!best) return { themeId: undefined, isSetAside, score: 0, shared: [] }
    const isJoined = best.isEnough && !isSetAside
    return {
      themeId: isJoined ? best.themeId : undefined,
      isSetAside,
      score: Math.max(0, Math.min(1, best.score)),
      shared: isJoined ? this.sharedWith(place, best.themeId) : [],
    }
  }

  /** For each theme that people took texts from, how similar the most similar of these is. */
  #refusals(place: Place, lessons: readonly Lesson[]): Map<string | null, number> {
    const most = new Map<string | null, number>()
    for (const { themeId, matters } of lessons)
      for (const matter of matters) {
        const likeness = this.#space.alike(place, this.#space.place(matter))
        most.set(themeId, Math.max(most.get(themeId) ?? 0, likeness))
      }
    return most
  }

  /** The terms that a text shares with a theme, the most telling first. */
  sharedWith({ terms }: Pick<Place, 'terms'>, themeId: string, exceptKey?: string): string[] {
    const sums = new Map<string, number>()
    for (const member of this.#themes.get(themeId) ?? [])
      if (member.key !== exceptKey)
        for (const [term, weight] of terms)
          if (this.#options.rarity(term) >= TELLING && member.matter.terms.includes(term))
            sums.set(term, (sums.get(term) ?? 0) + weight)
    return [...sums]
      .sort((a, b) => b[1] - a[1])
      .slice(0, SHARED)
      .map(([term]) => term)
  }

  /** How much a matter has in common with the others of its theme. */
  standingOf(key: string): { score: number; shared: string[] } {
    const entry = this.#entries.get(key)
    if (!entry) return { score: 0, shared: [] }
    const place = this.#placeOf(entry)
    const others = [...this.#themes.get(entry.themeId)!].filter((one) => one !== entry)
    const sum = others.reduce((total, other) => total + this.#alike(place, other), 0)
    return { score: others.length > 0 ? sum / others.length : 0, shared: this.sharedWith(place, entry.themeId, key) }
  }

  #alike = (place: Place, entry: Entry) => this.#space.alike(place, this.#placeOf(entry))

  #placeOf(entry: Entry): Place {
    entry.place ??= this.#space.place(entry.matter)
    return entry.place
  }

  #keepSpace(): void {
    if (this.size <= this.#placedFor * GROWN && this.size >= this.#placedFor / 2) return
    this.#placedFor = this.size
    const { priors, rarity } = this.#options
    this.#space = createSpace(
      [...this.#entries.values()].map((entry) => entry.matter),
      priors,
      rarity,
    )
    for (const entry of this.#entries.values()) entry.place = undefined
  }
}
