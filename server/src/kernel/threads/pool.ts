import { Worker } from 'node:worker_threads'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'
import { unavailable } from '../errors.ts'
import { createTurns } from '../turns.ts'
import { ThreadCrashError, ThreadDeadlineError } from './failures.ts'

/** Calls the function `name` that `module`, a URL, exports. At most `maxThreads` threads load the module. */
type Task = { module: string; name: string; input: unknown; maxThreads: number }

interface Job extends Task {
  timer: NodeJS.Timeout
  deadlineMs: number
  /** Ends a job that has a thread. */
  end(err: Error | undefined, value?: unknown): void
}

interface Thread {
  worker: Worker
  modules: Set<string>
  job?: Job | undefined
  idle?: NodeJS.Timeout
}

/**
 * Runs in the thread. On Linux it lowers the priority of the thread, so that the main thread keeps answering during
 * heavy work.
 */
const BOOTSTRAP = `
  const { parentPort } = require('node:worker_threads')
  try {
    require('node:os').setPriority(Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)), 10)
  } catch {}
  parentPort.on('message', ({ module, name, input }) =>
    import(module).then((tasks) => tasks[name](input)).then(
      (value) => parentPort.postMessage({ value }),
      (err) => parentPort.postMessage({ err: err instanceof Error ? err : new Error(String(err)) })))`

const takeJob = (thread: Thread) => {
  const { job } = thread
  thread.job = undefined
  return job
}

/**
 * Creates a pool of threads for work that would block the main thread. A project uses at most half of them, and waiting
 * projects take turns. A task is an exported function of a module; it runs in a thread that has loaded the module, if
 * one is free. Piscina offers neither this choice nor turns, and needs a native add-on to set the priority.
 */
export function createPool({ size = 4, maxWaiting = 32, maxHeapMb = 256, idleMs = 5 * 60_000 } = {}) {
  const threads = new Set<Thread>()
  const turns = createTurns<Job>({ total: size, perProject: Math.ceil(size / 2), begin })

  /** `deadlineMs` limits the time in a thread. The task may wait as long for its turn. */
  async function run(project: string, task: Task, deadlineMs: number): Promise<unknown> {
    refuseInsideTransaction('a thread')
    if (turns.waitingOf(project) >= maxWaiting) throw busy()
    return new Promise((resolve, reject) => {
      const end: Job['end'] = (err, value) => {
        clearTimeout(job.timer)
        err ? reject(err) : resolve(value)
        turns.end(project)
      }
      const timer = setTimeout(() => {
        turns.remove(project, job)
        reject(busy())
      }, deadlineMs)
      const job: Job = { ...task, timer, deadlineMs, end }
      turns.add(project, job)
    })
  }

  function begin(job: Job): boolean {
    const thread = threadFor(job)
    if (!thread) return false
    clearTimeout(job.timer)
    clearTimeout(thread.idle)
    thread.modules.add(job.module)
    thread.job = job
    thread.worker.ref()
    try {
      thread.worker.postMessage({ module: job.module, name: job.name, input: job.input })
    } catch (err) {
      queueMicrotask(() => free(thread)?.end(err as Error))
    }
    job.timer = setTimeout(() => {
      lose(thread)?.end(new ThreadDeadlineError(job.deadlineMs))
    }, job.deadlineMs)
    return true
  }

  function threadFor({ module, maxThreads }: Job): Thread | undefined {
    const loaded = [...threads].filter((one) => one.modules.has(module))
    const ready = loaded.find((one) => !one.job)
    if (ready || loaded.length >= maxThreads) return ready
    return threads.size < size ? start() : [...threads].find((one) => !one.job)
  }

  function start(): Thread {
    const worker = new Worker(BOOTSTRAP, { eval: true, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    const thread: Thread = { worker, modules: new Set() }
    threads.add(thread)
    worker.on('message', ({ err, value }) => free(thread)?.end(err, value))
    worker.on('error', (err) => lose(thread)?.end(new ThreadCrashError(err.message)))
    worker.on('exit', () => lose(thread)?.end(new ThreadCrashError('it exited')))
    return thread
  }

  /** Lets the process exit while the thread is idle. */
  function free(thread: Thread): Job | undefined {
    thread.worker.unref()
    thread.idle = setTimeout(() => lose(thread), idleMs).unref()
    return takeJob(thread)
  }

  function lose(thread: Thread): Job | undefined {
    threads.delete(thread)
    void thread.worker.terminate()
    return takeJob(thread)
  }

  return { run }
}

const busy = () =>
  unavailable('busy', 'Much work of this project is under way; nothing was changed. Send it again in a moment.', 5)
