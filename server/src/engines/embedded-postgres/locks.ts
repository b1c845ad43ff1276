import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { errorCode, startFailure } from './failure.ts'
import type { Home } from './home.ts'
import { isAlive, type Postmaster } from './pid-file.ts'
import { visibleSocketFolder } from './socket-folder.ts'

export type Role = 'server' | 'guest'

// Advisory locks in the maintenance database. The first number only avoids collisions with other locks.
const server = '7547929, 1'
const users = '7547929, 2'

const notYet = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300'])

/** The connection that holds the locks of this process. */
export interface LockClient extends pg.Client {
  /** Resolves when it is closed, also for a listener that comes later: PostgreSQL may die right after it has started. */
  ended: Promise<void>
}

/**
 * Opens the connection that holds the locks of this process. Unlike a lock file, the locks disappear with the process,
 * however it ends. Returns undefined if PostgreSQL does not accept connections yet.
 */
export async function connectForLocks(postmaster: Postmaster, role: Role): Promise<LockClient | undefined> {
  const client = new pg.Client({
    host: visibleSocketFolder(postmaster),
    port: postmaster.port,
    user: 'slipway',
    database: 'postgres',
    password: '',
    ssl: false,
    application_name: `slipway-${role}-${process.pid}`,
    connectionTimeoutMillis: 5_000,
    // A PostgreSQL that dies during a query must not prevent the next one from starting.
    query_timeout: 10_000,
    options: '-c statement_timeout=0 -c idle_session_timeout=0 -c lock_timeout=0',
  })
  // Without a listener, the error from a stopped postmaster would crash this process.
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  try {
    await client.connect()
    return Object.assign(client, { ended })
  } catch (err) {
    await closeForLocks(client)
    if (isConnectionLost(err)) return undefined
    throw err
  }
}

/** Closes the connection without waiting for a server that may be gone. */
export async function closeForLocks(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), delay(1_000, undefined, { ref: false })])
}

export function isConnectionLost(err: unknown): boolean {
  return (
    notYet.has(errorCode(err) ?? '') ||
    /Connection terminated|timeout expired|read timeout|not queryable/.test(String(err))
  )
}

/** Returns false if the last user is stopping PostgreSQL right now. */
export async function claimUse(client: pg.Client): Promise<boolean> {
  return ask(client, `select pg_try_advisory_lock_shared(${users}) as yes`)
}

export async function claimServer(client: pg.Client, home: Home): Promise<boolean> {
  if (await ask(client, `select pg_try_advisory_lock(${server}) as yes`)) return true
  const holder = await findServer(client)
  // The previous server may have been killed a moment ago. PostgreSQL notices that soon.
  if (holder === undefined || !isAlive(holder)) return false
  throw startFailure(
    `Another Slipway already runs on the data folder "${home.dataDir}" (process ${holder}). Stop it first, or set DATA_DIR to another folder.`,
  )
}

/** Returns true if nobody else uses PostgreSQL. Nobody can claim it then until it has stopped. */
export async function releaseAsLast(client: pg.Client): Promise<boolean> {
  // Releases the shared lock before it requests the exclusive one. If two last users both kept their share, each would
  // see the other and neither would stop PostgreSQL.
  await client.query('select pg_advisory_unlock_all()')
  return ask(client, `select pg_try_advisory_lock(${users}) as yes`)
}

async function findServer(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::text || ', ' || objid::text) = $1`,
    [server],
  )
  const pid = rows[0]?.application_name.match(/-(\d+)$/)?.[1]
  return pid === undefined ? undefined : Number(pid)
}

async function ask(client: pg.Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(question)
  return rows[0]?.yes === true
}
