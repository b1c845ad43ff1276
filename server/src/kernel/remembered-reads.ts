import type { Db } from './database.ts'
import type { Reader } from './read-together.ts'

/** Something as it was read, and a text that changes whenever anything of it does. */
interface Stated<T> {
  state: string
  thing: T
}

interface Source<T> {
  /** The state of each of a project's things, for much less than it costs to read them. */
  readStates(db: Db, projectId: string, ids: string[]): PromiseLike<{ id: string; state: string }[]>
  readStated(db: Db, projectId: string, ids: string[]): Promise<Map<string, Stated<T>>>
  sizeOf(thing: T): number
}

/** In characters: the half of what is remembered, and the largest single thing. */
const MOST_RECENT = 12_000_000
const LARGEST_REMEMBERED = 100_000

/**
 * Remembers what was read, and asks the database only whether it is still so: an answer is never older than the
 * question. What changed, or was not read before, is read. Not for transactions, which may see what never commits.
 */
export function rememberReads<T>({ readStates, readStated, sizeOf }: Source<T>): Reader<T> {
  const memories = new WeakMap<Db, Memory<T>>()

  function memoryOf(db: Db): Memory<T> {
    const known = memories.get(db)
    if (known) return known
    const memory = new Memory<T>(sizeOf)
    memories.set(db, memory)
    return memory
  }

  async function readOne(db: Db, projectId: string, id: string): Promise<T | undefined> {
    const memory = memoryOf(db)
    if (memory.has(id)) {
      const [now] = await readStates(db, projectId, [id])
      const thing = now && memory.recall(id, now.state)
      if (thing !== undefined || !now) return thing
    }
    const stated = (await readStated(db, projectId, [id])).get(id)
    if (stated) memory.keep(id, stated)
    return stated?.thing
  }

  async function readMany(db: Db, projectId: string, ids: string[]): Promise<Map<string, T>> {
    const memory = memoryOf(db)
    const found = new Map<string, T>()
    const known = ids.filter((id) => memory.has(id))
    const states = known.length > 0 ? await readStates(db, projectId, known) : []
    for (const { id, state } of states) {
      const thing = memory.recall(id, state)
      if (thing !== undefined) found.set(id, thing)
    }
    const rest = ids.filter((id) => !found.has(id))
    const stated = rest.length > 0 ? await readStated(db, projectId, rest) : []
    for (const [id, one] of stated) {
      found.set(id, one.thing)
      memory.keep(id, one)
    }
    return found
  }

  return { readOne, readMany }
}

/**
 * What is asked for moves to the recent half; when that is full it becomes the older one, and what was there is forgotten.
 * In a single map, moving an entry to the end at every use would have the map grow and be copied all the time.
 */
class Memory<T> {
  readonly #sizeOf: (thing: T) => number
  #recent = new Map<string, Stated<T>>()
  #older = new Map<string, Stated<T>>()
  #recentSize = 0

  constructor(sizeOf: (thing: T) => number) {
    this.#sizeOf = sizeOf
  }

  has(id: string): boolean {
    return this.#recent.has(id) || this.#older.has(id)
  }

  recall(id: string, state: string): T | undefined {
    const recent = this.#recent.get(id)
    const stated = recent ?? this.#older.get(id)
    if (stated?.state !== state) return undefined
    if (!recent) this.keep(id, stated)
    return stated.thing
  }

  keep(id: string, stated: Stated<T>): void {
    const size = this.#sizeOf(stated.thing)
    if (size > LARGEST_REMEMBERED) return
    if (this.#recentSize + size > MOST_RECENT) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#recentSize = 0
    }
    this.#recent.set(id, stated)
    this.#recentSize += size
  }
}
