import { type Connection, connect, type Sql } from './kernel/database.ts'
import { openEmbeddedPostgres } from './kernel/embedded-postgres/index.ts'

export interface OpenDatabase {
  where: string | Connection
  sql: Sql
  close(): Promise<void>
}

interface Options {
  databaseUrl: string | undefined
  dataDir: string
  poolSize: number
  as: 'server' | 'guest'
  log: (message: string) => void
}

/** The PostgreSQL that `DATABASE_URL` names, or our own in the data folder. */
export async function openDatabase({ databaseUrl, dataDir, poolSize, as, log }: Options): Promise<OpenDatabase> {
  const embedded = databaseUrl === undefined ? await openEmbeddedPostgres({ dataDir, as, log }) : undefined
  const where = databaseUrl ?? embedded!.connection
  const sql = connect(where, { max: poolSize, applicationName: `slipway-${as}` })
  return {
    where,
    sql,
    async close() {
      await sql.end({ timeout: 1 })
      await embedded?.stop()
    },
  }
}
