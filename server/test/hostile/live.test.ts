import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { beforeAll, expect, test } from 'vitest'
import {
  dataFolder,
  externalKey,
  knownKeys,
  type RunningServer,
  startServer,
  statusOf,
} from '../process/running-server.ts'

const MAX_DELAY_MS = 200

let server: RunningServer
let name: string

beforeAll(async () => {
  server = await startServer({ dataDir: dataFolder(), env: knownKeys })
  const made = await server.client().post('/blueprints', { title: 'Attacked', markdown_content: 'hello\n' })
  name = `blueprint/${made.body.data.id}`
})

/**
 * Returns the CPU time of the server's main thread. Unlike wall time, it does not depend on how busy the machine is.
 */
function busyMs(): number {
  const [onCpuNs] = readFileSync(`/proc/${server.pid}/task/${server.pid}/schedstat`, 'utf8').split(' ')
  return Number(onCpuNs) / 1e6
}

/** Returns the longest CPU time of the main thread before it answers a trivial request during an attack. */
async function longestDelayMs(attack: string): Promise<number> {
  const workerData = { attack, port: server.port, key: externalKey, name }
  const worker = new Worker(new URL('./live-attacks.mjs', import.meta.url), { workerData })
  let isOver = false
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  }).finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const before = busyMs()
    expect(await statusOf(`${server.url}/livez`)).toBe(200)
    longest = Math.max(longest, busyMs() - before)
  }
  await ended
  return longest
}

test
  .skipIf(process.platform !== 'linux')
  .for(['unfinishedFrames', 'refusedName', 'hiddenState', 'hiddenMap', 'garbled'])(
  'the attack %s holds up nobody, leaves the document as it was and no stack in the log',
  async (attack) => {
    expect(await longestDelayMs(attack)).toBeLessThan(MAX_DELAY_MS)
    const { body } = await server.client().get(`/blueprints/${name.slice('blueprint/'.length)}`)
    expect(body.data.markdown_content).toMatch(/^hello\n/)
    expect(server.stderr()).not.toContain('    at ')
  },
)
