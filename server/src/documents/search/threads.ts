import { createThreads } from '../../kernel/threads.ts'

/** As many as searches run at once. */
export const SEARCHES_AT_ONCE = 2

export const searchThreads = createThreads<typeof import('./worker.ts')>({
  module: new URL('./worker.js', import.meta.url),
  size: SEARCHES_AT_ONCE,
})
