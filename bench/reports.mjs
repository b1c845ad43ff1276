import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { findPostgres, POOL_SIZE, startLoad, startServer, stopAll } from './processes.mjs'
import { median } from './report.mjs'
import { report } from './seed.mjs'
import { openSql } from './sql.mjs'
import { randomSource } from './words.mjs'

/**
 * Compares how many reports a second the server stores over HTTP with a loop that inserts one row at a time through the
 * same driver, with the same number of database connections. See README.md.
 */

const CONNECTIONS = 32
const [rounds, seconds] = process.argv.includes('--quick') ? [3, 2] : [7, 4]

const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
try {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'build.mjs')], { stdio: 'inherit' })
  // Started as root, the server runs PostgreSQL as another user, which needs access.
  await chmod(folder, 0o755)
  const server = await startServer(join(folder, 'data'), [])
  const { socketDir: host } = await findPostgres(join(folder, 'data'))
  const sql = openSql({ host, port: 5432, user: 'slipway', database: 'slipway', max: POOL_SIZE })
  const [{ id: projectId }] = await sql`select id from projects`
  await sql`create table bench_floor_feedback_items (like feedback_items including all)`
  const load = startLoad({})
  const job = { scenario: 'report', origin: server.origin, headers: server.reportingHeaders, connections: CONNECTIONS }

  let seed = 0
  const askServer = async () => {
    const { requests, seconds: took, faults } = await load.measure({ ...job, seconds, seed: ++seed })
    if (Object.keys(faults).length > 0) throw new Error(`Not every report was taken: ${JSON.stringify(faults)}`)
    return requests / took
  }
  let number = 0
  const insertBare = async () => {
    const random = randomSource(++seed)
    const startedAt = performance.now()
    let inserted = 0
    const loop = async () => {
      for (; performance.now() - startedAt < seconds * 1000; inserted++) {
        const { end_user_email, content } = report(random)
        await sql`insert into bench_floor_feedback_items (project_id, id, feedback_number, title, status,
            end_user_email, markdown_content, created_at)
          values (${projectId}, gen_random_uuid(), ${++number}, ${content.slice(0, 80)}, 'to_process',
            ${end_user_email}, ${content}, now())`
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, loop))
    return inserted / ((performance.now() - startedAt) / 1000)
  }

  await askServer()
  await insertBare()
  const measured = []
  for (let round = 0; round < rounds; round++) {
    const both = {}
    for (const name of round % 2 ? ['bare', 'server'] : ['server', 'bare'])
      both[name] = await (name === 'server' ? askServer() : insertBare())
    measured.push(both)
    console.log(`${both.server.toFixed(0)} : ${both.bare.toFixed(0)} = ${(both.server / both.bare).toFixed(2)}`)
  }
  const ratios = measured.map((one) => one.server / one.bare)
  const middle = (name) => median(measured.map((one) => one[name])).toFixed(0)
  console.log(
    `${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, load average ${os.loadavg()[0].toFixed(1)}: ` +
      `${middle('server')} reports/s beside ${middle('bare')} bare inserts/s, ` +
      `ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}), goal 0.7`,
  )
  await sql.end()
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
