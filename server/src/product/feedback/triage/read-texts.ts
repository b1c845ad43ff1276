import { BUILT_IN } from '../../../engines/meaning/features.ts'
import type { Db } from '../../../kernel/database/index.ts'
import { inThreads } from '../../../kernel/threads/threads.ts'
import { type EmbeddingsServer, embed, encoderOf } from './embeddings.ts'
import { listTexts, type StoredReading, storeReadings } from './triage-queries.ts'

/** Half a second of work, so that a caller with one text does not wait long behind one with thousands. */
const AT_ONCE = 32
const DEADLINE_MS = 60_000

/** The models are in one thread only, and gone when it is idle; they can be loaded again. */
const thread = inThreads<typeof import('./reading.ts')>(new URL('./reading.js', import.meta.url), { maxThreads: 1 })

type Server = EmbeddingsServer | undefined

/** Where an embeddings server is configured but away, the built-in encoder reads. */
export async function readTexts(
  server: Server,
  projectId: string,
  texts: { id: string; text: string }[],
): Promise<StoredReading[]> {
  const plain = texts.map((one) => one.text)
  const read = await thread.run(projectId, 'readItems', plain, { deadlineMs: DEADLINE_MS })
  const readings = read.map((one, index) => ({ ...one, itemId: texts[index]!.id, encoder: BUILT_IN }))
  const excerpts = readings.flatMap((one) => one.matters.map((matter) => matter.excerpt))
  const vectors = server && (await embed(server, excerpts))
  if (!vectors) return readings
  const encoder = encoderOf(server)
  let next = 0
  return readings.map((one) => ({
    ...one,
    encoder,
    matters: one.matters.map((matter) => ({ ...matter, encoder, vector: vectors[next++] })),
  }))
}

export const readLanguages = (projectId: string, texts: string[]) =>
  thread.run(projectId, 'readLanguages', texts, { deadlineMs: DEADLINE_MS })

/**
 * Reads texts in themes that were never read, or by another encoder. It can take minutes, so it holds no lock and no
 * transaction, and stores each batch at once: the next run continues where an interrupted one stopped.
 */
export async function readUnread(db: Db, server: Server, projectId: string, ids: string[], signal?: AbortSignal) {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (signal?.aborted)
      throw new Error('It was stopped while it read older feedback. What it has read so far is kept.')
    const texts = await listTexts(db, projectId, ids.slice(from, from + AT_ONCE))
    await storeReadings(db, projectId, await readTexts(server, projectId, texts))
  }
}
