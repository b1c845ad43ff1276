import { inThreads } from '../../kernel/threads/threads.ts'

export const triageThreads = inThreads<typeof import('./derive.ts')>(new URL('./derive.js', import.meta.url), {
  maxThreads: 1,
})

/** The models are in one thread only, and gone when it is idle; they can be loaded again. */
export const readingThreads = inThreads<typeof import('./reading.ts')>(new URL('./reading.js', import.meta.url), {
  maxThreads: 1,
})
