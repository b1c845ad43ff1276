import { type Features, READ_CHARACTERS } from '../../engines/meaning/features.ts'
import type { Db } from '../../kernel/database/index.ts'
import { readingThreads } from './threads.ts'
import { listUnreadTexts, storeFeatures } from './triage-queries.ts'

/** Half a second of work, so that a caller with one text does not wait long behind one with thousands. */
const AT_ONCE = 32
const DEADLINE_MS = 60_000

export async function readText(text: string): Promise<Features> {
  const [features] = await readTexts([text])
  return features!
}

const readTexts = (texts: string[]) =>
  readingThreads.run(
    'readTexts',
    texts.map((text) => text.slice(0, READ_CHARACTERS)),
    { deadlineMs: DEADLINE_MS },
  )

export const readLanguage = () => readingThreads.run('readLanguage', undefined, { deadlineMs: DEADLINE_MS })

/**
 * Reads texts in themes that were never read. It can take minutes, so it holds no lock and no transaction, and stores
 * each batch at once: the next run continues where an interrupted one stopped.
 */
export async function readUnread(
  db: Db,
  projectId: string,
  itemIds: string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let from = 0; from < itemIds.length; from += AT_ONCE) {
    if (signal?.aborted)
      throw new Error('It was stopped while it read older feedback. What it has read so far is kept.')
    const texts = await listUnreadTexts(db, projectId, itemIds.slice(from, from + AT_ONCE))
    const features = await readTexts(texts.map((one) => one.text))
    await storeFeatures(
      db,
      projectId,
      texts.map(({ id }, index) => ({ itemId: id, ...features[index]! })),
    )
  }
}
