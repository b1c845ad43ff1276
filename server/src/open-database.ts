import { connect, errorCode, isDatabaseAway, type Sql } from './kernel/database.ts'
import { openEmbeddedPostgres } from './kernel/embedded-postgres/index.ts'

export interface OpenDatabase {
  sql: Sql
  close(): Promise<void>
}

interface Options {
  databaseUrl: string | undefined
  dataDir: string
  poolSize: number
  as: 'server' | 'guest'
  log: (message: string) => void
  /** Ends a start that is under way. */
  signal?: AbortSignal
}

/** The PostgreSQL that `DATABASE_URL` names, or our own in the data folder. */
export async function openDatabase({ databaseUrl, poolSize, as, ...options }: Options): Promise<OpenDatabase> {
  const embedded = databaseUrl === undefined ? await openEmbeddedPostgres({ as, ...options }) : undefined
  const where = databaseUrl ?? embedded!.connection
  const onBroken = (err: Error) => options.log(`A connection to the database broke: ${err.message}`)
  const sql = connect(where, { max: poolSize, applicationName: `slipway-${as}`, onBroken })
  return {
    sql,
    async close() {
      await sql.end()
      await embedded?.stop()
    },
  }
}

/** Says in words that the database cannot be used and what to look at; undefined for any other error. */
export function databaseFault(err: unknown, databaseUrl: string | undefined): string | undefined {
  const code = errorCode(err)
  const { message } = err as Error
  const [name, advice] = databaseUrl
    ? ['The database at DATABASE_URL', 'Check DATABASE_URL.']
    : ['The embedded database', 'See the log in the data folder.']
  // It refuses who asks (class 28) or does not have the database.
  if (code?.startsWith('28') || code === '3D000') return `${name} refuses (${message}). ${advice}`
  return isDatabaseAway(err) ? `${name} does not answer (${message}). ${advice}` : undefined
}
