import { createPool } from './pool.ts'

export { ThreadCrashError, ThreadDeadlineError } from './failures.ts'

/** The process has one pool. */
const pool = createPool()

// biome-ignore lint/suspicious/noExplicitAny: a task takes and gives whatever can be cloned
type Task = (input: any) => unknown
type TasksOf<M> = { [K in keyof M as M[K] extends Task ? K : never]: M[K] extends Task ? M[K] : never }

/**
 * Runs the exported functions of a module in the threads of the process. The URL names the compiled module: `new
 * URL('./worker.js', import.meta.url)`. At most `maxThreads` threads load it.
 */
export const inThreads = <M>(module: URL, { maxThreads = Number.POSITIVE_INFINITY } = {}) => ({
  /**
   * Calls a function for a project with a clone of `input` and returns a clone of its result. `deadlineMs` limits the
   * time in the thread; the call may wait as long for its turn.
   */
  run: <K extends keyof TasksOf<M> & string>(
    project: string,
    name: K,
    input: Parameters<TasksOf<M>[K]>[0],
    { deadlineMs }: { deadlineMs: number },
  ) =>
    pool.run(project, { module: bundledModule(module).href, name, input, maxThreads }, deadlineMs) as Promise<
      Awaited<ReturnType<TasksOf<M>[K]>>
    >,
})

const folder = new URL('../../', import.meta.url)

/** The bundle of a module that threads load. Tests, which run the sources, run what was built from them in threads. */
export function bundledModule(module: URL): URL {
  if (!module.href.startsWith(folder.href)) return module
  const name = module.href.slice(folder.href.length).replaceAll('/', '-')
  return new URL(`${import.meta.url.endsWith('.ts') ? '../dist/' : ''}bundle/${name}`, folder)
}
