import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Sql } from './database.ts'
import { startFailure } from './embedded-postgres/index.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Any constant will do, as long as every node uses the same: nodes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_200_114

/** Applies what is new, in order, each file in a transaction of its own. Applied files never change. */
export async function migrate(sql: Sql): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const session = await sql.reserve()
  try {
    await session`select pg_advisory_lock(${MIGRATION_LOCK})`
    await session`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz(3) not null default now())`
    const applied = new Map(
      (await session<{ name: string; sha256: string }[]>`select name, sha256 from schema_migrations`).map((row) => [
        row.name,
        row.sha256,
      ]),
    )
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
      await session.unsafe(
        `begin; ${text}; insert into schema_migrations (name, sha256) values ('${name}', '${sha256}'); commit;`,
      )
      fresh.push(name)
    }
    return fresh
  } finally {
    await session`select pg_advisory_unlock(${MIGRATION_LOCK})`.catch(() => undefined)
    session.release()
  }
}
