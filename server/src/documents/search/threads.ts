import { createThreads, ThreadDeadlineError } from '../../kernel/threads.ts'

/** As many as searches run at once. */
export const SEARCHES_AT_ONCE = 2

export const searchThreads = createThreads<typeof import('./worker.ts')>({
  module: new URL('./worker.js', import.meta.url),
  size: SEARCHES_AT_ONCE,
})

type Tasks = typeof import('./worker.ts')

/** What is not done a while after its time ran out is held up by a single text, and its thread has to be ended. */
const GRACE_MS = 250

/**
 * Looks through texts for as long as is left. A thread that gives up by itself stays: to start another one takes more
 * processor time than many searches, which those who only read would feel.
 */
export async function lookThrough<K extends 'mark' | 'test'>(
  task: K,
  input: Omit<Parameters<Tasks[K]>[0], 'forMs'>,
  leftMs: number,
): Promise<NonNullable<ReturnType<Tasks[K]>>> {
  const timed = { ...input, forMs: leftMs } as Parameters<Tasks[K]>[0]
  const found = await searchThreads.run(task, timed as never, { deadlineMs: leftMs + GRACE_MS })
  if (found === undefined) throw new ThreadDeadlineError('The search is out of time.')
  return found as NonNullable<ReturnType<Tasks[K]>>
}
