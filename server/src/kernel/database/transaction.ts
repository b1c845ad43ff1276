import type pg from 'pg'
import { errorCode } from './failures.ts'
import { ask, type Checkout, corked } from './pool.ts'
import { createDb, type Db, isTransaction, type Runner, type Statement, type Tx } from './statement.ts'
import { enterTransaction } from './transaction-guard.ts'

/** A deadlock or a serialization failure undoes one of the parties, which may simply try again. */
const RETRIED = new Set(['40P01', '40001'])
const MAX_ATTEMPTS = 3

/** For a transaction, which touches nothing but the database: it may be run more than once. */
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
 * Runs in one transaction, or joins the one that is open already. What is run may be run again, so it touches nothing
 * but the database.
 */
export async function inTransaction<C extends { db: Db }, T>(
  ctx: C,
  run: (ctx: C & { db: Tx }) => Promise<T>,
): Promise<T> {
  if (isTransaction(ctx.db)) return run(ctx as C & { db: Tx })
  const pool = ctx.db.runner as Runner & Checkout
  return retrying(() => begin(pool, (tx) => enterTransaction(() => run({ ...ctx, db: tx }))))
}

/** Everything that runs in it sees the same committed data, and writes nothing; in an open transaction it sees that one. */
export function inSnapshot<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (isTransaction(db)) return run(db)
  return begin(db.runner as Runner & Checkout, run, 'begin isolation level repeatable read read only')
}

async function begin<T>(pool: Runner & Checkout, run: (tx: Tx) => Promise<T>, beginning = 'begin'): Promise<T> {
  const client = await pool.checkOut()
  const runner = transactionRunner(pool, client, beginning)
  let failure: unknown
  try {
    const result = await run(toTx(runner))
    const { command } = await runner.commit()
    // PostgreSQL answers so, without an error, when a statement failed and nobody minded.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back, because a statement in it had failed.')
    return result
  } catch (err) {
    failure = err
    runner.close()
    // On a connection that broke there is nothing left to undo.
    await ask(client, 'rollback').catch(() => undefined)
    throw err
  } finally {
    pool.giveBack(client, failure)
  }
}

let savepoints = 0

/** Like `inTransaction`, but what fails inside undoes only itself when a transaction is open already. */
export async function inSavepoint<C extends { db: Db }, T>(
  ctx: C,
  run: (ctx: C & { db: Tx }) => Promise<T>,
): Promise<T> {
  if (!isTransaction(ctx.db)) return inTransaction(ctx, run)
  const { client, flush, drop } = ctx.db.runner as TransactionRunner
  const name = `p${++savepoints}`
  await flush()
  await ask(client, `savepoint ${name}`)
  try {
    const result = await run(ctx as C & { db: Tx })
    await flush()
    await ask(client, `release savepoint ${name}`)
    return result
  } catch (err) {
    drop()
    await ask(client, `rollback to savepoint ${name}`).catch(() => undefined)
    throw err
  }
}

interface TransactionRunner extends Runner {
  client: pg.PoolClient
  /** Sends what is kept. */
  flush(): Promise<void>
  /** Forgets what is kept: what it belongs to is undone. */
  drop(): void
  /** Sends what is kept, and the commit with it. From here on nothing more is sent. */
  commit(): Promise<pg.QueryResult>
  /** From here on nothing more is sent: it would be in no transaction, or in somebody else's. */
  close(): void
}

/** The statement that begins the transaction goes out with the first of those in it. */
function transactionRunner(pool: Checkout, client: pg.PoolClient, beginning: string): TransactionRunner {
  let isOpen = true
  let hasBegun = false
  let kept: Statement<unknown>[] = []

  async function send(statements: readonly Statement<unknown>[], last?: string) {
    const before = kept.splice(0)
    const all = [...before, ...statements]
    const first = hasBegun ? undefined : beginning
    hasBegun = true
    const sent = corked(
      client,
      () =>
        [
          first && ask(client, first),
          all.length > 0 ? pool.send(client, all) : [],
          last ? ask(client, last) : undefined,
        ] as const,
    )
    const [, results, ended] = await Promise.all(sent)
    return { results: results.slice(before.length), ended }
  }

  function refuseClosed(): void {
    if (!isOpen) throw new Error('The transaction of this statement has ended.')
  }

  return {
    client,
    root: {},
    isTransaction: true,
    async run(statements) {
      refuseClosed()
      return (await send(statements)).results
    },
    keep(statements) {
      refuseClosed()
      kept.push(...statements)
    },
    async flush() {
      await send([])
    },
    drop() {
      kept = []
    },
    async commit() {
      isOpen = false
      return (await send([], 'commit')).ended!
    },
    close() {
      isOpen = false
    },
  }
}

const toTx = (runner: Runner) => Object.assign(createDb(runner), { isOpenTransaction: true as const })
