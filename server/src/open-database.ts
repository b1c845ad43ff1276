import type { Account } from './engines/embedded-postgres/account.ts'
import { openEmbeddedPostgres } from './engines/embedded-postgres/index.ts'
import { connect, errorCode, isDatabaseAway, type Sql } from './kernel/database/index.ts'

export interface OpenDatabase {
  sql: Sql
  /** The account that the embedded PostgreSQL runs under if this process is root. */
  account: Account | undefined
  close(): Promise<void>
}

interface Options {
  databaseUrl: string | undefined
  dataDir: string
  poolSize: number
  as: 'server' | 'guest'
  log: (message: string) => void
  /** Aborts a start in progress. */
  signal?: AbortSignal
}

/** Opens the PostgreSQL at `DATABASE_URL`, or the embedded one in the data folder. */
export async function openDatabase(options: Options): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, poolSize, as, log, signal } = options
  const embedded =
    databaseUrl === undefined ? await openEmbeddedPostgres({ dataDir, as, log, ...(signal && { signal }) }) : undefined
  const where = databaseUrl ?? embedded!.connection
  const onBroken = (err: Error) => log(`A connection to the database broke: ${err.message}`)
  const fullDisk = () => {
    const fault = embedded?.fault()
    return errorCode(fault) === 'ENOSPC' ? fault : undefined
  }
  const sql = connect(where, { max: poolSize, applicationName: `slipway-${as}`, onBroken, fault: fullDisk })
  return {
    sql,
    account: embedded?.account,
    async close() {
      await sql.end()
      await embedded?.stop()
    },
  }
}

/** Explains that the database cannot be used and what to check. Returns undefined for any other error. */
export function databaseFault(err: unknown, databaseUrl: string | undefined): string | undefined {
  const code = errorCode(err)
  const { message } = err as Error
  const [name, advice] = databaseUrl
    ? ['The database at DATABASE_URL', 'Check DATABASE_URL.']
    : ['The embedded database', 'See the log in the data folder.']
  // It rejects the credentials (class 28) or does not have the database.
  if (code?.startsWith('28') || code === '3D000') return `${name} refuses (${message}). ${advice}`
  return isDatabaseAway(err) ? `${name} does not answer (${message}). ${advice}` : undefined
}
