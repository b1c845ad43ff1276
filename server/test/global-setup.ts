import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../src/engines/embedded-postgres/index.ts'
import { type Connection, connect } from '../src/kernel/database/index.ts'
import { migrate } from '../src/kernel/database/migrate.ts'
import { migrateQueue } from '../src/kernel/jobs/jobs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: string | Connection
    templateDatabase: string
  }
}

/**
 * Starts one PostgreSQL for the whole run (TEST_DATABASE_URL, or an embedded one in a temporary folder) with a migrated
 * database that each test file clones.
 */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  const folder = given ? undefined : await mkdtemp(path.join(tmpdir(), 'slipway-test-'))
  const embedded = folder
    ? await openEmbeddedPostgres({
        dataDir: folder,
        as: 'server',
        log: () => undefined,
        settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      })
    : undefined
  const server: string | Connection = given ?? embedded!.connection
  const template = `slipway_template_${process.pid}`
  const root = connect(server, { max: 1 })
  const close = async () => {
    const left = await root<{ name: string }[]>`
      select datname as name from pg_database where datname like ${`slipway_test_${process.pid}_%`} or datname = ${template}`
    for (const { name } of left) await root.pool.query(`drop database if exists ${name} with (force)`)
    await root.end()
    await embedded?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  }

  try {
    await root.pool.query(`create database ${template}`)
    const where = onDatabase(server, template)
    const sql = connect(where, { max: 2 })
    await migrate(sql)
    await migrateQueue(sql)
    await sql.end()
  } catch (err) {
    await close()
    throw err
  }
  project.provide('databaseServer', server)
  project.provide('templateDatabase', template)
  return close
}

export function onDatabase(server: string | Connection, database: string): string | Connection {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
