import { Worker } from 'node:worker_threads'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'
import { unavailable } from '../errors.ts'
import { ThreadCrashError, ThreadDeadlineError } from './failures.ts'

/** Calls the function `name` that `module`, a URL, exports. At most `maxThreads` threads load the module. */
type Task = { module: string; name: string; input: unknown; maxThreads: number }

interface Job extends Task {
  thread?: Thread
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
 * Creates a pool of threads for work that would block the main thread. A task is an exported function of a module; it
 * runs in a thread that has loaded the module, if one is free. Piscina offers neither this choice nor a limit of
 * threads for each module, and needs a native add-on to set the priority; it would replace about half of this file.
 */
export function createPool({ size = 4, maxWaiting = 1_000, maxHeapMb = 256, idleMs = 5 * 60_000 } = {}) {
  const threads = new Set<Thread>()
  const waiting: Job[] = []

  async function run(task: Task, deadlineMs: number): Promise<unknown> {
    refuseInsideTransaction('a thread')
    if (waiting.length >= maxWaiting) throw unavailable('busy', 'Too much work is waiting. Try again later.')
    return new Promise((resolve, reject) => {
      const end: Job['end'] = (err, value) => {
        clearTimeout(timer)
        err ? reject(err) : resolve(value)
        assign()
      }
      const job: Job = { ...task, end }
      const timer = setTimeout(() => {
        if (job.thread) lose(job.thread)
        else waiting.splice(waiting.indexOf(job), 1)
        end(new ThreadDeadlineError(`"${task.name}" took longer than ${deadlineMs} ms.`))
      }, deadlineMs)
      waiting.push(job)
      assign()
    })
  }

  function assign(): void {
    for (const job of [...waiting]) {
      const thread = threadFor(job)
      if (!thread) continue
      waiting.splice(waiting.indexOf(job), 1)
      clearTimeout(thread.idle)
      thread.modules.add(job.module)
      thread.job = job
      job.thread = thread
      thread.worker.ref()
      try {
        thread.worker.postMessage({ module: job.module, name: job.name, input: job.input })
      } catch (err) {
        free(thread)
        job.end(err as Error)
      }
    }
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
    worker.on('error', (err) => lose(thread)?.end(new ThreadCrashError(`The thread failed: ${err.message}`)))
    worker.on('exit', () => lose(thread)?.end(new ThreadCrashError('The thread ended.')))
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
