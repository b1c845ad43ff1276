import { setImmediate } from 'node:timers/promises'
import type { Features } from '../../../engines/meaning/features.ts'
import { createSpace, type Place, type Space } from '../../../engines/meaning/space.ts'
import type { Matter } from './reading.ts'
import type { Lesson } from './triage-queries.ts'

/** A matter in a theme. */
export interface Remembered {
  /** The item and the number of the matter in it: see `keyOf`. */
  key: string
  itemId: string
  themeId: string
  /** True if a person put it there. */
  isPinned: boolean
  matter: Matter
  /** Computed when it is needed. */
  place?: Place | undefined
}

export const keyOf = (itemId: string, matter: number) => `${itemId} ${matter}`

export interface Decision {
  /** Undefined if no theme is close enough. */
  themeId: string | undefined
  /** True if a person set something like it aside. */
  isSetAside: boolean
  /** How alike the matter and the best theme are, from 0 to 1. */
  score: number
  /** The words of the matter that the theme shares, the most telling first. */
  shared: string[]
}

export interface Ranking {
  /** The nearest first. */
  themes: { themeId: string; score: number; isNear: boolean; shared: string[] }[]
  similar: { itemId: string; score: number }[]
}

/** A matter this close to one that a person placed or set aside follows it, if no other is closer. */
const TAUGHT = 0.35
const WITHOUT_PAUSE_MS = 5
const SHARED = 4
/** As many themes and items are returned by `rank`. */
const RANKED = 4
/** Less alike is not alike. */
const ALIKE = 0.2
/** As many stand for all matters of a large theme. */
const SAMPLE = 60
/** Positions are computed again when the texts are this many times as many: what they have in common has shifted. */
const GROWN = 1.2

/** What triage knows of one project: which matter is in which theme, ready to be compared. */
export class TriageMemory {
  readonly #entries = new Map<string, Remembered>()
  readonly #themes = new Map<string, Set<Remembered>>()
  #space: Space = createSpace([])
  #placedFor = 0

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Remembered | undefined {
    return this.#entries.get(key)
  }

  membersOf(themeId: string): Remembered[] {
    return [...(this.#themes.get(themeId) ?? [])]
  }

  put(entry: Remembered): void {
    const { key, themeId } = entry
    this.forget(key)
    this.#entries.set(key, entry)
    this.#themes.set(themeId, (this.#themes.get(themeId) ?? new Set()).add(entry))
  }

  forget(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    const members = this.#themes.get(entry.themeId)!
    members.delete(entry)
    if (members.size === 0) this.#themes.delete(entry.themeId)
  }

  /** Returns the matter that is most like all of these, and the average similarity of all pairs. */
  middleOf(keys: readonly string[]): { middle: Matter; likeness: number } {
    const entries = keys.slice(0, SAMPLE).map((key) => this.#entries.get(key)!)
    const means = entries.map((entry) => this.#compare(this.#placeOf(entry), entries, entry.itemId).mean)
    const middle = entries[means.indexOf(Math.max(...means))]!.matter
    return { middle, likeness: means.reduce((sum, mean) => sum + mean, 0) / means.length }
  }

  /** Decides where a matter belongs. Pauses to let other work run; nothing may be added or removed meanwhile. */
  async decide(matter: Features, lessons: readonly Lesson[] = [], exceptItemId?: string): Promise<Decision> {
    this.#keepSpace()
    const place = this.#space.place(matter)
    const refused = this.#refusals(place, lessons)
    let best: { themeId?: string; score: number; beyond: number } = { score: 0, beyond: Number.NEGATIVE_INFINITY }
    let taught: { themeId?: string; score: number } = { score: 0 }
    let nearest = 0
    let since = performance.now()
    for (const [themeId, members] of this.#themes) {
      if (performance.now() - since >= WITHOUT_PAUSE_MS) {
        await setImmediate()
        since = performance.now()
      }
      const { mean, count, most, pinned } = this.#compare(place, members, exceptItemId)
      const beyond = mean - this.#space.enough(count)
      nearest = Math.max(nearest, most)
      if ((refused.get(themeId) ?? 0) > most) continue
      if (mean > 0 && beyond > best.beyond) best = { themeId, score: mean, beyond }
      if (pinned > taught.score) taught = { themeId, score: pinned }
    }
    const aside = refused.get(null) ?? 0
    const isSetAside = aside >= TAUGHT && aside > nearest
    const isTaught = taught.score >= TAUGHT && taught.score >= nearest
    const { themeId, score } = isTaught ? taught : best
    const isJoined = themeId !== undefined && !isSetAside && (isTaught || best.beyond >= 0)
    return {
      themeId: isJoined ? themeId : undefined,
      isSetAside,
      score: Math.min(1, score),
      shared: isJoined ? this.#sharedWith(themeId, matter, place, exceptItemId) : [],
    }
  }

  /** The themes and items that are most like a matter. Like `decide`, it pauses and needs the memory to stay as it is. */
  async rank(matter: Features, lessons: readonly Lesson[], exceptItemId: string): Promise<Ranking> {
    const decision = await this.decide(matter, lessons, exceptItemId)
    const place = this.#space.place(matter)
    const refused = this.#refusals(place, lessons)
    const themes: { themeId: string; score: number }[] = []
    const items = new Map<string, number>()
    let since = performance.now()
    for (const [themeId, members] of this.#themes) {
      if (performance.now() - since >= WITHOUT_PAUSE_MS) {
        await setImmediate()
        since = performance.now()
      }
      let [sum, count, most] = [0, 0, 0]
      for (const other of members) {
        if (other.itemId === exceptItemId) continue
        const likeness = this.#space.alike(place, this.#placeOf(other))
        sum += likeness
        count++
        most = Math.max(most, likeness)
        if (likeness >= ALIKE && likeness > (items.get(other.itemId) ?? 0)) items.set(other.itemId, likeness)
      }
      const isChosen = themeId === decision.themeId
      const score = isChosen ? decision.score : sum / (count || 1)
      if (isChosen || (score >= ALIKE && (refused.get(themeId) ?? 0) <= most)) themes.push({ themeId, score })
    }
    const isChosen = (themeId: string) => themeId === decision.themeId
    themes.sort((a, b) => Number(isChosen(b.themeId)) - Number(isChosen(a.themeId)) || b.score - a.score)
    return {
      themes: themes.slice(0, RANKED).map(({ themeId, score }) => ({
        themeId,
        score: Math.min(1, score),
        isNear: isChosen(themeId),
        shared: this.#sharedWith(themeId, matter, place, exceptItemId),
      })),
      similar: [...items]
        .map(([itemId, score]) => ({ itemId, score: Math.min(1, score) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, RANKED),
    }
  }

  /** How much a matter has in common with the others of its theme. */
  standingOf(key: string): Pick<Decision, 'score' | 'shared'> {
    const entry = this.#entries.get(key)!
    const { itemId, themeId, matter } = entry
    const place = this.#placeOf(entry)
    const { mean } = this.#compare(place, this.#themes.get(themeId)!, itemId)
    return { score: Math.max(0, Math.min(1, mean)), shared: this.#sharedWith(themeId, matter, place, itemId) }
  }

  /** Returns how alike it is to these on average, at most, and at most to those that people placed. */
  #compare(place: Place, others: Iterable<Remembered>, exceptItemId: string | undefined) {
    let [sum, count, most, pinned] = [0, 0, 0, 0]
    for (const other of others) {
      if (other.itemId === exceptItemId) continue
      const likeness = this.#space.alike(place, this.#placeOf(other))
      sum += likeness
      count++
      most = Math.max(most, likeness)
      if (other.isPinned) pinned = Math.max(pinned, likeness)
    }
    return { mean: sum / (count || 1), count, most, pinned }
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

  #sharedWith(themeId: string, { terms, forms }: Features, place: Place, exceptItemId: string | undefined): string[] {
    const weights = new Map<string, number>()
    for (const { itemId, matter } of this.#themes.get(themeId)!)
      for (const term of itemId === exceptItemId ? [] : matter.terms)
        if (place.terms.has(term)) weights.set(term, (weights.get(term) ?? 0) + place.terms.get(term)!)
    const found = [...weights].sort((a, b) => b[1] - a[1])
    return [...new Set(found.map(([term]) => forms[terms.indexOf(term)]!))].slice(0, SHARED)
  }

  #placeOf(entry: Remembered): Place {
    entry.place ??= this.#space.place(entry.matter)
    return entry.place
  }

  #keepSpace(): void {
    if (this.size <= this.#placedFor * GROWN && this.size >= this.#placedFor / 2) return
    this.#placedFor = this.size
    this.#space = createSpace([...this.#entries.values()].map((entry) => entry.matter))
    for (const entry of this.#entries.values()) entry.place = undefined
  }
}
