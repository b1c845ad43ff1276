import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { startServer, stopAll } from './processes.mjs'
import { API } from './seed.mjs'
import { markdown, randomSource } from './words.mjs'

/**
 * Measures how long the requests of one project take while another project changes 14 documents of 1.9 million
 * characters at once. Goal: a p99 of 200 ms.
 */

const DOCUMENTS = 14
const CHARACTERS = 1_900_000
const ROUNDS = 3
const GOAL_MS = 200

const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
await chmod(folder, 0o755)
const random = randomSource(5)

try {
  const server = await startServer(join(folder, 'data'), [])
  const { id: project } = await server.admin('project', 'add', '--name', 'Neighbour')
  const email = (await server.admin('user', 'list')).at(0).email
  await server.admin('member', 'add', '--project', project, '--email', email, '--role', 'editor')
  const { key } = await server.admin('key', 'add', '--kind', 'external', '--project', project, '--email', email)

  /** Asks as the neighbour and returns how long it took. */
  async function ask(method, path, body) {
    const begun = performance.now()
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const res = await fetch(server.origin + API + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await res.json()
    if (!res.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return { ms: performance.now() - begun, answer }
  }
  let requests = 0
  const create = () =>
    ask('POST', '/work_orders/batch_create', {
      request_id: `neighbour ${++requests}`,
      operations: [{ operation_id: 'o', operation_type: 'CreateWorkOrder', patch: { title: 'Beside' } }],
    })
  const { work_order_id: id } = (await create()).answer.results.o

  /** Repeats both requests until the other work has ended. */
  async function measure(work) {
    const times = { GET: [], POST: [] }
    let isOver = false
    const working = work().finally(() => {
      isOver = true
    })
    const repeat = async (into, run) => {
      while (!isOver) into.push((await run()).ms)
    }
    await Promise.all([working, repeat(times.GET, () => ask('GET', `/work_orders/${id}`)), repeat(times.POST, create)])
    return times
  }

  const paths = []
  for (let count = 0; count < DOCUMENTS; count++) {
    const content = `Needle\n\n${markdown(random, CHARACTERS).slice(0, CHARACTERS)}`
    const { data } = await server.call('POST', `${API}/blueprints`, { title: 'Large', markdown_content: content })
    paths.push(`${API}/blueprints/${data.id}`)
  }
  const idle = await measure(() => new Promise((resolve) => setTimeout(resolve, 3_000)))
  const beside = { GET: [], POST: [] }
  let refused = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const times = await measure(() =>
      Promise.all(
        paths.map((path) =>
          server
            .call('POST', `${path}/apply_suggestion`, { old_text: 'Needle', new_text: `Thread ${round}` })
            // A slow machine stops some after 20 s. They were work all the same.
            .catch(() => refused++),
        ),
      ),
    )
    for (const method of ['GET', 'POST']) beside[method].push(...times[method])
    for (const path of paths) await server.call('POST', `${path}/suggestions/reject_all`)
  }

  const percentile = (times, part) => times.sort((a, b) => a - b)[Math.floor((times.length - 1) * part)].toFixed(0)
  console.log(
    `Load average ${os.loadavg()[0].toFixed(1)}; ${refused} of ${DOCUMENTS * ROUNDS} changes were refused as too slow\n`,
  )
  console.log('| request | alone p50, p99 ms | beside p50, p99, longest ms | requests | goal p99 200 ms |')
  console.log('| --- | --- | --- | --- | --- |')
  for (const method of ['GET', 'POST']) {
    const [alone, times] = [idle[method], beside[method]]
    const verdict = Number(percentile(times, 0.99)) <= GOAL_MS ? 'met' : 'missed'
    console.log(
      `| ${method} | ${percentile(alone, 0.5)}, ${percentile(alone, 0.99)} | ${percentile(times, 0.5)}, ` +
        `${percentile(times, 0.99)}, ${percentile(times, 1)} | ${times.length} | ${verdict} |`,
    )
  }
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
