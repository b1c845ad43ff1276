import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { countCpu, findPostgres, startServer, stopAll } from './processes.mjs'
import { median } from './report.mjs'

/**
 * Makes 100 events a second, with and without a webhook that is told of all of them, and measures how long the API
 * takes to answer meanwhile. Every event must arrive, once. See README.md.
 */

const rate = process.argv.indexOf('--rate')
const EVENTS_PER_SECOND = rate > 0 ? Number(process.argv[rate + 1]) : 100
const BATCHES_PER_SECOND = 20
const DESCRIPTION = `Lines are rounded one by one, so the sum of an order can be a cent off. Keep four places until the discount is taken
off, then round once.

- [ ] Orders with three lines of 0.335 sum up to 1.01
- [ ] The invoice shows the same total as the checkout`
const [rounds, seconds] = process.argv.includes('--quick') ? [2, 4] : [13, 3]
/** Rounds in which the host gave more of the processors to others are measured again: both cores are needed. */
const MOST_STOLEN = 0.03

if (process.argv[2] === 'receiver') await receive()
else await measure()

/** A process of its own, which in truth would run elsewhere: it gets what the others leave. */
async function receive() {
  try {
    execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)])
  } catch {
    os.setPriority(os.constants.priority.PRIORITY_LOW)
  }
  let seen = new Map()
  const server = createServer((req, res) => {
    const id = req.headers['webhook-id']
    seen.set(id, (seen.get(id) ?? 0) + 1)
    req.resume().once('end', () => res.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send({ port: server.address().port })
  process.on('message', (message) => {
    if (message === 'forget') seen = new Map()
    const counts = [...seen.values()]
    process.send({ arrived: counts.length, repeated: counts.filter((count) => count > 1).length })
  })
}

async function measure() {
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  const receiver = fork(import.meta.filename, ['receiver'])
  try {
    execFileSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'build.mjs')], { stdio: 'inherit' })
    // Started as root, the server runs PostgreSQL as another user, which needs access.
    await chmod(folder, 0o755)
    const [{ port }] = await once(receiver, 'message')
    const askReceiver = async (message) => {
      receiver.send(message)
      return (await once(receiver, 'message'))[0]
    }
    process.env.WEBHOOK_PRIVATE_HOSTS = 'on'
    const server = await startServer(join(folder, 'data'), [])
    const api = clientOf(server)
    const postgres = (await findPostgres(join(folder, 'data'))).pid
    const { webhook } = (await api('POST', '/webhooks', { name: 'Bench', url: `http://127.0.0.1:${port}/` })).data
    const enable = (enabled) => api('PATCH', `/webhooks/${webhook.id}`, { enabled })

    const measured = []
    let disturbed = 0
    // The first round compiles.
    for (let round = -1; measured.length < rounds && round < 4 * rounds; round++) {
      const both = {}
      const stealing = await countStolen()
      for (const isTold of round % 2 ? [true, false] : [false, true]) {
        await enable(isTold)
        await askReceiver('forget')
        const stopCounting = await countCpu(server.pid, postgres)
        const mainBefore = await mainThreadSeconds(server.pid)
        const { answers, made, backlog } = await load(api, async () => (await askReceiver('count')).arrived)
        const found = { ...percentiles(answers), made }
        if (isTold) {
          const endedAt = performance.now()
          let got = await askReceiver('count')
          while (got.arrived < made && performance.now() - endedAt < 60_000) {
            await delay(50)
            got = await askReceiver('count')
          }
          await delay(500)
          got = await askReceiver('count')
          if (got.arrived !== made) throw new Error(`${made} events happened, and ${got.arrived} arrived.`)
          Object.assign(found, { repeated: got.repeated, backlog, behindMs: performance.now() - endedAt - 500 })
        }
        const cpu = await stopCounting()
        const main = (await mainThreadSeconds(server.pid)) - mainBefore
        Object.assign(found, {
          main: (main / made) * 1e6,
          node: (cpu.contender / made) * 1e6,
          postgres: (cpu.postgres / made) * 1e6,
        })
        both[isTold ? 'with' : 'without'] = found
      }
      const stolen = await stealing()
      if (round < 0) continue
      if (stolen > MOST_STOLEN) {
        disturbed++
        continue
      }
      measured.push(both)
      console.log(
        `p50 ${both.with.p50.toFixed(2)} : ${both.without.p50.toFixed(2)} ms, p99 ${both.with.p99.toFixed(1)} : ${both.without.p99.toFixed(1)} ms, ` +
          `${both.with.made} events, all arrived, ${both.with.repeated} twice, ${both.with.backlog} behind at the end, caught up after ${both.with.behindMs.toFixed(0)} ms, ` +
          `main thread ${both.with.main.toFixed(0)} : ${both.without.main.toFixed(0)} µs, node ${both.with.node.toFixed(0)} : ${both.without.node.toFixed(0)} µs, PostgreSQL ${both.with.postgres.toFixed(0)} : ${both.without.postgres.toFixed(0)} µs for each event`,
      )
    }
    const middle = (of) => median(measured.map(of))
    const line = (name) =>
      `${name} ${middle((one) => one.with[name]).toFixed(2)} ms beside ${middle((one) => one.without[name]).toFixed(2)} ms without, ` +
      `ratio ${middle((one) => one.with[name] / one.without[name]).toFixed(2)}`
    console.log(
      `${EVENTS_PER_SECOND} events/s, ${measured.length} rounds of ${seconds} s (${disturbed} more left out, the host took more than ${MOST_STOLEN * 100}%), load average ${os.loadavg()[0].toFixed(1)}: ` +
        `${line('p50')}; ${line('p99')}; ${line('main').replaceAll(' ms', ' µs')}; ${measured.reduce((sum, one) => sum + one.with.made, 0)} events, none lost`,
    )
  } finally {
    receiver.kill()
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Work orders in batches make the events, on time whatever the answers take. Single reads and writes are timed. */
async function load(api, countArrived) {
  const perBatch = EVENTS_PER_SECOND / BATCHES_PER_SECOND
  const answers = []
  let made = 0
  const running = []
  const startedAt = performance.now()
  const create = async (count) => {
    const operations = Array.from({ length: count }, (_, index) => ({
      operation_id: String(index),
      operation_type: 'CreateWorkOrder',
      patch: { title: 'Round the total once, after the discount', markdown_content: DESCRIPTION },
    }))
    const { results } = await api('POST', '/work_orders/batch_create', { request_id: crypto.randomUUID(), operations })
    made += count
    return results[0].work_order_id
  }
  const timed = async (run) => {
    const begun = performance.now()
    await run()
    answers.push(performance.now() - begun)
  }
  const id = await create(1)
  const ticks = seconds * 100
  for (let tick = 0; tick < ticks; tick++) {
    const leftMs = startedAt + tick * 10 - performance.now()
    if (leftMs > 0) await delay(leftMs)
    if (tick % (100 / BATCHES_PER_SECOND) === 0) running.push(create(perBatch))
    running.push(timed(tick % 4 === 0 ? () => create(1) : () => api('GET', `/work_orders/${id}`)))
  }
  await Promise.all(running)
  return { answers, made, backlog: made - (await countArrived()) }
}

function clientOf({ origin, headers }) {
  return async (method, path, body) => {
    const answer = await fetch(`${origin}/v2/external-api${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
}

/** The processor time of the thread that answers requests. Linux only. */
async function mainThreadSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Returns a function that returns the share of processor time that the host has given to others since. Linux only. */
async function countStolen() {
  const read = async () => {
    const stat = await readFile('/proc/stat', 'utf8').catch(() => '')
    return Number(stat.split('\n', 1)[0].trim().split(/\s+/)[8] ?? 0) / 100 / os.cpus().length
  }
  const [before, begun] = [await read(), performance.now()]
  return async () => (1_000 * ((await read()) - before)) / (performance.now() - begun)
}

function percentiles(values) {
  const sorted = values.sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { p50: at(0.5), p99: at(0.99) }
}
