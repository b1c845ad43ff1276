import { createSearchEngine } from '../../../engines/search/index.ts'
import { type Db, inSnapshot } from '../../../kernel/database/index.ts'
import type { DocumentsState, Scope } from './search-queries.ts'
import * as queries from './search-queries.ts'

export const searchEngine = createSearchEngine()

/** Describes the content of the spool: all documents of one snapshot, with the names of their trees. */
interface Spooled extends Pick<DocumentsState, 'total' | 'horizon' | 'treeNames'> {
  version: string
}

/** Both limit the memory in use and the time that the main thread is busy (`bench/search/run.mjs`). */
const BYTES_AT_A_TIME = 512 * 1024
const DOCUMENTS_AT_A_TIME = 200
const MAX_KNOWN = 10_000

/** Least recently updated first. A scope has no entry while it is being updated. */
const known = new Map<string, Spooled>()
const updates = new Map<string, Promise<Spooled>>()
let versions = 0

export const keyOf = ({ projectId, kind }: Scope) => `${projectId}/${kind}`
/** Call it if the spool has lost or evicted the files of a scope. */
export const forgetSpooled = (scope: Scope) => known.delete(keyOf(scope))

/**
 * Searches the committed documents. Calls `find` with the version in the spool while PostgreSQL checks whether it is up
 * to date. Usually it is; otherwise updates the spool and calls `find` again.
 */
export async function findInCurrent<T>(db: Db, scope: Scope, find: (version: string) => Promise<T>) {
  const spooled = known.get(keyOf(scope))
  if (spooled) {
    const early = find(spooled.version)
    early.catch(() => undefined)
    const { total, written, treeNames } = await queries.readDocumentsState(db, scope, spooled.horizon)
    if (total === spooled.total && written === 0) return { found: await early, treeNames }
  }
  const { version, treeNames } = await updateSpool(db, scope)
  return { found: await find(version), treeNames }
}

/** Waits until the spool has any version of the documents. Loading continues even if the caller stops waiting. */
export async function loadSpool(db: Db, scope: Scope): Promise<void> {
  if (!known.has(keyOf(scope))) await (updates.get(keyOf(scope)) ?? beginUpdate(db, scope))
}

/** Updates the spool to a state that was committed after this call. */
async function updateSpool(db: Db, scope: Scope): Promise<Spooled> {
  for (let other = updates.get(keyOf(scope)); other; other = updates.get(keyOf(scope)))
    await other.catch(() => undefined)
  return beginUpdate(db, scope)
}

function beginUpdate(db: Db, scope: Scope): Promise<Spooled> {
  const key = keyOf(scope)
  const update = bringUpToDate(db, scope, known.get(key)).finally(() => updates.delete(key))
  // The caller may have stopped waiting.
  update.catch(() => undefined)
  updates.set(key, update)
  return update
}

async function bringUpToDate(db: Db, scope: Scope, before: Spooled | undefined): Promise<Spooled> {
  const key = keyOf(scope)
  known.delete(key)
  let horizon = before?.horizon
  for (let hasDeleted = !before; ; hasDeleted = true) {
    const { state, portions, texts, onlyIds } = await readChanges(db, scope, horizon, hasDeleted)
    horizon = state.horizon
    const version = String(++versions)
    const complete = { version, size: state.total }
    if (!texts) {
      // Too many for the memory. The next round finds documents that change in the meantime.
      for (const ids of portions)
        await searchEngine.write({ key, texts: await queries.readSearchedTexts(db, scope, ids) })
    } else if (await searchEngine.write({ key, texts, onlyIds, complete })) {
      const spooled = { ...state, version }
      known.set(key, spooled)
      for (const oldest of known.keys()) if (known.size > MAX_KNOWN) known.delete(oldest)
      return spooled
    } else if (hasDeleted) {
      // The spool has lost some documents.
      horizon = undefined
    }
  }
}

/** Reads in one snapshot, so that the result leads from one committed state to another. */
function readChanges(db: Db, scope: Scope, horizon: string | undefined, hasDeleted: boolean) {
  return inSnapshot(db, async (tx) => {
    const state = await queries.readDocumentsState(tx, scope, horizon)
    const written = state.written > 0 ? await queries.listWrittenDocuments(tx, scope, horizon) : []
    const portions = portionsOf(written)
    if (portions.length > 1) return { state, portions }
    const texts = portions[0] ? await queries.readSearchedTexts(tx, scope, portions[0]) : []
    return { state, portions, texts, onlyIds: hasDeleted ? await queries.listDocumentIds(tx, scope) : undefined }
  })
}

function portionsOf(written: { id: string; bytes: number }[]): string[][] {
  const portions: string[][] = []
  let left = 0
  for (const { id, bytes } of written) {
    if (left <= 0 || portions.at(-1)!.length === DOCUMENTS_AT_A_TIME) {
      portions.push([])
      left = BYTES_AT_A_TIME
    }
    portions.at(-1)!.push(id)
    left -= bytes
  }
  return portions
}
