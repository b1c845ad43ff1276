import type pg from 'pg'
import { errorCode } from './failures.ts'
import { ask, type Checkout } from './pool.ts'
import { compile, createDb, type Db, isTransaction, type Runner, type Statement, type Tx } from './statement.ts'
import { enterTransaction } from './transaction-guard.ts'

/** Deadlocks and serialization failures, after which the transaction can be repeated. */
const RETRIED = new Set(['40P01', '40001'])
const MAX_ATTEMPTS = 3

/** Repeats a transaction. It must change nothing but the database. */
async function retrying<T>(run: () => PromiseLike<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (err) {
      if (attempt === MAX_ATTEMPTS || !RETRIED.has(errorCode(err) ?? '')) throw err
    }
  }
}

/**
 * Runs a function in a transaction, or in the one that is already open. The function may run more than once, so it must
 * change nothing but the database.
 */
export async function inTransaction<C extends { db: Db }, T>(
  ctx: C,
  run: (ctx: C & { db: Tx }) => Promise<T>,
): Promise<T> {
  if (isTransaction(ctx.db)) return run(ctx as C & { db: Tx })
  const pool = ctx.db.runner as Runner & Checkout & Partial<Late>
  const runIn = (tx: Tx) => enterTransaction(() => run({ ...ctx, db: tx }))
  return retrying(() => (pool.begin ? pool.begin(runIn) : inOneTransaction(pool, runIn)))
}

/**
 * Runs read-only queries that all see the same committed data. In an open transaction, they see that transaction's
 * data.
 */
export function inSnapshot<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return run(db)
  return inOneTransaction(db.runner as Runner & Checkout, run, 'begin isolation level repeatable read read only')
}

async function inOneTransaction<T>(
  pool: Runner & Checkout,
  run: (tx: Tx) => Promise<T>,
  beginning = 'begin',
): Promise<T> {
  const opened = await openTransaction(pool, beginning)
  try {
    const result = await run(opened.tx)
    await opened.commit()
    return result
  } catch (err) {
    await opened.rollBack(err)
    throw err
  }
}

/** Whoever opens it ends it with one of the two. */
async function openTransaction(pool: Runner & Checkout, beginning = 'begin') {
  const client = await pool.checkOut()
  const runner = transactionRunner(pool, client, beginning)
  return {
    tx: toTx(runner),
    async commit(): Promise<void> {
      const { command } = await runner.commit()
      // PostgreSQL answers a commit with ROLLBACK, not with an error, if a failed statement was ignored.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back, because a statement in it had failed.')
      for (const run of runner.committed) run()
      pool.giveBack(client, undefined)
    },
    async rollBack(err?: unknown): Promise<void> {
      // If the connection is broken, there is nothing to roll back.
      if (runner.close()) await ask(client, 'rollback').catch(() => undefined)
      pool.giveBack(client, err)
    },
  }
}

type Opened = Awaited<ReturnType<typeof openTransaction>>

interface Late {
  begin<T>(run: (tx: Tx) => Promise<T>): Promise<T>
}

/** Any statement that is not certainly a read. */
const MAY_WRITE = /\b(?:insert|update|delete|add_jobs?)\b/i

/** Whether what others do may be done in the same transaction. */
export const isShared = (db: Db) => !isTransaction(db) && !(db.runner as Partial<Late>).begin

/**
 * A transaction that begins with the first `inTransaction` on its `db`, or the first statement that may write, and lasts
 * until `commit`: before, `db` reads like the pool, from then on it is the transaction. `first` runs at the beginning. If
 * what began it fails, it is rolled back, and the next one begins it again.
 */
export function lateTransaction(db: Db, first: (tx: Tx) => Promise<void>) {
  const { forProject: _, ...pool } = db.runner as Runner & Checkout
  let opened: Opened | undefined
  let opening: Promise<Opened> | undefined

  async function open() {
    const begun = await openTransaction(pool)
    try {
      await first(begun.tx)
    } catch (err) {
      await begun.rollBack(err)
      throw err
    }
    opened = begun
    return begun
  }

  /** Whoever comes while it is opened runs in it, too. */
  async function begin<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    const isFirst = opening === undefined
    opening ??= open().finally(() => {
      opening = undefined
    })
    const { tx } = await opening
    try {
      return await run(tx)
    } catch (err) {
      if (isFirst) await rollBack(err)
      throw err
    }
  }

  async function rollBack(err?: unknown): Promise<void> {
    const ended = opened
    opened = undefined
    await ended?.rollBack(err)
  }

  const current = () => opened?.tx.runner ?? pool
  const runner: Runner & Checkout & Late = {
    ...pool,
    begin,
    get root() {
      return current().root
    },
    get isTransaction() {
      return opened !== undefined
    },
    get open() {
      return opened?.tx.runner
    },
    run: (statements) => {
      const isRead = opened || !statements.some((one) => MAY_WRITE.test(compile(one).text))
      return isRead ? current().run(statements) : begin((tx) => tx.runner.run(statements))
    },
    keep: (statements) => opened!.tx.runner.keep!(statements),
    afterCommit: (run) => (opened ? opened.tx.runner.afterCommit!(run) : run()),
  }
  return {
    db: createDb(runner),
    isOpen: () => opened !== undefined,
    rollBack,
    /** Begins it if nothing has. `last` runs before the end. */
    async commit(last: (tx: Tx) => Promise<void>): Promise<void> {
      try {
        await (opened ? last(opened.tx) : begin(last))
        await opened!.commit()
        opened = undefined
      } catch (err) {
        await rollBack(err)
        throw err
      }
    },
  }
}

let savepoints = 0

/** Like `inTransaction`. In an open transaction, a failure rolls back only this function, with a savepoint. */
export async function inSavepoint<C extends { db: Db }, T>(
  ctx: C,
  run: (ctx: C & { db: Tx }) => Promise<T>,
): Promise<T> {
  if (!isTransaction(ctx.db)) return inTransaction(ctx, run)
  const { client, flush, drop } = (ctx.db.runner.open ?? ctx.db.runner) as TransactionRunner
  const name = `p${++savepoints}`
  await flush(`savepoint ${name}`)
  try {
    const result = await run(ctx as C & { db: Tx })
    await flush(`release savepoint ${name}`)
    return result
  } catch (err) {
    drop()
    await ask(client, `rollback to savepoint ${name}`).catch(() => undefined)
    throw err
  }
}

interface TransactionRunner extends Runner {
  client: pg.PoolClient
  /** What waits for the commit. */
  committed: (() => void)[]
  /** Sends the statements that are held back, and a last one. */
  flush(last: string): Promise<void>
  /** Discards the statements that are held back, because they belong to work that is rolled back. */
  drop(): void
  /** Sends the statements that are held back, and the commit. Nothing can be sent after it. */
  commit(): Promise<pg.QueryResult>
  /**
   * Refuses further statements: they would run outside of a transaction, or in another one. Returns whether there is
   * something to roll back: a commit ends the transaction even if it fails.
   */
  close(): boolean
}

/** Sends `beginning` together with the first statement. */
function transactionRunner(pool: Runner & Checkout, client: pg.PoolClient, beginning: string): TransactionRunner {
  let isOpen = true
  let hasBegun = false
  let kept: Statement<unknown>[] = []
  const committed: (() => void)[] = []

  async function send(statements: readonly Statement<unknown>[], last?: string) {
    const before = kept.splice(0)
    const all = [...before, ...statements]
    const first = hasBegun ? undefined : beginning
    hasBegun = true
    const sent = [
      first && ask(client, first),
      all.length > 0 ? pool.send(client, all) : [],
      last ? ask(client, last) : undefined,
    ] as const
    // After a failed statement, those behind it fail too, and may be known to have failed before it.
    for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') throw one.reason
    const [, results, ended] = await Promise.all(sent)
    return { results: results.slice(before.length), ended }
  }

  function refuseClosed(): void {
    if (!isOpen) throw new Error('The transaction of this statement has ended.')
  }

  return {
    client,
    committed,
    // A root of its own: what it reads is not committed.
    root: { ...pool.root },
    isTransaction: true,
    afterCommit: (run) => committed.push(run),
    async run(statements) {
      refuseClosed()
      return (await send(statements)).results
    },
    keep(statements) {
      refuseClosed()
      kept.push(...statements)
    },
    async flush(last) {
      await send([], last)
    },
    drop() {
      kept = []
    },
    async commit() {
      isOpen = false
      return (await send([], 'commit')).ended!
    },
    close() {
      const isLeft = isOpen && hasBegun
      isOpen = false
      return isLeft
    },
  }
}

const toTx = (runner: Runner) => Object.assign(createDb(runner), { isOpenTransaction: true as const })
