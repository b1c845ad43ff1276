import { inThreads, ThreadDeadlineError } from '../../kernel/threads/threads.ts'

export const searchThreads = inThreads<typeof import('./worker.ts')>(new URL('./worker.js', import.meta.url))

/** What is not done a while after its time ran out is held up by a single text, and its thread has to be ended. */
const GRACE_MS = 250

/**
 * For tasks that give up by themselves when their time is over. Their thread stays: to start another one takes more
 * processor time than many searches, which those who only read would feel.
 */
export async function inTime<T>(
  leftMs: number,
  run: (forMs: number, options: { deadlineMs: number }) => Promise<T | undefined>,
): Promise<T> {
  const found = await run(leftMs, { deadlineMs: leftMs + GRACE_MS })
  if (found === undefined) throw new ThreadDeadlineError('The search is out of time.')
  return found
}
