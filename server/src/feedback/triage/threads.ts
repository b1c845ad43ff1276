import { createThreads } from '../../kernel/threads/threads.ts'

export const triageThreads = createThreads<typeof import('./worker.ts')>({
  module: new URL('./worker.js', import.meta.url),
  size: 1,
})

/** Holds the models, so it is one only, and ended when it is not used; they can be loaded again. */
export const readingThreads = createThreads<typeof import('./reading.ts')>({
  module: new URL('./reading.js', import.meta.url),
  size: 1,
  idleMs: 10 * 60_000,
})
