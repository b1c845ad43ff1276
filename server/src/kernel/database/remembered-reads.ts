import type { Representation } from '../http/answers/representation.ts'
import type { Db } from './index.ts'
import type { Reader } from './read-together.ts'
import { TextRing } from './text-ring.ts'

/** An answer as it was made, and a text that changes whenever anything that it shows does. */
export interface StatedRepresentation extends Representation {
  id: string
  state: string
}

interface Source {
  /** The state of each of a project's things, for much less than it costs to read them. */
  readStates(db: Db, projectId: string, ids: string[]): PromiseLike<{ id: string; state: string }[]>
  readStated(db: Db, projectId: string, ids: string[]): Promise<StatedRepresentation[]>
}

/** For what is remembered of everything together. */
const bodies = new TextRing(32 * 2 ** 20)
/** What takes more would push out too much else. */
const LARGEST_BODY = 200_000

/**
 * Remembers what was read, and asks the database only whether it is still so: an answer is never older than the
 * question. What changed, or was not read before, is read. Not for transactions, which may see what never commits.
 */
export function rememberReads({ readStates, readStated }: Source): Reader<Representation> {
  const memories = new WeakMap<object, Memory>()

  function memoryOf(db: Db): Memory {
    const known = memories.get(db.runner.root)
    if (known) return known
    const memory = new Memory()
    memories.set(db.runner.root, memory)
    return memory
  }

  async function readOne(db: Db, projectId: string, id: string): Promise<Representation | undefined> {
    const memory = memoryOf(db)
    if (memory.has(id)) {
      const [now] = await readStates(db, projectId, [id])
      const remembered = now && memory.recall(id, now.state)
      if (remembered || !now) return remembered
    }
    const [stated] = await readStated(db, projectId, [id])
    if (stated) memory.keep(stated)
    return stated
  }

  async function readMany(db: Db, projectId: string, ids: string[]): Promise<Map<string, Representation>> {
    const memory = memoryOf(db)
    const found = new Map<string, Representation>()
    const known = ids.filter((id) => memory.has(id))
    const states = known.length > 0 ? await readStates(db, projectId, known) : []
    for (const { id, state } of states) {
      const remembered = memory.recall(id, state)
      if (remembered) found.set(id, remembered)
    }
    const rest = ids.filter((id) => !found.has(id))
    for (const stated of rest.length > 0 ? await readStated(db, projectId, rest) : []) {
      found.set(stated.id, stated)
      memory.keep(stated)
    }
    return found
  }

  return { readOne, readMany }
}

interface Remembered {
  state: string
  etag: string
  /** Where its body is, for as long as it is there. */
  at: number
}

/** Entries are dropped a lap of the ring at a time: what was written two laps ago is no longer there. */
class Memory {
  #lap = 0
  #entries = new Map<string, Remembered>()
  #olderEntries = new Map<string, Remembered>()

  has(id: string): boolean {
    const entry = this.#entries.get(id) ?? this.#olderEntries.get(id)
    return entry !== undefined && bodies.has(entry.at)
  }

  recall(id: string, state: string): Representation | undefined {
    const entry = this.#entries.get(id) ?? this.#olderEntries.get(id)
    const body = entry?.state === state ? bodies.read(entry.at) : undefined
    if (!entry || body === undefined) return undefined
    const { etag } = entry
    // What is asked for stays: it is written anew before something else is written over it.
    if (bodies.isOld(entry.at)) this.keep({ id, state, etag, body })
    return { body, etag }
  }

  keep({ id, state, etag, body }: StatedRepresentation): void {
    if (body.length > LARGEST_BODY) return
    const at = bodies.write(body)
    const lap = bodies.lapOf(at)
    if (lap !== this.#lap) {
      this.#olderEntries = lap === this.#lap + 1 ? this.#entries : new Map()
      this.#entries = new Map()
      this.#lap = lap
    }
    this.#entries.set(id, { state, etag, at })
  }
}
