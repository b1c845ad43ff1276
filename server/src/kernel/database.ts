import postgres from 'postgres'
import { enterTransaction } from './transaction-guard.ts'

export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql
/** Either the pool or an open transaction: queries do not care which. */
export type Db = Sql | Tx

/** A part of a statement, as `db` with a template gives it. */
export type SqlPart = postgres.PendingQuery<postgres.Row[]>

export interface Connection {
  host: string
  port: number
  user: string
  database: string
}

interface ConnectOptions {
  max?: number
  applicationName?: string
}

/** `where` is a URL, or the parts of a connection to a unix socket. */
export function connect(
  where: string | Connection,
  { max = 10, applicationName = 'slipway' }: ConnectOptions = {},
): Sql {
  const options: postgres.Options<Record<string, postgres.PostgresType>> = {
    max,
    connect_timeout: 5,
    // A fixed short back-off: after an outage the service should be back as soon as the database is.
    backoff: () => 0.2,
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
    },
    types: {
      // Times leave the database as the text that goes over the wire: no Date object is made for them.
      time: { to: 1184, from: [1184], serialize: (value: unknown) => value, parse: toIsoTime },
    },
  }
  return typeof where === 'string' ? postgres(where, options) : postgres({ ...options, ...where })
}

/** `2026-11-15 03:00:00.12+00` → `2026-11-15T03:00:00.120Z` */
export function toIsoTime(text: string): string {
  const digits = text[19] === '.' ? text.length - '2026-11-15 03:00:00.'.length - '+00'.length : 0
  const fraction = digits < 3 ? text.slice(20, 20 + digits).padEnd(3, '0') : text.slice(20, 23)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/** A deadlock or a serialization failure undoes one of the parties, which may simply try again. */
const RETRIED = new Set(['40P01', '40001'])
const MOST_ATTEMPTS = 3

/** For a statement, or a transaction, that touches nothing but the database: it may be run more than once. */
export async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (err) {
      if (attempt === MOST_ATTEMPTS || !RETRIED.has(errorCode(err) ?? '')) throw err
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
  const pool = ctx.db as Sql
  return retrying(async () => (await pool.begin((tx) => enterTransaction(() => run({ ...ctx, db: tx })))) as T)
}

/** Like `inTransaction`, but what fails inside undoes only itself when a transaction is open already. */
export function inSavepoint<C extends { db: Db }, T>(ctx: C, run: (ctx: C & { db: Tx }) => Promise<T>): Promise<T> {
  if (!isTransaction(ctx.db)) return inTransaction(ctx, run)
  return ctx.db.savepoint((tx) => run({ ...ctx, db: tx })) as Promise<T>
}

export function isTransaction(db: Db): db is Tx {
  return 'savepoint' in db
}

/**
 * Waits for statements that were begun without waiting for each other: the database gets them in one go and runs them one
 * after the other, those with `.execute()` first. Also when one fails it waits for all: what goes on after the end of a
 * transaction would be in none.
 */
export async function sendTogether<const T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(statements)
  for (const one of settled) if (one.status === 'rejected') throw one.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}

/** The values of a statement that is put together from text: each gets its `$n`, and none gets into the text. */
export class Values {
  readonly all: unknown[] = []

  add(value: unknown): string {
    return `$${this.all.push(value)}`
  }
}

/**
 * Runs a statement that was put together from text, prepared as a template is. For the reads that are asked for most:
 * each part of a nested template is a promise of its own. A limit is written into the text as a number: only one that
 * PostgreSQL knows when it plans lets it keep the plan.
 */
export const query = <Row extends object>(db: Db, text: string, values: unknown[]) =>
  db.unsafe<Row[]>(text, values as never[], { prepare: true })

/** A statement whose text goes as far as `id = `, for a project's things of some ids. */
export function selectByIds<Row extends object>(text: string) {
  const one = `${text} $2`
  // Written as a sub-select, the list of ids does not make PostgreSQL plan anew for every list.
  const many = `${text} any(array(select unnest($2::uuid[])))`
  return (db: Db, projectId: string, ids: string[]) =>
    ids.length === 1 ? query<Row>(db, one, [projectId, ids[0]]) : query<Row>(db, many, [projectId, ids])
}

/** Makes `%`, `_` and `\` in a client's text stand for themselves inside LIKE. */
export function likeSubstring(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** Whether an error says that the database cannot be reached now, as opposed to a query that is wrong. */
export function isDatabaseAway(err: unknown): boolean {
  const code = errorCode(err)
  return code !== undefined && (AWAY.has(code) || code.startsWith('08'))
}

export function errorCode(err: unknown): string | undefined {
  const code = (err as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
