import { createThreads } from '../../kernel/threads.ts'

export const triageThreads = createThreads<typeof import('./worker.ts')>({
  module: new URL('./worker.js', import.meta.url),
  size: 1,
})
