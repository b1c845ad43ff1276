import pg from 'pg'
import { createShares } from '../turns.ts'
import { DatabaseBusyError, isDatabaseAway, withCode } from './failures.ts'
import { compile, createDb, type Db, type Root, type Row, type Runner, type Statement } from './statement.ts'
import { refuseInsideTransaction } from './transaction-guard.ts'

export interface Connection {
  host: string
  port: number
  user: string
  database: string
}

/** The pool. Used directly, it serves the service itself: keys, limits, health. Projects use `forProject`. */
export interface Sql extends Db {
  /** For libraries that run their own SQL. */
  readonly pool: pg.Pool
  readonly where: string | Connection
  /** Called with every statement. Only tests set it. */
  onStatement: ((text: string) => void) | undefined
  /** Closes all connections. Destroys those that are still in use after `withinMs`. */
  end(options?: { withinMs?: number }): Promise<void>
}

interface ConnectOptions {
  max?: number
  /** Then a connection is replaced, and the statements that were prepared on it are gone. */
  maxUses?: number
  applicationName?: string
  /** Called when an idle connection breaks. The next query gets a new one. */
  onBroken?: (err: Error) => void
  /** Explains why no connection can be made, if known. */
  fault?: () => Error | undefined
}

const CONNECT_WITHIN_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
/** The number of connections that projects leave free for the service itself. */
const RESERVED = 6
const MAX_NAMES = 1_000

/** Returns the settings of every connection, in the pool or not. */
export function clientConfig(where: string | Connection, applicationName = 'slipway'): pg.ClientConfig {
  const { options, ...parts } = typeof where === 'string' ? splitOptions(where) : { ...where, options: '' }
  return {
    ...parts,
    application_name: applicationName,
    options: `${options} -c TimeZone=UTC -c DateStyle=ISO`.trim(),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    pipeline: true,
  } as pg.ClientConfig
}

/** Splits the options off a URL, because the driver would let them replace ours. */
function splitOptions(where: string): { connectionString: string; options: string } {
  const url = URL.canParse(where) ? new URL(where) : undefined
  const options = url?.searchParams.get('options')
  if (!url || !options) return { connectionString: where, options: '' }
  url.searchParams.delete('options')
  return { connectionString: url.href, options }
}

/** `where` is a URL or the parts of a connection to a Unix socket. */
export function connect(
  where: string | Connection,
  { max = 10, maxUses = 10_000, applicationName, onBroken = () => undefined, fault }: ConnectOptions = {},
): Sql {
  const pool = new pg.Pool({
    ...clientConfig(where, applicationName),
    max,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
    // Ends the wait even if PostgreSQL itself hangs.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_WITHIN_MS,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: 3_600,
    maxUses,
  })
  const open = new Set<pg.Client>()
  // Without these listeners, a broken connection would crash the process.
  pool.on('error', onBroken)
  pool.on('connect', (client) => {
    open.add(client as never)
    client.on('error', () => undefined)
  })
  pool.on('remove', (client) => open.delete(client as never))

  const projects = Math.max(1, max - Math.min(RESERVED, Math.floor(max / 2)))
  const shares = createShares({ total: projects, perProject: Math.ceil(projects / 2) })
  const nameOf = createNames()
  const root: Root = {}
  const byProject = new Map<string, Db>()
  const forProject = (projectId: string) => {
    const db = byProject.get(projectId) ?? createDb(poolRunner(projectId))
    byProject.set(projectId, db)
    return db
  }
  const sql = createDb({ ...poolRunner(undefined), forProject }) as Sql
  root.service = sql

  function poolRunner(project: string | undefined): Runner & Checkout {
    const runner: Runner & Checkout = {
      root,
      isTransaction: false,
      async run(statements) {
        const client = await runner.checkOut()
        let failure: unknown
        try {
          return await send(client, statements)
        } catch (err) {
          failure = err
          throw err
        } finally {
          runner.giveBack(client, failure)
        }
      },
      send,
      async checkOut() {
        // Holding one connection while waiting for another can deadlock.
        if (project !== undefined) refuseInsideTransaction('a second connection')
        if (project !== undefined && (await shares.enter(project, CONNECT_WITHIN_MS)) === false)
          throw new DatabaseBusyError()
        try {
          return await pool.connect()
        } catch (err) {
          if (project !== undefined) shares.leave(project)
          throw fault?.() ?? withCode(err)
        }
      },
      giveBack(client, failure) {
        if (project !== undefined) shares.leave(project)
        client.release(isDatabaseAway(failure))
      },
    }
    return runner
  }

  async function send(client: pg.PoolClient, statements: readonly Statement<unknown>[]): Promise<Row[][]> {
    const queries = statements.map((statement) => {
      const { text, values } = compile(statement)
      sql.onStatement?.(text)
      const name = statement.isPrepared ? nameOf(text) : undefined
      return { text, values: values as unknown[], types, ...(name !== undefined && { name }) }
    })
    const sent = queries.map((one) => ask(client, one))
    if (sent.length === 1) return [(await sent[0]!).rows]
    const settled = await Promise.allSettled(sent)
    return settled.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value.rows
    })
  }

  return Object.assign(sql, {
    pool,
    where,
    onStatement: undefined,
    async end({ withinMs = 1_000 } = {}) {
      if (pool.ending) return
      const force = setTimeout(() => {
        for (const client of open) connectionOf(client).stream.destroy()
      }, withinMs)
      await pool.end().finally(() => clearTimeout(force))
    },
  })
}

/** Sends a query. Errors of the connection get a code. */
export const ask = (client: pg.PoolClient, query: string | pg.QueryConfig): Promise<pg.QueryResult> =>
  client.query(query).catch((err: unknown) => {
    throw withCode(err)
  })

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: pg.Connection }).connection

/** The parts of the pool that a transaction uses. */
export interface Checkout {
  checkOut(): Promise<pg.PoolClient>
  giveBack(client: pg.PoolClient, failure: unknown): void
  send(client: pg.PoolClient, statements: readonly Statement<unknown>[]): Promise<Row[][]>
}

/**
 * Names prepared statements, one name for each text. After `MAX_NAMES` texts the names start over, so that statements that
 * are rarely repeated do not use up the memory.
 */
function createNames() {
  const names = new Map<string, string>()
  let made = 0
  return (text: string): string => {
    let name = names.get(text)
    if (name === undefined) {
      if (names.size === MAX_NAMES) names.clear()
      name = `s${++made}`
      names.set(text, name)
    }
    return name
  }
}

const TIMESTAMPTZ = 1184

/** The parsers of `pg`, by any number. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => (text: string) => unknown
const types = {
  getTypeParser: ((oid, format) => (oid === TIMESTAMPTZ ? toIsoTime : parserOf(oid, format))) as typeof parserOf,
}

/** The text that the API returns, without a Date object: `2026-11-15 03:00:00.12+00` → `2026-11-15T03:00:00.120Z` */
function toIsoTime(text: string): string {
  const digits = text[19] === '.' ? text.length - '2026-11-15 03:00:00.'.length - '+00'.length : 0
  const fraction = digits < 3 ? text.slice(20, 20 + digits).padEnd(3, '0') : text.slice(20, 23)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
