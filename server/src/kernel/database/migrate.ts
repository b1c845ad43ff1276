import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { startFailure } from '../../engines/embedded-postgres/index.ts'
import { clientConfig, type Sql } from './index.ts'

const folder = new URL('../../../migrations/', import.meta.url)
/** An arbitrary number that all nodes share, so that nodes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_200_114

/**
 * Applies new migrations in order, each in its own transaction, and returns their names. A migration never changes
 * after it was applied.
 */
export async function migrate(sql: Sql): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  // Does not use the pool, whose statement timeout is too short to migrate large tables.
  const client = new pg.Client(clientConfig(sql.where, 'slipway-migrate'))
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz(3) not null default now())`)
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations')
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    const unknown = [...applied.keys()].filter((name) => !files.includes(name))
    if (unknown.length > 0)
      throw startFailure(
        `The database was made by a newer Slipway (it has the migration "${unknown[0]}"). Start that version instead.`,
      )
    const fresh: string[] = []
    for (const name of files) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before === sha256) continue
      if (before)
        throw startFailure(`The migration "${name}" was changed after it had been applied. Add a new file instead.`)
      await client.query(
        `begin; ${text}; insert into schema_migrations (name, sha256) values ('${name}', '${sha256}'); commit;`,
      )
      fresh.push(name)
    }
    return fresh
  } finally {
    // Closing the connection releases the lock.
    await client.end()
  }
}
