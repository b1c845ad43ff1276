import { Worker } from 'node:worker_threads'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'

/** The time that the caller gave has passed. The thread that was busy with it is gone. */
export class ThreadDeadlineError extends Error {
  override readonly name = 'ThreadDeadlineError'
}

/** The thread ended under the task: out of memory, or a defect in the module. */
export class ThreadCrashError extends Error {
  override readonly name = 'ThreadCrashError'
}

interface ThreadsOptions {
  /**
   * The module whose exported functions are the tasks, named as it is when compiled:
   * `new URL('./worker.js', import.meta.url)`. Besides tasks it may export `isWornOut()`, asked after each task, to be
   * replaced by a fresh thread: the memory of a WebAssembly instance, for one, never shrinks.
   */
  module: URL
  /** How many threads at most. None is started before there is something to do. */
  size: number
  /** Beyond it a thread crashes instead of the process. */
  maxHeapMb?: number
  /** A thread that had nothing to do for so long is ended; without it, threads stay. */
  idleMs?: number
}

// biome-ignore lint/suspicious/noExplicitAny: a task takes and gives whatever can be cloned
type Task = (input: any) => unknown
type TasksOf<M> = { [K in keyof M as M[K] extends Task ? K : never]: M[K] extends Task ? M[K] : never }

export interface Threads<M> {
  /** Calls an exported function of the module with a clone of `input`, and gives a clone of what it returns. */
  run<K extends keyof TasksOf<M> & string>(
    task: K,
    input: Parameters<TasksOf<M>[K]>[0],
    options: { deadlineMs: number },
  ): Promise<Awaited<ReturnType<TasksOf<M>[K]>>>
  /** Ends all threads; what they had under way is rejected. */
  close(): Promise<void>
}

interface Job {
  task: string
  input: unknown
  deadlineMs: number
  timer: NodeJS.Timeout
  thread: Thread | undefined
  resolve(value: unknown): void
  reject(err: Error): void
}

interface Thread {
  worker: Worker
  job: Job | undefined
  idle: NodeJS.Timeout | undefined
}

type Reply = { value: unknown; isWornOut: boolean } | { err: Error; isWornOut: boolean }

/**
 * Inside the thread. On Linux it steps behind the main thread by its priority, so that requests are answered while a
 * heavy task runs on a machine with few processors.
 */
const BOOTSTRAP = `
  const { parentPort, workerData } = require('node:worker_threads')
  try {
    const tid = Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1))
    require('node:os').setPriority(tid, 10)
  } catch {}
  const tasks = import(workerData.module)
  parentPort.on('message', async ({ task, input }) => {
    let reply
    try {
      reply = { value: await (await tasks)[task](input) }
    } catch (err) {
      reply = { err: err instanceof Error ? err : new Error(String(err)) }
    }
    reply.isWornOut = (await tasks).isWornOut?.() ?? false
    parentPort.postMessage(reply)
  })`

/** A few threads for work that would hold up the main thread, each task under a deadline that is kept by force. */
export function createThreads<M>({ module, size, maxHeapMb = 256, idleMs }: ThreadsOptions): Threads<M> {
  const threads = new Set<Thread>()
  const waiting: Job[] = []
  let isClosed = false

  async function run(task: string, input: unknown, { deadlineMs }: { deadlineMs: number }): Promise<unknown> {
    refuseInsideTransaction('a thread')
    if (isClosed) throw new ThreadCrashError('The threads are closed.')
    return new Promise((resolve, reject) => {
      const job: Job = {
        task,
        input,
        deadlineMs,
        timer: setTimeout(() => expire(job), deadlineMs),
        thread: undefined,
        resolve,
        reject,
      }
      waiting.push(job)
      assign()
    })
  }

  function assign(): void {
    while (waiting.length > 0) {
      const thread = [...threads].find((one) => one.job === undefined) ?? (threads.size < size ? start() : undefined)
      if (!thread) return
      const job = waiting.shift()!
      clearTimeout(thread.idle)
      thread.job = job
      job.thread = thread
      thread.worker.ref()
      try {
        thread.worker.postMessage({ task: job.task, input: job.input })
      } catch (err) {
        settle(thread, () => job.reject(err as Error))
      }
    }
  }

  function start(): Thread {
    const worker = new Worker(BOOTSTRAP, {
      eval: true,
      workerData: { module: compiledModule(module).href },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const thread: Thread = { worker, job: undefined, idle: undefined }
    threads.add(thread)
    worker.on('message', (reply: Reply) => {
      const job = thread.job
      if (reply.isWornOut) discard(thread)
      settle(thread, () => ('err' in reply ? job?.reject(reply.err) : job?.resolve(reply.value)))
    })
    // An idle thread must not keep the process alive, and one that fails must not end it.
    worker.unref()
    worker.on('error', (err) => lose(thread, err))
    worker.on('exit', () => lose(thread, undefined))
    return thread
  }

  function settle(thread: Thread, answer: () => void): void {
    if (thread.job) clearTimeout(thread.job.timer)
    thread.job = undefined
    thread.worker.unref()
    if (idleMs !== undefined) thread.idle = setTimeout(() => discard(thread), idleMs).unref()
    answer()
    assign()
  }

  function discard(thread: Thread): void {
    threads.delete(thread)
    void thread.worker.terminate()
  }

  function lose(thread: Thread, err: Error | undefined): void {
    threads.delete(thread)
    const job = thread.job
    if (!job) return
    const why = err ? `: ${err.message}` : '.'
    settle(thread, () =>
      job.reject(new ThreadCrashError(`The thread ended during "${job.task}"${why}`, { cause: err })),
    )
  }

  function expire(job: Job): void {
    const err = new ThreadDeadlineError(`"${job.task}" took longer than ${job.deadlineMs} ms.`)
    const { thread } = job
    if (thread) {
      discard(thread)
      settle(thread, () => job.reject(err))
    } else {
      waiting.splice(waiting.indexOf(job), 1)
      job.reject(err)
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const job of waiting.splice(0)) {
      clearTimeout(job.timer)
      job.reject(new ThreadCrashError('The threads were closed.'))
    }
    await Promise.all([...threads].map((thread) => thread.worker.terminate()))
  }

  return { run: run as Threads<M>['run'], close }
}

const sources = new URL('../../', import.meta.url)

/** Node cannot load TypeScript: when this runs from the sources, as in tests, threads run what was compiled from them. */
export function compiledModule(module: URL): URL {
  if (!import.meta.url.endsWith('.ts') || !module.href.startsWith(sources.href)) return module
  return new URL(`../dist/${module.href.slice(sources.href.length)}`, sources)
}
