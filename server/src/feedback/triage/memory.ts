import { setImmediate } from 'node:timers/promises'
import type { Features } from '../../engines/meaning/features.ts'
import { createSpace, type Place, type Space } from '../../engines/meaning/space.ts'
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
  /** How alike the matter and the best theme are, from 0 to 1. */
  score: number
  /** The terms that the matter and the theme share, the most telling first. */
  shared: string[]
}

/** A matter this close to one that a person placed or set aside follows it, if no other is closer. */
const TAUGHT = 0.35
const WITHOUT_PAUSE_MS = 5
const LOOK_AT_CLOCK = 64
const SHARED = 4
/** As many stand for all matters of a large theme. */
const SAMPLE = 60
/** Positions are computed again when the texts are this many times as many: what they have in common has shifted. */
const GROWN = 1.2

/** What triage knows of one project: which matter is in which theme, ready to be compared. */
export class TriageMemory {
  readonly #entries = new Map<string, Entry>()
  readonly #themes = new Map<string, Set<Entry>>()
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

  put({ key, itemId, themeId, isPinned, matter }: Remembered): void {
    this.forget(key)
    const entry: Entry = { key, itemId, themeId, isPinned, matter, place: undefined }
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
  middleOf(keys: readonly string[]): { middle: Remembered; likeness: number } | undefined {
    const entries = keys.slice(0, SAMPLE).flatMap((key) => this.#entries.get(key) ?? [])
    let best: { middle: Entry; sum: number } | undefined
    let total = 0
    for (const entry of entries) {
      const sum = entries.reduce((sum, other) => sum + (other === entry ? 0 : this.#alike(entry, other)), 0)
      total += sum
      if (!best || sum > best.sum) best = { middle: entry, sum }
    }
    return best && { middle: best.middle, likeness: total / (entries.length * (entries.length - 1) || 1) }
  }

  /** Decides where a matter belongs. Pauses to let other work run; nothing may be added or removed meanwhile. */
  async decide(matter: Features, lessons: readonly Lesson[] = [], exceptItemId?: string): Promise<Decision> {
    this.#keepSpace()
    const place = this.#space.place(matter)
    const refused = this.#refusals(place, lessons)
    const none = { themeId: undefined, score: 0 }
    let best: { themeId: string | undefined; score: number } = none
    let taught: { themeId: string | undefined; score: number } = none
    let nearest = 0
    let [from, since] = [performance.now(), 0]
    for (const [themeId, members] of this.#themes) {
      let [sum, count, most, pinned] = [0, 0, 0, 0]
      for (const entry of members) {
        if (++since % LOOK_AT_CLOCK === 0 && performance.now() - from >= WITHOUT_PAUSE_MS) {
          await setImmediate()
          from = performance.now()
        }
        if (entry.itemId === exceptItemId) continue
        const likeness = this.#space.alike(place, this.#placeOf(entry))
        sum += likeness
        count++
        most = Math.max(most, likeness)
        if (entry.isPinned) pinned = Math.max(pinned, likeness)
      }
      nearest = Math.max(nearest, most)
      if (count === 0 || (refused.get(themeId) ?? 0) > most) continue
      if (sum / count > best.score) best = { themeId, score: sum / count }
      if (pinned > taught.score) taught = { themeId, score: pinned }
    }
    const aside = refused.get(null) ?? 0
    const isSetAside = aside >= TAUGHT && aside > nearest
    const isTaught = taught.score >= TAUGHT && taught.score >= nearest
    const { themeId, score } = isTaught ? taught : best
    const isJoined = themeId !== undefined && !isSetAside && (isTaught || score >= this.#space.enough)
    return {
      themeId: isJoined ? themeId : undefined,
      isSetAside,
      score: Math.min(1, score),
      shared: isJoined ? this.#sharedWith(place, themeId) : [],
    }
  }

  /** How much a matter has in common with the others of its theme. */
  standingOf(key: string): { score: number; shared: string[] } {
    const entry = this.#entries.get(key)
    if (!entry) return { score: 0, shared: [] }
    const others = [...this.#themes.get(entry.themeId)!].filter((one) => one !== entry)
    const sum = others.reduce((total, other) => total + this.#alike(entry, other), 0)
    const score = Math.max(0, Math.min(1, sum / (others.length || 1)))
    return { score, shared: this.#sharedWith(this.#placeOf(entry), entry.themeId, key) }
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

  #sharedWith({ terms }: Place, themeId: string, exceptKey?: string): string[] {
    const sums = new Map<string, number>()
    for (const { key, matter } of this.#themes.get(themeId)!)
      if (key !== exceptKey)
        for (const term of matter.terms) if (terms.has(term)) sums.set(term, (sums.get(term) ?? 0) + terms.get(term)!)
    const found = [...sums].sort((a, b) => b[1] - a[1])
    return found.slice(0, SHARED).map(([term]) => term)
  }

  #alike = (a: Entry, b: Entry) => this.#space.alike(this.#placeOf(a), this.#placeOf(b))

  #placeOf(entry: Entry): Place {
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
