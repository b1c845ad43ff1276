import { isDeepStrictEqual } from 'node:util'
import type { Computed, Ctx } from '../context.ts'
import { isTransaction } from '../database/index.ts'
import { conflict } from '../errors.ts'

/**
 * A transaction holds a connection and locks, so it never waits for a thread. If it needs a result that a thread
 * computes, it is rolled back, the result is computed, and the transaction starts over with the result.
 */
type Computing = Pick<Ctx, 'db' | 'computed'>

class ComputeFirst extends Error {
  readonly task: string
  readonly input: unknown
  readonly compute: () => unknown

  constructor(task: string, input: unknown, compute: () => unknown) {
    super(`"${task}" has to be computed before the transaction.`)
    this.task = task
    this.input = input
    this.compute = compute
  }
}

/** Several times what the longest write needs. More are needed only if other writers keep changing the document. */
const MAX_COMPUTATIONS = 24

/** Returns the result of a task. Within `computingFirst`, a task with the same input is computed once. */
export async function computed<T>(
  ctx: Computing,
  task: string,
  input: unknown,
  { isLong, compute }: { isLong: boolean; compute: () => T | Promise<T> },
): Promise<T> {
  const known = ctx.computed?.find((one) => one.task === task && isDeepStrictEqual(one.input, input))
  if (known) return known.value as T
  if (isLong && ctx.computed && isTransaction(ctx.db)) throw new ComputeFirst(task, input, compute)
  const value = await compute()
  ctx.computed?.push({ task, input, value })
  return value
}

/**
 * Runs a function that opens a transaction, again and again until all results that it needs are computed. Callers with
 * the same `queue` compute one after the other: in parallel, each would invalidate the results of the others.
 */
export async function computingFirst<C extends Computing, T>(
  ctx: C,
  queue: string,
  run: (ctx: C & { computed: Computed[] }) => Promise<T>,
): Promise<T> {
  const known = ctx.computed
  if (known) return run({ ...ctx, computed: known })
  const results: Computed[] = []
  const attempt = async () => {
    try {
      return { value: await run({ ...ctx, computed: results }) }
    } catch (err) {
      if (err instanceof ComputeFirst) return err
      throw err
    }
  }
  const first = await attempt()
  if (!(first instanceof ComputeFirst)) return first.value
  const isNext = !queues.has(queue)
  return inTurn(queue, async () => {
    // A caller that had to wait tries again, because it may need another result by now.
    let outcome = isNext ? first : await attempt()
    for (let count = 0; count < MAX_COMPUTATIONS; count++) {
      if (!(outcome instanceof ComputeFirst)) return outcome.value
      const { task, input, compute } = outcome
      results.push({ task, input, value: await compute() })
      outcome = await attempt()
    }
    throw conflict('document_busy', 'The document keeps changing while this is worked out. Try again in a moment.')
  })
}

const queues = new Map<string, Promise<unknown>>()

async function inTurn<T>(queue: string, run: () => Promise<T>): Promise<T> {
  const result = (queues.get(queue) ?? Promise.resolve()).then(run)
  const last = result.catch(() => undefined)
  queues.set(queue, last)
  try {
    return await result
  } finally {
    if (queues.get(queue) === last) queues.delete(queue)
  }
}
