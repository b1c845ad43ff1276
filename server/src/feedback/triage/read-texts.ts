import { type Features, READ_CHARACTERS } from '../../engines/meaning/features.ts'
import type { Db } from '../../kernel/database/index.ts'
import { listUnreadTexts, storeFeatures } from './store.ts'
import { readingThreads } from './threads.ts'

/** Half a second's work: whoever has one text to read does not wait long for those who have thousands. */
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
 * Reads texts that are in themes and were never read. It may take minutes, so it is done without a lock or a transaction,
 * and what is read is stored at once: whoever is stopped in between has brought the next one further.
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
