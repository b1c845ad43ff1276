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

/** What the spool has: all documents that a snapshot saw, with the names of their trees. */
export interface Spooled extends Pick<DocumentsState, 'total' | 'horizon' | 'treeNames'> {
  version: string
}

/** Both bound what is in memory at a time, and how long the main thread is busy with it. */
const BYTES_AT_A_TIME = 512 * 1024
const DOCUMENTS_AT_A_TIME = 200
const MAX_KNOWN = 10_000

/** The ones updated longest ago come first. None while it is updated. */
const known = new Map<string, Spooled>()
const updates = new Map<string, Promise<Spooled>>()
let versions = 0

export const keyOf = ({ projectId, kind }: Scope) => `${projectId}/${kind}`
export const findSpooled = (scope: Scope) => known.get(keyOf(scope))
/** For when the spool has lost its files, or gave them up for others. */
export const forgetSpooled = (scope: Scope) => known.delete(keyOf(scope))

/** What is in the spool, if that is exactly what this statement sees. */
export async function checkSpooled(db: Db, scope: Scope, spooled: Spooled): Promise<Spooled | undefined> {
  const { total, written, treeNames } = await readDocumentsState(db, scope, spooled.horizon)
  return total === spooled.total && written === 0 ? { ...spooled, treeNames } : undefined
}

/** Waits until there is something in the spool, however old. The loading goes on when nobody waits any more. */
export async function loadSpool(db: Db, scope: Scope): Promise<void> {
  if (!findSpooled(scope)) await (updates.get(keyOf(scope)) ?? beginUpdate(db, scope))
}

/** Brings the spool to a state that was committed after this was called. */
export async function updateSpool(db: Db, scope: Scope): Promise<Spooled> {
  for (let other = updates.get(keyOf(scope)); other; other = updates.get(keyOf(scope)))
    await other.catch(() => undefined)
  return beginUpdate(db, scope)
}

function beginUpdate(db: Db, scope: Scope): Promise<Spooled> {
  const key = keyOf(scope)
  const update = bringUpToDate(db, scope, known.get(key)).finally(() => updates.delete(key))
  // Who waited may have given up.
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
      // The spool has lost something meanwhile.
      horizon = undefined
    }
  }
}

interface Changes {
  state: DocumentsState
  written: { id: string; bytes: number }[]
  /** Undefined when they are more than should be in memory at a time. */
  texts?: Text[]
  onlyIds?: string[] | undefined
}

/** In one snapshot, so that they lead from one state that was committed to another. */
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

/** What changes meanwhile is found by the next look at what was written. */
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
