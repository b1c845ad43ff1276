import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { type Collection, createCollection, type Text } from './collection.ts'
import { type Find, type Found, findTexts } from './find.ts'

export interface Write {
  key: string
  texts: Text[]
  /** All others are removed. */
  onlyIds?: string[] | undefined
  /** The collection gets the version if it then has exactly so many texts. */
  complete?: { version: string; size: number } | undefined
}

export type Test = Pick<Find, 'query' | 'forMs'> & { texts: string[] }
export type Tested = { is: 'tested'; matches: boolean[] } | Exclude<Found, { is: 'found' }>

/** With the processor time that it took. */
export type Spent<T> = T & { spentMs: number }

const MOST_BYTES = 2 * 2 ** 30
const UNUSED_MS = 30 * 60_000
const LEFT_MS = 10 * 60_000
const TIDY_EVERY_MS = 60_000
const PREFIX = 'slipway-search-'

interface Shelf {
  collection: Collection
  /** What its owner calls its state; undefined while it is written. */
  version: string | undefined
  usedAt: number
  searches: Set<AbortController>
}

/** Collections of texts in a folder that nobody else may enter. */
export function openSpool(parent: string, { mostBytes = MOST_BYTES } = {}) {
  /** The ones used longest ago come first. */
  const shelves = new Map<string, Shelf>()
  let folder: string | undefined
  removeLeftovers(parent)
  const timer = setInterval(tidy, TIDY_EVERY_MS)
  timer.unref()

  function openFolder(): string {
    folder ??= mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`))
    return folder
  }

  function drop(key: string): void {
    const shelf = shelves.get(key)
    if (!shelf) return
    shelves.delete(key)
    for (const one of shelf.searches) one.abort()
    shelf.collection.remove()
  }

  /** Other processes remove the folder of a process that seems to have ended long ago. */
  function tidy(): void {
    for (const [key, { usedAt }] of shelves) if (performance.now() - usedAt > UNUSED_MS) drop(key)
    const now = new Date()
    try {
      if (folder) utimesSync(folder, now, now)
    } catch {
      // It is gone. The next search notices and starts anew.
    }
  }

  function makeRoom(except: string): void {
    let bytes = 0
    for (const { collection } of shelves.values()) bytes += collection.bytes()
    for (const [key, { collection }] of shelves) {
      if (bytes <= mostBytes) return
      if (key === except) continue
      bytes -= collection.bytes()
      drop(key)
    }
    if (bytes > mostBytes) throw new Error(`The texts need more than the ${mostBytes} bytes that the spool may have.`)
  }

  return {
    /** Returns whether the collection is complete. A search of it that is running ends as stale. */
    write({ key, texts, onlyIds, complete }: Write): boolean {
      const shelf = shelves.get(key) ?? {
        collection: createCollection(openFolder()),
        version: undefined,
        usedAt: 0,
        searches: new Set(),
      }
      for (const one of shelf.searches) one.abort()
      shelf.version = undefined
      shelf.usedAt = performance.now()
      shelves.delete(key)
      shelves.set(key, shelf)
      try {
        shelf.collection.write(texts)
        if (onlyIds) shelf.collection.keepOnly(new Set(onlyIds))
        makeRoom(key)
      } catch (err) {
        this.close()
        throw err
      }
      if (complete && shelf.collection.size() === complete.size) shelf.version = complete.version
      return shelf.version !== undefined
    },

    async find({ key, version, ...find }: Find & { key: string; version: string }): Promise<Spent<Found>> {
      const shelf = shelves.get(key)
      if (!shelf || shelf.version !== version) return { is: 'stale', spentMs: 0 }
      shelf.usedAt = performance.now()
      shelves.delete(key)
      shelves.set(key, shelf)
      const abort = new AbortController()
      shelf.searches.add(abort)
      try {
        return await countSpent(abort.signal, (watch) => findTexts(shelf.collection, openFolder(), find, watch))
      } finally {
        shelf.searches.delete(abort)
      }
    },

    /** Which of the texts have a line that matches. */
    test({ texts, ...find }: Test): Promise<Spent<Tested>> {
      return countSpent(new AbortController().signal, async (watch) => {
        const collection = createCollection(openFolder())
        try {
          collection.write(texts.map((title, at) => ({ id: String(at), title, body: '', rank: 0, label: '' })))
          const limits = { limit: texts.length, contextLines: 0, mostCharacters: 0 }
          const found = await findTexts(collection, openFolder(), { ...find, ...limits }, watch)
          if (found.is !== 'found') return found
          const matching = new Set(found.texts.map(({ id }) => Number(id)))
          return { is: 'tested', matches: texts.map((_, at) => matching.has(at)) }
        } finally {
          collection.remove()
        }
      })
    },

    drop,

    /** Removes everything. It can be used again, in a folder of its own. */
    close(): void {
      for (const key of [...shelves.keys()]) drop(key)
      if (folder) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}

async function countSpent<T>(
  signal: AbortSignal,
  run: (watch: { signal: AbortSignal; onSpent(ms: number): void }) => Promise<T>,
): Promise<Spent<T>> {
  let spentMs = 0
  const onSpent = (ms: number) => {
    spentMs += ms
  }
  const found = await run({ signal, onSpent })
  return { ...found, spentMs }
}

/** Of processes that were killed. Nobody else's folder can be removed. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN)
    const folder = path.join(parent, name)
    try {
      if (pid > 0 && !isRunning(pid) && Date.now() - statSync(folder).mtimeMs > LEFT_MS)
        rmSync(folder, { recursive: true, force: true })
    } catch {
      // It belongs to somebody else, or is gone already.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM'
  }
}
