import { createSearchEngine, type Text } from '../engines/search/index.ts'
import { type Db, inSnapshot } from '../kernel/database/index.ts'
import {
  type DocumentsState,
  listDocumentIds,
  listWrittenDocuments,
  readDocumentsState,
  readSearchedTexts,
  type Scope,
} from './search-queries.ts'

export const searchEngine = createSearchEngine()

/** Describes the content of the spool: all documents of one snapshot, with the names of their trees. */
export interface Spooled extends Pick<DocumentsState, 'total' | 'horizon' | 'treeNames'> {
  version: string
}

/** Both limit the memory in use and the time that the main thread is busy. */
const BYTES_AT_A_TIME = 512 * 1024
const DOCUMENTS_AT_A_TIME = 200
const MAX_KNOWN = 10_000

/** Least recently updated first. A scope has no entry while it is being updated. */
const known = new Map<string, Spooled>()
const updates = new Map<string, Promise<Spooled>>()
let versions = 0

export const keyOf = ({ projectId, kind }: Scope) => `${projectId}/${kind}`
export const findSpooled = (scope: Scope) => known.get(keyOf(scope))
/** Call it if the spool has lost or evicted the files of a scope. */
export const forgetSpooled = (scope: Scope) => known.delete(keyOf(scope))

/** Returns the content of the spool if it is exactly what this statement sees, otherwise undefined. */
export async function checkSpooled(db: Db, scope: Scope, spooled: Spooled): Promise<Spooled | undefined> {
  const { total, written, treeNames } = await readDocumentsState(db, scope, spooled.horizon)
  return total === spooled.total && written === 0 ? { ...spooled, treeNames } : undefined
}

/** Waits until the spool has any version of the documents. Loading continues even if the caller stops waiting. */
export async function loadSpool(db: Db, scope: Scope): Promise<void> {
  if (!findSpooled(scope)) await (updates.get(keyOf(scope)) ?? beginUpdate(db, scope))
}

/** Updates the spool to a state that was committed after this call. */
export async function updateSpool(db: Db, scope: Scope): Promise<Spooled> {
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
    const { state, written, texts, onlyIds } = await readChanges(db, scope, horizon, hasDeleted)
    horizon = state.horizon
    const version = String(++versions)
    const complete = { version, size: state.total }
    if (!texts) await load(db, scope, written)
    else if (await searchEngine.write({ key, texts, onlyIds, complete })) {
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

interface Changes {
  state: DocumentsState
  written: { id: string; bytes: number }[]
  /** Undefined if the documents are too large to hold in memory at once. */
  texts?: Text[]
  onlyIds?: string[] | undefined
}

/** Reads in one snapshot, so that the result leads from one committed state to another. */
function readChanges(db: Db, scope: Scope, horizon: string | undefined, hasDeleted: boolean): Promise<Changes> {
  return inSnapshot(db, async (tx) => {
    const state = await readDocumentsState(tx, scope, horizon)
    const written = state.written > 0 ? await listWrittenDocuments(tx, scope, horizon) : []
    const [first, ...others] = portionsOf(written)
    if (others.length > 0) return { state, written }
    const texts = first ? await readSearchedTexts(tx, scope, first) : []
    return { state, written, texts, onlyIds: hasDeleted ? await listDocumentIds(tx, scope) : undefined }
  })
}

/** Loads documents in portions. The next `readChanges` finds documents that change in the meantime. */
async function load(db: Db, scope: Scope, written: { id: string; bytes: number }[]): Promise<void> {
  for (const ids of portionsOf(written))
    await searchEngine.write({ key: keyOf(scope), texts: await readSearchedTexts(db, scope, ids) })
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
