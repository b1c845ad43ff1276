import { Worker } from 'node:worker_threads'
import { unavailable } from '../errors.ts'
import { exchangeCalls } from './calls.ts'
import type { Listener, Portions } from './reader-thread.ts'
import { bundledModule } from './threads.ts'

export interface ReaderLimits {
  /** For each portion, so that nothing waits longer for it. */
  portionMs: number
  /** For all portions. Time in which nobody waits for the thread does not count. */
  totalMs: number
  maxHeapMb: number
  /** What the whole process may grow by. The heap has no buffers, which unpacked bytes are in. */
  maxGrowthMb?: number
}

/** The thread was ended because it took too long, or ended because it needed too much memory. */
export class ReaderLostError extends Error {
  readonly reason: 'time' | 'memory'
  /** What was read at that time. */
  readonly where: string | undefined

  constructor(reason: 'time' | 'memory', where: string | undefined) {
    super(`Reading ${where ?? 'the input'} needed too much ${reason}.`)
    this.reason = reason
    this.where = where
  }
}

/** Ends the thread of each reader that is open. */
const open = new Set<(why: Error) => void>()

/**
 * Reads untrusted input in a thread that serves nothing else. The thread makes one portion after the other, each when
 * it is asked for, and may be given an answer to the last one. It is ended after the last portion, at a limit, and when
 * the caller stops reading.
 */
export async function* readInThread<T>(
  module: URL,
  input: object,
  limits: ReaderLimits,
): AsyncGenerator<T, void, unknown> {
  const worker = new Worker(bundledModule(module), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb },
    stderr: true,
  })
  // Warnings of libraries can quote the input, which does not belong in the log.
  worker.stderr.resume()
  let where: string | undefined
  let lost: Error | undefined
  const peer = exchangeCalls<Portions<T>, Listener>(worker, () => ({
    note: (place) => {
      where = place
    },
  }))
  const end = (why: Error) => {
    lost ??= why
    peer.giveUp(lost)
    void worker.terminate()
  }
  worker.on('error', (err) => end(isOutOfMemory(err) ? new ReaderLostError('memory', where) : err))
  worker.on('exit', () => end(new Error('The thread ended.')))
  const watch = limits.maxGrowthMb && watchMemory(limits.maxGrowthMb, () => end(new ReaderLostError('memory', where)))
  open.add(end)
  let leftMs = limits.totalMs
  let answer: unknown
  try {
    for (;;) {
      if (lost) throw lost
      const timer = setTimeout(() => end(new ReaderLostError('time', where)), Math.min(limits.portionMs, leftMs))
      const askedAt = performance.now()
      const { done, value } = await peer.ask('next', answer).finally(() => clearTimeout(timer))
      leftMs -= performance.now() - askedAt
      if (done) return
      answer = yield value as T
    }
  } finally {
    open.delete(end)
    clearInterval(watch || undefined)
    await worker.terminate()
  }
}

const WATCH_EVERY_MS = 50
const MB = 1024 * 1024

function watchMemory(maxGrowthMb: number, exceeded: () => void): NodeJS.Timeout {
  const limit = process.memoryUsage.rss() + maxGrowthMb * MB
  return setInterval(() => process.memoryUsage.rss() > limit && exceeded(), WATCH_EVERY_MS)
}

const isOutOfMemory = (err: unknown) => (err as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'

/** Ends all readers, because the process stops. Whoever waits for one can try again on another node. */
export function endReaders(): void {
  for (const end of [...open]) end(unavailable('stopping', 'The server is stopping. Try again in a moment.'))
}
