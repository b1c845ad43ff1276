import { createPool } from './pool.ts'

export { ThreadCrashError, ThreadDeadlineError } from './failures.ts'

/** One for the whole process. */
const pool = createPool()

// biome-ignore lint/suspicious/noExplicitAny: a task takes and gives whatever can be cloned
type Task = (input: any) => unknown
type TasksOf<M> = { [K in keyof M as M[K] extends Task ? K : never]: M[K] extends Task ? M[K] : never }

/**
 * The exported functions of a module as tasks for the threads of the process. The module is named as it is when compiled:
 * `new URL('./worker.js', import.meta.url)`. `most` is how many threads may load it.
 */
export const inThreads = <M>(module: URL, { most = Number.POSITIVE_INFINITY } = {}) => ({
  /** Calls a function with a clone of `input`, and gives a clone of what it returns. */
  run: <K extends keyof TasksOf<M> & string>(
    name: K,
    input: Parameters<TasksOf<M>[K]>[0],
    { deadlineMs }: { deadlineMs: number },
  ) =>
    pool.run({ module: compiledModule(module).href, name, input, most }, deadlineMs) as Promise<
      Awaited<ReturnType<TasksOf<M>[K]>>
    >,
})

const sources = new URL('../../', import.meta.url)

/** Node cannot load TypeScript: when this runs from the sources, as in tests, threads run what was compiled from them. */
export function compiledModule(module: URL): URL {
  if (!import.meta.url.endsWith('.ts') || !module.href.startsWith(sources.href)) return module
  return new URL(`../dist/${module.href.slice(sources.href.length)}`, sources)
}
