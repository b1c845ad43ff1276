import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import { join } from 'node:path'
import { findPostgres, memoryOf, startServer, stopAll } from './processes.mjs'
import { openSql } from './sql.mjs'

/**
 * Measures what open tabs cost: 500 streams of 10 people. Prints the memory and the processor time of the server, the
 * connections to the database, and how long a change takes to reach all tabs.
 */

const PEOPLE = 10
const TABS = 50
const QUIET_SECONDS = 30
const CHANGES = 40

async function signIn(server, number) {
  const email = `tab${number}@example.org`
  await server.admin('user', 'add', '--email', email, '--name', `Tab ${number}`)
  await server.admin('member', 'add', '--project', 'My project', '--email', email, '--role', 'editor')
  const { password } = await server.admin('user', 'reset-password', '--email', email)
  const answer = await fetch(`${server.origin}/v2/app-api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  return { cookie: cookie.join('; '), projectId: (await answer.json()).data.projects[0].id }
}

function openTab({ origin }, { cookie, projectId }, heard) {
  return new Promise((resolve, reject) => {
    const req = request(`${origin}/v2/app-api/stream?project_id=${projectId}`, { headers: { cookie }, agent: false })
    req.on('error', () => undefined)
    req.once('response', (res) => {
      if (res.statusCode !== 200) reject(new Error(`A stream was answered ${res.statusCode}.`))
      res.on('error', () => undefined)
      res.on('data', (chunk) => {
        if (String(chunk).includes('event: change')) heard()
        resolve(() => req.destroy())
      })
    })
    req.end()
  })
}

/** Seconds of processor time. */
async function processorTimeOf(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

let changes = 0
const change = (server) =>
  server.call('POST', '/v2/external-api/work_orders/batch_create', {
    request_id: `streams-${++changes}`,
    operations: [{ operation_id: 'one', operation_type: 'CreateWorkOrder', patch: { title: `Change ${changes}` } }],
  })

async function main() {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'build.mjs')], { stdio: 'inherit' })
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  // The embedded PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  try {
    const dataDir = join(folder, 'data')
    const server = await startServer(dataDir, [])
    const { socketDir: host } = await findPostgres(dataDir)
    const sql = openSql({ host, user: 'slipway', database: 'slipway', max: 1 })
    const connections = async () =>
      (await sql`select count(*)::int as count from pg_stat_activity where application_name like 'slipway%'`)[0].count
    for (let i = 0; i < 50; i++) await change(server)
    const people = []
    for (let i = 0; i < PEOPLE; i++) people.push(await signIn(server, i))
    const [memoryBefore, connectionsBefore] = [await memoryOf(server.pid), await connections()]
    let count = 0
    let complete = () => undefined
    const heard = () => {
      if (++count === PEOPLE * TABS) complete()
    }
    const open = []
    for (const person of people)
      open.push(...(await Promise.all(Array.from({ length: TABS }, () => openTab(server, person, heard)))))
    const [memory, connected] = [await memoryOf(server.pid), await connections()]
    const grown = memory.now - memoryBefore.now
    console.log(`${open.length} streams: +${grown.toFixed(0)} MiB on ${memoryBefore.now.toFixed(0)} MiB`)
    console.log(`connections to the database: ${connectionsBefore} before, ${connected} with the streams`)
    const busyBefore = await processorTimeOf(server.pid)
    await new Promise((resolve) => setTimeout(resolve, QUIET_SECONDS * 1000))
    const busy = (await processorTimeOf(server.pid)) - busyBefore
    console.log(`quiet: ${((busy / QUIET_SECONDS) * 100).toFixed(2)}% of a core`)
    const delays = []
    for (let i = 0; i < CHANGES; i++) {
      count = 0
      const all = new Promise((resolve) => {
        complete = resolve
      })
      const begun = performance.now()
      await change(server)
      await all
      delays.push(performance.now() - begun)
    }
    delays.sort((a, b) => a - b)
    const at = (part) => delays[Math.floor(delays.length * part)].toFixed(0)
    console.log(`from the request to the last tab: ${at(0.5)} ms in the middle, ${at(0.95)} ms at 95%`)
    for (const close of open) close()
    await sql.end()
  } finally {
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
