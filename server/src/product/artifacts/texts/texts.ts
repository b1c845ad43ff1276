import { AppError } from '../../../kernel/errors.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { withLocalCopy } from '../../../kernel/storage/index.ts'
import { ReaderLostError, readInThread } from '../../../kernel/threads/reader.ts'
import { formatOf } from './format.ts'
import { claimUnread, markUnread, saveText, skipUnreadable, type UnreadFile } from './text-queries.ts'

const MAX_CHARACTERS = 500_000
const LIMITS = { portionMs: 10_000, totalMs: 60_000, maxHeapMb: 256, maxGrowthMb: 512 }

const thread = new URL('./text-thread.js', import.meta.url)

/** Reads the words of all files that were not read yet, one file of each project in turn. */
export async function readFileTexts({ db, store, log }: JobDeps): Promise<void> {
  await skipUnreadable(db)
  for (let files = await claimUnread(db); files.length > 0; files = await claimUnread(db)) {
    while (files.length > 0) {
      const file = files[0]!
      try {
        const text = await textOf({ store, log }, file)
        if (text) await saveText(db, file, text)
      } catch (err) {
        await markUnread(db, files)
        throw err
      }
      files.shift()
    }
  }
}

/** What could be read before the file turned out to be damaged, locked or too much for the limits. */
async function textOf({ store, log }: Pick<JobDeps, 'store' | 'log'>, file: UnreadFile): Promise<string> {
  const bytes = await store.read(file.contentKey)
  if (!bytes) return ''
  let text = ''
  await withLocalCopy(bytes, async ({ fd }) => {
    try {
      for await (const part of readInThread<string>(
        thread,
        { fd, format: formatOf(file.nameKey, file.contentType) },
        LIMITS,
      )) {
        text += `${part} `
        if (text.length > MAX_CHARACTERS) break
      }
    } catch (err) {
      // The server stops: another node or the next start reads it.
      if (err instanceof AppError) throw err
      const reason = err instanceof ReaderLostError ? err.reason : 'damaged'
      log.info({ artifactId: file.id, reason }, 'The text of a file could not be read to its end.')
    }
  })
  return text.slice(0, MAX_CHARACTERS).toWellFormed().trim()
}
