/** Runs in a thread: see `threads.ts`. */
export { deriveGroups } from './derive.ts'
