import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  countCpu,
  findPostgres,
  memoryOf,
  POOL_SIZE,
  startFloor,
  startLoad,
  startServer,
  stopAll,
} from './processes.mjs'
import { markdownOf, summarize, tableOf } from './report.mjs'
import { isWrite, requestSource, scenarios } from './scenarios.mjs'
import { seed, seedDocuments, seedFeedback } from './seed.mjs'
import { openSql } from './sql.mjs'

/** Compares the server with the floor. See README.md. */

const PAGE = 20
const ITEMS = 10_000
const THEMES = 1_000
const THEMES_IN_PROGRESS = 20
const WARM_REQUESTS = 3_000
const WARM_WITHIN_MS = 20_000
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    connections: { type: 'string', default: '1,32' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'work-orders': { type: 'string', default: '10000' },
    documents: { type: 'string', default: '2000' },
    'server-args': { type: 'string', default: '' },
    'no-files': { type: 'boolean', default: false },
  },
})
const rounds = Number(flags.rounds ?? (flags.quick ? 3 : 5))
const seconds = Number(flags.seconds ?? (flags.quick ? 1 : 3))
const connectionCounts = flags.connections.split(',').map(Number)
const chosen = scenarios.filter(({ name }) => !flags.only || flags.only.split(',').includes(name))
if (chosen.length === 0) throw new Error(`--only takes some of: ${scenarios.map(({ name }) => name).join(',')}`)

const cleanUps = []
let cleaning
/** Runs once, whether a signal or the end of the run calls it first. */
function cleanUp() {
  cleaning ??= (async () => {
    for (const undo of cleanUps.reverse()) await undo().catch((err) => say(err.message))
  })()
  return cleaning
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    say(`Stopped by ${signal}`)
    cleanUp().finally(() => process.exit(1))
  })

async function main() {
  // Compiles the server first if its sources are newer.
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'build.mjs')], { stdio: 'inherit' })
  const commit = describeCommit()
  const busyAtStart = os.loadavg()[0]
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  cleanUps.push(() => rm(folder, { recursive: true, force: true }), stopAll)
  // Started as root, the server runs PostgreSQL as another user, which needs access.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  say('Starting the server on an empty database')
  const server = await startServer(dataDir, flags['server-args'].split(' ').filter(Boolean))
  const howMany = Number(flags['work-orders'])
  say(`Creating ${howMany} work orders`)
  const ordered = await seed(server, howMany)
  const howManyDocuments = Number(flags.documents)
  say(`Creating ${howManyDocuments} documents`)
  const documents = await seedDocuments(server, howManyDocuments)
  const seeded = { ...ordered, pages: Math.floor(howMany / PAGE), documents }

  const withFeedback = chosen.some((scenario) => scenario.feedback)
  if (withFeedback) {
    say(`Handing in ${ITEMS} reports and making ${THEMES} themes`)
    await seedFeedback(server, seeded, ITEMS, THEMES)
  }

  const cluster = await findPostgres(dataDir)
  const sql = openSql({ host: cluster.socketDir, port: 5432, user: 'slipway', database: 'slipway', max: 1 })
  cleanUps.push(() => sql.end())
  const [{ project_id: projectId }] = await sql`select project_id from work_orders limit 1`
  await prepareDatabase(sql)
  const floor = await startFloor({ socketDir: cluster.socketDir, projectId, log: join(folder, 'floor.log') })
  const load = startLoad(seeded)

  await checkSameAnswers(server, floor, seeded, withFeedback)
  const memoryAtStart = await memoryOf(server.pid)
  await warmUp({ load, server, floor, chosen })
  const results = []
  for (const scenario of chosen) {
    const created = await countCreated(sql)
    for (const connections of connectionCounts) {
      const measured = await measureRounds({ load, server, floor, postmaster: cluster.pid, scenario, connections })
      const result = summarize(scenario, connections, measured)
      results.push(result)
      const { ratio, p99Ratio } = result
      say(`${scenario.name}, ${connections} at once: ratio ${ratio.toFixed(2)}, p99 ratio ${p99Ratio.toFixed(2)}`)
    }
    if (scenario.writes) await checkCreated(sql, created, results, scenario.name)
  }

  const report = {
    date: new Date().toISOString(),
    commit,
    machine: await describeMachine(sql),
    settings: { rounds, seconds, workOrders: howMany, documents: howManyDocuments, poolSize: POOL_SIZE },
    busyAtStart,
    memory: { atStart: memoryAtStart, atEnd: await memoryOf(server.pid), floor: await memoryOf(floor.pid) },
    results,
  }
  console.log(`\n${tableOf(report)}`)
  if (!flags['no-files']) writeFiles(report)
}

/**
 * Creates a table for the floor with the same columns and indexes, so that neither contender sees the rows of the
 * other.
 */
async function prepareDatabase(sql) {
  await sql`create table bench_floor_work_orders (like work_orders including all)`
  // PostgreSQL fills generated columns itself.
  const [{ columns }] = await sql`select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
    where attrelid = 'work_orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
  await sql.run(`insert into bench_floor_work_orders (${columns}) select ${columns} from work_orders`)
  // Leaves out the generated column for search, a cost that only the server has.
  await sql`create table bench_floor_documents (like documents including indexes)`
  await sql`insert into bench_floor_documents select * from documents`
  await sql`create table bench_floor_document_versions (like document_versions including all)`
  await sql`insert into bench_floor_document_versions select * from document_versions`
  await sql`create table bench_floor_feedback_items (like feedback_items including all)`
  await sql`insert into bench_floor_feedback_items select * from feedback_items`
  await sql`update themes set status = 'in_progress' where theme_number <= ${THEMES_IN_PROGRESS}`
  // Otherwise autovacuum could run in the middle of a round.
  await sql`vacuum analyze`
  await sql`checkpoint`
}

/**
 * Warms up both contenders until V8 has compiled them; otherwise the first scenario would be slower than the others. V8
 * counts calls, so this takes longer on a busy machine.
 */
async function warmUp({ load, server, floor, chosen }) {
  say('Warming up')
  for (const { name, reporting } of chosen)
    for (const { origin, headers, reportingHeaders } of [server, floor]) {
      const job = {
        scenario: name,
        origin,
        headers: reporting ? reportingHeaders : headers,
        connections: 8,
        seconds: 2,
      }
      const until = performance.now() + WARM_WITHIN_MS
      for (let requests = 0; requests < WARM_REQUESTS && performance.now() < until; )
        requests += (await load.measure({ ...job, seed: 99 + requests })).requests
    }
}

/** Never repeats in a run: a document that is written with the text that it has gets no version. */
let seedOf = 0

async function measureRounds({ load, server, floor, postmaster, scenario, connections }) {
  const contenders = { server, floor }
  const measure = async (name) => {
    const { origin, pid, ...keys } = contenders[name]
    const headers = scenario.reporting ? keys.reportingHeaders : keys.headers
    const stopCounting = await countCpu(pid, postmaster)
    const job = { scenario: scenario.name, origin, headers, connections, seconds, seed: ++seedOf }
    const result = await load.measure(job)
    if (Object.keys(result.faults).length > 0)
      throw new Error(`${name}, ${scenario.name}: not every answer was good: ${JSON.stringify(result.faults)}`)
    return { ...result, cpu: await stopCounting() }
  }
  await measure('server')
  await measure('floor')
  const measured = []
  for (let round = 0; round < rounds; round++) {
    // Alternates which contender goes first, so that neither always follows the other.
    const order = round % 2 === 0 ? ['server', 'floor'] : ['floor', 'server']
    const both = {}
    for (const name of order) both[name] = await measure(name)
    measured.push(both)
  }
  return measured
}

/** Throws if the floor's answers differ from the server's, which would make the comparison meaningless. */
async function checkSameAnswers(server, floor, seeded, withFeedback) {
  for (const scenario of scenarios.filter((one) => !isWrite(one) && (withFeedback || !one.feedback))) {
    const next = requestSource(scenario, seeded, 7)
    for (let count = 0; count < 20; count++) {
      const { method, path, body } = next()
      const [ours, theirs] = await Promise.all([
        server.call(method, path, body && JSON.parse(body)),
        fetch(floor.origin + path, { method, body }).then((res) => res.json()),
      ])
      const seen = ({ data, items, total }) => JSON.stringify([data?.id, items?.map(({ id }) => id), total])
      if (seen(ours) !== seen(theirs)) throw new Error(`${scenario.name}: server and floor differ for ${path} ${body}`)
    }
  }
}

async function countCreated(sql) {
  const [counted] = await sql`
    select (select count(*)::int from work_orders) + (select count(*)::int from feedback_items)
        + (select count(*)::int from document_versions) as server,
      (select count(*)::int from bench_floor_work_orders) + (select count(*)::int from bench_floor_feedback_items)
        + (select count(*)::int from bench_floor_document_versions) as floor`
  return counted
}

async function checkCreated(sql, before, results, scenario) {
  const after = await countCreated(sql)
  for (const name of ['server', 'floor']) {
    const answered = results
      .filter((one) => one.scenario === scenario)
      .reduce((sum, { rounds }) => sum + rounds.reduce((all, round) => all + round[name].requests, 0), 0)
    if (after[name] - before[name] < answered) throw new Error(`${scenario}: ${name} answered more than it wrote`)
  }
}

function describeCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', '../server') !== ''
  return git('rev-parse', '--short=12', 'HEAD') + (changed ? ' with changes' : '')
}

async function describeMachine(sql) {
  const [{ server_version: version }] = await sql`show server_version`
  return {
    cpu: os.cpus()[0]?.model?.trim() || os.arch(),
    cores: os.cpus().length,
    arch: os.arch(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    postgres: version,
  }
}

function writeFiles(report) {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const name = join(folder, report.date.slice(0, 10))
  writeFileSync(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${name}.md`, markdownOf(report))
  say(`Written to bench/results/${report.date.slice(0, 10)}.json and .md`)
}

function say(text) {
  process.stderr.write(`${text}\n`)
}

try {
  await main()
} finally {
  await cleanUp()
}
