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

/** What the spool has: all documents that a snapshot saw. */
export interface Spooled {
  key: string
  version: string
  total: number
  horizon: string
  treeNames: Record<string, string>
}

/** Both bound what is in memory at a time, and how long the main thread is busy with it. */
const BYTES_AT_A_TIME = 512 * 1024
const DOCUMENTS_AT_A_TIME = 200
const MOST_KNOWN = 10_000

/** The ones used longest ago come first. */
const known = new Map<string, Spooled>()
const updating = new Map<string, Promise<Spooled>>()
let versions = 0

export const keyOf = ({ projectId, kind }: Scope) => `${projectId}/${kind}`

/** Undefined before it was loaded, and while it is written. */
export function findSpooled(scope: Scope): Spooled | undefined {
  return known.get(keyOf(scope))
}

/** What is in the spool, if that is exactly what this statement sees, with the names as it sees them. */
export async function checkSpooled(db: Db, scope: Scope, spooled: Spooled): Promise<Spooled | undefined> {
  const { total, written, treeNames } = await readDocumentsState(db, scope, spooled.horizon)
  return total === spooled.total && written === 0 ? { ...spooled, treeNames } : undefined
}

/** Waits until there is something in the spool, however old. It goes on when nobody waits any more. */
export async function loadSpool(db: Db, scope: Scope): Promise<void> {
  if (!findSpooled(scope)) await (updating.get(keyOf(scope)) ?? beginUpdate(db, scope))
}

/** Brings the spool to a state that was committed after this was called. */
export async function updateSpool(db: Db, scope: Scope): Promise<Spooled> {
  for (let other = updating.get(keyOf(scope)); other; other = updating.get(keyOf(scope)))
    await other.catch(() => undefined)
  return beginUpdate(db, scope)
}

function beginUpdate(db: Db, scope: Scope): Promise<Spooled> {
  const key = keyOf(scope)
  const update = bringUpToDate(db, scope, known.get(key)).finally(() => updating.delete(key))
  // Who waited may have given up.
  update.catch(() => undefined)
  updating.set(key, update)
  return update
}

/** The spool has lost its files, or gave them up to others. */
export function forgetSpooled(scope: Scope): void {
  known.delete(keyOf(scope))
}

interface Changes {
  state: DocumentsState
  /** Undefined when they are more than should be in memory at a time. */
  texts: Text[] | undefined
  written: { id: string; bytes: number }[]
  onlyIds: string[] | undefined
}

async function bringUpToDate(db: Db, scope: Scope, before: Spooled | undefined): Promise<Spooled> {
  const key = keyOf(scope)
  known.delete(key)
  let horizon = before?.horizon
  for (let hasDeleted = !before; ; hasDeleted = true) {
    const { state, texts, written, onlyIds } = await readChanges(db, scope, horizon, hasDeleted)
    horizon = state.horizon
    if (!texts) {
      await load(db, scope, written)
      continue
    }
    const version = String(++versions)
    const complete = { version, size: state.total }
    if (!(await searchEngine.write({ key, texts, onlyIds, complete }))) continue
    const spooled = { key, version, total: state.total, horizon, treeNames: state.treeNames }
    known.set(key, spooled)
    for (const oldest of known.keys()) if (known.size > MOST_KNOWN) known.delete(oldest)
    return spooled
  }
}

/** In one snapshot, so that they lead from one state that was committed to another. */
function readChanges(db: Db, scope: Scope, horizon: string | undefined, hasDeleted: boolean): Promise<Changes> {
  return inSnapshot(db, async (tx) => {
    const state = await readDocumentsState(tx, scope, horizon)
    const written = state.written > 0 ? await listWrittenDocuments(tx, scope, horizon) : []
    const ids = written.map(({ id }) => id)
    const bytes = written.reduce((sum, one) => sum + one.bytes, 0)
    if (bytes > BYTES_AT_A_TIME || ids.length > DOCUMENTS_AT_A_TIME)
      return { state, texts: undefined, written, onlyIds: undefined }
    const texts = ids.length > 0 ? await readSearchedTexts(tx, scope, ids) : []
    return { state, texts, written, onlyIds: hasDeleted ? await listDocumentIds(tx, scope) : undefined }
  })
}

/** What changes meanwhile is found by the next look at what was written. */
async function load(db: Db, scope: Scope, written: { id: string; bytes: number }[]): Promise<void> {
  const key = keyOf(scope)
  for (let at = 0; at < written.length; ) {
    const ids: string[] = []
    for (let bytes = 0; at < written.length && ids.length < DOCUMENTS_AT_A_TIME && bytes < BYTES_AT_A_TIME; at++) {
      ids.push(written[at]!.id)
      bytes += written[at]!.bytes
    }
    await searchEngine.write({ key, texts: await readSearchedTexts(db, scope, ids) })
  }
}
