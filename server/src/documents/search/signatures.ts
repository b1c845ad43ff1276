import type { Db } from '../../kernel/database/index.ts'
import { listContents, listUnsignedDocuments, saveSignatures } from './queries.ts'
import { searchThreads } from './threads.ts'

const MOST_DOCUMENTS = 100_000
/** Both bound what is in memory at a time. */
const DOCUMENTS_AT_A_TIME = 100
const BYTES_AT_A_TIME = 2 ** 20
const SIGN_DEADLINE_MS = 30_000
/** How soon after one look at a project the next may follow. */
const PAUSE_MS = 2_000

/** When a project was last looked at, or undefined while it is being looked at. */
const lookedAt = new Map<string, number | undefined>()

/**
 * Brings a project's signatures up to date, in small steps. Never needed for a right answer: documents without a current
 * signature are searched themselves.
 */
export async function signDocuments(db: Db, projectId: string): Promise<number> {
  const unsigned = await listUnsignedDocuments(db, projectId, MOST_DOCUMENTS)
  for (const ids of inSteps(unsigned)) {
    const found = await listContents(db, projectId, ids)
    const contents = found.map((one) => one.content)
    const signatures = await searchThreads.run('sign', contents, { deadlineMs: SIGN_DEADLINE_MS })
    const signed = found.map(({ id, content_tag }, at) => ({ id, content_tag, signature: signatures[at]! }))
    await saveSignatures(db, projectId, signed)
  }
  return unsigned.length
}

function* inSteps(documents: { id: string; bytes: number }[]): Generator<string[]> {
  let step: string[] = []
  let bytes = 0
  for (const one of documents) {
    step.push(one.id)
    bytes += one.bytes
    if (step.length < DOCUMENTS_AT_A_TIME && bytes < BYTES_AT_A_TIME) continue
    yield step
    step = []
    bytes = 0
  }
  if (step.length > 0) yield step
}

/** After a search that signatures could have helped. Gives nothing to wait for: what fails is done by a later search. */
export function signDocumentsSoon(db: Db, projectId: string): void {
  const before = lookedAt.get(projectId)
  if (lookedAt.has(projectId) && (before === undefined || performance.now() - before < PAUSE_MS)) return
  lookedAt.set(projectId, undefined)
  signDocuments(db, projectId)
    .catch(() => undefined)
    .finally(() => {
      lookedAt.delete(projectId)
      lookedAt.set(projectId, performance.now())
      // Old ones are at the front; a project that is forgotten is merely looked at again.
      for (const [oldest, time] of lookedAt) if (lookedAt.size > 1000 && time !== undefined) lookedAt.delete(oldest)
    })
}
