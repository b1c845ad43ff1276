import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryOf, startServer, stopAll } from '../processes.mjs'

/**
 * Measures how long the server takes to sort a report without a model, including the database, in a project with 20,000
 * items in 2,000 themes: from the start of the run to its end, as the run records them. See README.md.
 */
const ITEMS = Number(process.env.ITEMS ?? 20_000)
const THEMES = Number(process.env.THEMES ?? 2_000)
const DECISIONS = 100
const AT_ONCE = 16
const API = '/v2/external-api'

const texts = ['wallet', 'service'].flatMap((name) =>
  readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#')),
)
const report = (index) => ({
  end_user_email: `customer${index}@example.com`,
  content: `${texts[(index * 7919) % texts.length]} (order ${index})`,
})

const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
try {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', '..', 'server', 'build.mjs')], { stdio: 'inherit' })
  await chmod(folder, 0o755)
  const server = await startServer(join(folder, 'data'), [])
  const call = (method, path, body) => server.call(method, API + path, body)
  const submit = (index) => server.call('POST', '/v2/reporting-api/feedback', report(index))

  const themes = []
  await inTurns(THEMES, async (index) => {
    const title = `${texts[index % texts.length]} ${index}`
    const theme = { title, description: title, type: 'improvement', priority: 'medium' }
    const { data } = await call('POST', '/feedback/themes', theme)
    themes[index] = data.id
  })
  await inTurns(ITEMS, submit)
  for (let page = 1; page <= ITEMS / 100; page++) {
    const { items } = await call('GET', `/feedback/items?page_size=100&page=${page}`)
    await inTurns(items.length, (index) =>
      call('POST', `/feedback/themes/${themes[(page * 100 + index) % THEMES]}/feedback_links`, {
        feedback_item_id: items[index].id,
      }),
    )
  }
  console.log(`${ITEMS} items in ${THEMES} themes`)

  const triage = (await call('GET', '/automations')).items.find((one) => one.name === 'Feedback triage')
  await call('PATCH', `/automations/${triage.id}`, { enabled: true })
  const runs = (count) => call('GET', `/automations/${triage.id}/runs?page_size=${count}`)
  const took = ({ started_at, completed_at }) => Date.parse(completed_at) - Date.parse(started_at)
  /** Polls rarely and cheaply, because the process that sorts also answers. */
  const ended = async (count) => {
    for (;;) {
      const { items, total } = await runs(1)
      if (total === count && items[0].completed_at !== null) return items[0]
      await delay(50)
    }
  }
  const before = await memoryOf(server.pid)
  const others = askMeanwhile(() => call('GET', '/feedback/items?page_size=10'))
  await submit(ITEMS)
  const first = await ended(1)
  const waits = await others.stop()
  const after = await memoryOf(server.pid)
  console.log(`first run, which reads all texts once: ${(took(first) / 1000).toFixed(1)} s, ${first.status}`)
  console.log(
    `others meanwhile: ${waits.length} requests, median ${at(waits, 0.5)} ms, 99th percentile ${at(waits, 0.99)} ms, longest ${at(waits, 1)} ms`,
  )
  console.log(`memory: ${Math.round(before.now)} MB before, ${Math.round(after.now)} MB after`)
  for (let index = 1; index < DECISIONS; index++) {
    await submit(ITEMS + index)
    await ended(index + 1)
  }
  const last = (await runs(DECISIONS)).items.filter((one) => one.id !== first.id)
  const times = last.map(took)
  const statuses = [...new Set(last.map((one) => one.status))].join(', ')
  console.log(
    `${times.length} runs (${statuses}): median ${at(times, 0.5)} ms, 95th percentile ${at(times, 0.95)} ms (goal 20)`,
  )
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}

/** Sends one request after the other, like one more user, until it is stopped. Returns how long each took. */
function askMeanwhile(ask) {
  const times = []
  let isStopped = false
  const asking = (async () => {
    while (!isStopped) {
      const from = performance.now()
      await ask()
      times.push(Math.round(performance.now() - from))
      await delay(10)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await asking
      return times
    },
  }
}

function at(times, share) {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

async function inTurns(count, run) {
  let next = 0
  const keepOn = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepOn))
}
