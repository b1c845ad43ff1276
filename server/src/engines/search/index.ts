import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import type { Question, Reply, Spool } from './child.ts'

export type { Text } from './collection.ts'
export type { Found, FoundText } from './find.ts'
export type { Refusal } from './pattern.ts'

/** Thrown if ripgrep or the spool does not work. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure'
}

export type SearchEngine = {
  [K in keyof Spool]: (input: Parameters<Spool[K]>[0]) => Promise<Awaited<ReturnType<Spool[K]>>>
} & { close(): void }

// Node.js cannot load TypeScript, so tests, which run the sources, start the compiled child.
const CHILD = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/engines/search/child.js' : './child.js',
  import.meta.url,
)

/**
 * Starts a child process with the first request, and a new one with the first request after the child ends. The child
 * never keeps its parent running.
 */
export function createSearchEngine({ parentFolder = tmpdir() } = {}): SearchEngine {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(err: Error): void }>()
  let child: ChildProcess | undefined
  let lastNumber = 0

  function start(): ChildProcess {
    const started = fork(CHILD, [parentFolder], {
      env: {},
      // Options of the parent, such as a profiler or a debugger's port, are not for the child.
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    started.on('message', (reply: Reply) => {
      const one = waiting.get(reply.number)
      waiting.delete(reply.number)
      if ('failed' in reply) one?.reject(new SearchFailure(reply.failed))
      else one?.resolve(reply.value)
    })
    const fail = (why: string) => {
      if (child !== started) return
      child = undefined
      for (const { reject } of waiting.values()) reject(new SearchFailure(why))
      waiting.clear()
    }
    started.on('error', (err) => fail(err.message))
    started.on('exit', (code, signal) => fail(`The process that searches ended with ${signal ?? code}.`))
    started.on('disconnect', () => fail('The process that searches closed its channel.'))
    started.unref()
    started.channel?.unref()
    return started
  }

  const sender = (ask: keyof Spool) => (input: unknown) =>
    new Promise<never>((resolve, reject) => {
      child ??= start()
      const question: Question = { number: ++lastNumber, ask, input }
      waiting.set(question.number, { resolve: resolve as (value: unknown) => void, reject })
      // If this fails, the child emits an error.
      child.send(question)
    })

  return { write: sender('write'), find: sender('find'), test: sender('test'), close: () => child?.disconnect() }
}
