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
  /** Calls a function with a clone of `input` and returns a clone of its result. */
  run: <K extends keyof TasksOf<M> & string>(
    name: K,
    input: Parameters<TasksOf<M>[K]>[0],
    { deadlineMs }: { deadlineMs: number },
  ) =>
    pool.run({ module: compiledModule(module).href, name, input, maxThreads }, deadlineMs) as Promise<
      Awaited<ReturnType<TasksOf<M>[K]>>
    >,
})

const sources = new URL('../../', import.meta.url)

/** Node.js cannot load TypeScript, so tests, which run the sources, run the compiled module in threads. */
export function compiledModule(module: URL): URL {
  if (!import.meta.url.endsWith('.ts') || !module.href.startsWith(sources.href)) return module
  return new URL(`../dist/${module.href.slice(sources.href.length)}`, sources)
}
