import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * While 32 connections ask for lists, 30 MB live in the heap; V8 lets it grow to 135 before it collects the whole, or to 73
 * when told 100 percent. The price is in the slowest answers: one in a hundred takes 40 ms then instead of 31.
 */
export function growHeapSlowly(): void {
  setFlagsFromString('--heap-growing-percent=70')
}

const COLLECT_EVERY_BYTES = 8 * 1024 * 1024

type Collect = (options: { type: 'minor' }) => void
let collect: Collect | undefined
let passed = 0

/**
 * For those who pass many bytes through in small buffers. Each buffer is dead as soon as it is written, but V8 looks for
 * dead ones only after 32 MiB of them; told after 8, it finds almost nothing alive and is done in a millisecond.
 */
export function countPassed(bytes: number): void {
  passed += bytes
  if (passed < COLLECT_EVERY_BYTES) return
  passed = 0
  collect ??= findCollect()
  collect({ type: 'minor' })
}

/** What the flag `--expose-gc` gives, without asking everyone to start the server with it. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? (found as Collect) : () => undefined
}
