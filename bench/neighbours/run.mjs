import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startServer, stopAll } from '../processes.mjs'
import { API } from '../seed.mjs'
import { attacks, longText } from './attacks.mjs'
import { openNeighbour } from './neighbour.mjs'

/** One caller attacks a project; what do the requests of another project take? See README.md. */

const DOCUMENTS = 3
const MAX_RATIO = 3
const MAX_MORE_MS = 100
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    'server-args': { type: 'string', default: '' },
  },
})
const seconds = Number(flags.seconds)
const chosen = attacks.filter(({ name, caller }) => !flags.only || `${caller} ${name}`.includes(flags.only))
if (chosen.length === 0) throw new Error(`--only takes a part of: ${attacks.map(({ name }) => name).join(', ')}`)

async function main(folder) {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../server/build.mjs')], { stdio: 'inherit' })
  const server = await startServer(join(folder, 'data'), flags['server-args'].split(' ').filter(Boolean))
  const callers = {
    nobody: {},
    reporting: server.reportingHeaders,
    viewer: await memberOf(server, 'My project', 'viewer'),
    editor: await memberOf(server, 'My project', 'editor'),
  }
  await server.admin('project', 'add', '--name', 'Neighbour')
  const neighbour = await openNeighbour(server.origin, await memberOf(server, 'Neighbour', 'editor'))
  const seeded = await seedLong(server)
  await neighbour.measure(5)
  console.log(`Load average before: ${os.loadavg()[0].toFixed(1)}\n`)
  console.log(`| caller | attack | ${neighbour.kinds.join(' | ')} | answers | goal |`)
  console.log(`| --- | --- |${' --- |'.repeat(neighbour.kinds.length)} --- | --- |`)
  for (const { name, caller, connections, requests } of chosen) {
    const alone = await neighbour.measure(seconds)
    const attack = { origin: server.origin, headers: callers[caller], connections, requests: requests(seeded) }
    const attacker = fork(join(import.meta.dirname, 'attacker.mjs'))
    attacker.send(attack)
    await delay(1_000)
    const attacked = await neighbour.measure(seconds)
    attacker.send('end')
    const [answers] = await once(attacker, 'message')
    const compared = neighbour.kinds.map((kind) => compare(alone.times[kind], attacked.times[kind]))
    const isMet = attacked.faults.length === 0 && compared.every((one) => one.isMet)
    const faults = attacked.faults.length > 0 ? `; ${attacked.faults.length} failed: ${attacked.faults[0]}` : ''
    console.log(
      `| ${caller} | ${name} | ${compared.map((one) => one.shown).join(' | ')} | ${JSON.stringify(answers)} | ${isMet ? 'met' : 'missed'}${faults} |`,
    )
    // Work that the attacker no longer waits for must not count against the next attack.
    await delay(5_000)
  }
}

async function memberOf(server, project, role) {
  const email = `${role}@${project.replace(' ', '-').toLowerCase()}.example`
  await server.admin('user', 'add', '--email', email, '--name', role)
  await server.admin('member', 'add', '--project', project, '--email', email, '--role', role)
  const { key } = await server.admin('key', 'add', '--kind', 'external', '--project', project, '--email', email)
  return { 'x-api-key': key }
}

/** Long documents with two versions that have hardly a line in common. */
async function seedLong(server) {
  const seeded = { documents: [], versions: [] }
  for (let at = 0; at < DOCUMENTS; at++) {
    const content = (seed) => ({ markdown_content: `Needle\n\n${longText(seed)}` })
    const { data } = await server.call('POST', `${API}/blueprints`, { title: `Long ${at}`, ...content(at) })
    await server.call('PATCH', `${API}/blueprints/${data.id}`, content(10 + at))
    const { items } = await server.call('GET', `${API}/blueprints/${data.id}/versions`)
    seeded.documents.push(data.id)
    seeded.versions.push({ from: items.at(-1).version_id, to: items[0].version_id })
  }
  return seeded
}

function compare(alone, attacked) {
  const [before, during] = [percentiles(alone), percentiles(attacked)]
  const isMet = during.p99 <= before.p99 * MAX_RATIO || during.p99 - before.p99 <= MAX_MORE_MS
  const shown = `${before.p50} → ${during.p50}, ${before.p99} → ${during.p99} (×${(during.p99 / before.p99).toFixed(1)})`
  return { isMet, shown }
}

function percentiles(times) {
  const sorted = times.sort((a, b) => a - b)
  const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))])
  return { p50: at(0.5), p99: at(0.99) }
}

const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
try {
  // Started as root, the server runs PostgreSQL as another user, which needs access.
  await chmod(folder, 0o755)
  await main(folder)
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
