/** Runs in a thread: see `threads.ts`. */
export { deriveGroups } from './derive.ts'

/** It is seldom needed, and its memory is wanted back. */
export const isWornOut = () => true
