import type { Ctx } from '../../kernel/context.ts'
import { withLocalCopy } from '../../kernel/storage/index.ts'
import { ReaderLostError, readInThread } from '../../kernel/threads/reader.ts'
import { unusable } from './importing/unusable.ts'
import { importSettings } from './settings.ts'

/** All portions together may take this many times as long as one. */
const MOST_PORTIONS = 100

type Reading = Pick<Ctx, 'store' | 'wiring'>

/**
 * Reads an uploaded file in a thread with limits: what strangers packed may be made to take forever, or all memory.
 * `module` is served by `serveReader`, and gets the number of the open file as `fd` beside `input`. A thread that had to
 * be ended is a fault of the file, so nobody tries it again.
 */
export async function readUpload<T>(
  ctx: Reading,
  fileKey: string,
  module: URL,
  input: object,
  use: (portions: AsyncGenerator<T, void, unknown>) => Promise<void>,
): Promise<void> {
  const bytes = await ctx.store.read(fileKey)
  if (!bytes) throw unusable('The uploaded file is gone. Upload it again.')
  const { seconds, memoryMb } = ctx.wiring.settings.of(importSettings)
  const limits = { portionMs: seconds * 1_000, totalMs: MOST_PORTIONS * seconds * 1_000, maxHeapMb: memoryMb }
  await withLocalCopy(bytes, async ({ fd }) => {
    try {
      await use(readInThread<T>(module, { ...input, fd }, limits))
    } catch (err) {
      throw err instanceof ReaderLostError ? tooMuch(err, seconds, memoryMb) : err
    }
  })
}

function tooMuch({ reason, where = 'the file' }: ReaderLostError, seconds: number, memoryMb: number) {
  const limit = reason === 'time' ? `more than ${seconds} s` : `more than ${memoryMb} MB of memory`
  return unusable(`Reading ${where} takes ${limit} and was stopped. Split it, or leave it out.`)
}
