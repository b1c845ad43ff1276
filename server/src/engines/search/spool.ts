import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Collection, createCollection, type Text } from './collection.ts'
import { type Find, type Found, findHits, findTexts } from './find.ts'

export interface Write {
  key: string
  texts: Text[]
  /** Removes all texts that it does not list. */
  onlyIds?: string[] | undefined
  /** Sets the version if the collection then has exactly `size` texts. */
  complete?: { version: string; size: number }
}

export type Test = Pick<Find, 'query' | 'timeoutMs'> & { texts: string[] }
export type Tested = { is: 'tested'; matches: boolean[] } | Exclude<Found, { is: 'found' }>

const MAX_BYTES = 2 * 2 ** 30
const UNUSED_MS = 30 * 60_000
const PREFIX = 'slipway-search-'

interface Entry {
  collection: Collection
  /** Undefined while the collection is incomplete. */
  version: string | undefined
  usedAt: number
  /** Aborted when the collection changes. */
  searches: AbortController
}

/** Opens a spool: collections of texts in a folder that only this user can read. */
export function openSpool(parent: string, { maxBytes = MAX_BYTES } = {}) {
  /** Least recently used first. */
  const entries = new Map<string, Entry>()
  let folder: string | undefined
  removeLeftovers(parent)
  setInterval(() => {
    for (const [key, { usedAt }] of entries) if (performance.now() - usedAt > UNUSED_MS) drop(key)
  }, 60_000).unref()

  function openFolder(): string {
    folder ??= mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`))
    return folder
  }

  function use(key: string, entry: Entry): void {
    entry.usedAt = performance.now()
    entries.delete(key)
    entries.set(key, entry)
  }

  function drop(key: string): void {
    const entry = entries.get(key)
    entries.delete(key)
    entry?.searches.abort()
    entry?.collection.remove()
  }

  function makeRoom(): void {
    let bytes = 0
    for (const { collection } of entries.values()) bytes += collection.bytes()
    for (const [key, { collection }] of entries) {
      if (bytes <= maxBytes) return
      if (entries.size === 1) throw new Error(`The texts need more than ${maxBytes} bytes.`)
      bytes -= collection.bytes()
      drop(key)
    }
  }

  /** Removes everything. The next write creates a new folder. */
  function close(): void {
    for (const key of [...entries.keys()]) drop(key)
    if (folder) rmSync(folder, { recursive: true, force: true })
    folder = undefined
  }

  return {
    close,

    /** Returns whether the collection is complete. Running searches of the collection end as stale. */
    write({ key, texts, onlyIds, complete }: Write): boolean {
      const before = entries.get(key)
      before?.searches.abort()
      const collection = before?.collection ?? createCollection(openFolder())
      const entry: Entry = { collection, version: undefined, usedAt: 0, searches: new AbortController() }
      use(key, entry)
      try {
        collection.write(texts, onlyIds)
        makeRoom()
        if (complete?.size !== collection.size()) return false
        collection.writeTitles()
      } catch (err) {
        // The disk is full, or another process removed the folder.
        close()
        throw err
      }
      entry.version = complete.version
      return true
    },

    async find({ key, version, ...find }: Find & { key: string; version: string }): Promise<Found> {
      const entry = entries.get(key)
      if (entry?.version !== version) return { is: 'stale' }
      use(key, entry)
      try {
        return await findTexts(entry.collection, find, entry.searches.signal)
      } catch (err) {
        // Its files may be missing. The owner writes the collection again.
        drop(key)
        throw err
      }
    },

    /** Tells for each text whether one of its lines matches. */
    async test({ texts, ...find }: Test): Promise<Tested> {
      const collection = createCollection(openFolder())
      try {
        collection.write(texts.map((body, at) => ({ id: String(at), title: '', body, rank: 0, label: '' })))
        collection.writeTitles()
        const found = await findHits(collection, { ...find, limit: texts.length }, new AbortController().signal)
        if (found.is !== 'hits') return found
        const matching = new Set(found.hits.flatMap(({ owner, lines }) => (lines.length > 0 ? owner.id : [])))
        return { is: 'tested', matches: texts.map((_, at) => matching.has(String(at))) }
      } finally {
        collection.remove()
      }
    },
  }
}

/** Removes the folders of processes that no longer run. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0
    try {
      if (pid > 0 && !isRunning(pid)) rmSync(path.join(parent, name), { recursive: true, force: true })
    } catch {
      // The folder belongs to another user.
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
