import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startServer, stopAll } from '../processes.mjs'

/**
 * How long the server takes to sort a report without a model, with all that the database has to do for it, in a project
 * with 20,000 items in 2,000 themes: from the beginning of the run to its end, as the run itself says. See README.md.
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
  const runs = async () => (await call('GET', `/automations/${triage.id}/runs?page_size=100`)).items
  const took = ({ started_at, completed_at }) => Date.parse(completed_at) - Date.parse(started_at)
  const ended = async (count) => {
    for (;;) {
      const all = (await runs()).filter((one) => one.completed_at !== null)
      if (all.length >= count) return all
      await delay(20)
    }
  }
  await submit(ITEMS)
  const [first] = await ended(1)
  console.log(`first run, which reads all texts once: ${(took(first) / 1000).toFixed(1)} s, ${first.status}`)
  for (let index = 1; index < DECISIONS; index++) {
    await submit(ITEMS + index)
    await ended(index + 1)
  }
  const last = (await ended(DECISIONS)).filter((one) => one.id !== first.id)
  const times = last.map(took).sort((one, other) => one - other)
  const statuses = [...new Set(last.map((one) => one.status))].join(', ')
  console.log(
    `${times.length} runs (${statuses}): median ${times[times.length >> 1]} ms, 95th percentile ${times[Math.floor(times.length * 0.95)]} ms (goal 20)`,
  )
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}

async function inTurns(count, run) {
  let next = 0
  const keepOn = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepOn))
}
