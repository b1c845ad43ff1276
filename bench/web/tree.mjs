import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { startServer, stopAll } from '../processes.mjs'

/**
 * Measures the tree of 5,000 documents in Chromium: what opening it costs the main thread, what each frame costs while it
 * is scrolled from end to end, and how soon a key moves the focus. Processor time, so that other work on the machine
 * does not count.
 */
const root = join(import.meta.dirname, '..', '..')
const { openBrowser } = (await runnerImport(join(root, 'server', 'test', 'browser.ts'))).module
const NODES = 5_000
const EMAIL = 'bench@example.org'
const STEP_PX = 300
const PRESSES = 40

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const at = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]

/** Ten parents in each category that can be written, and the rest below them. */
async function addDocuments(server) {
  const post = async (body) => (await server.call('POST', '/v2/external-api/blueprints', body)).data.id
  const { items } = await server.call('GET', '/v2/external-api/blueprints/categories')
  const parents = []
  for (const { id } of items.filter(({ locked }) => !locked))
    for (let i = 0; i < 10; i++) parents.push(await post({ title: `Part ${parents.length}`, category_id: id }))
  for (let done = parents.length; done < NODES; done += 8)
    await Promise.all(
      Array.from({ length: Math.min(8, NODES - done) }, (_, i) =>
        post({
          title: `Component ${done + i} of the payment service`,
          parent_id: parents[(done + i) % parents.length],
        }),
      ),
    )
  return parents
}

/** Processor time of the main thread so far, in milliseconds. */
async function spent(client) {
  const { metrics } = await client.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000
}

async function main() {
  for (const part of ['server', 'web'])
    execFileSync(process.execPath, [join(root, part, 'build.mjs')], { stdio: 'inherit' })
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  // The embedded PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  const browser = await openBrowser()
  try {
    const server = await startServer(join(folder, 'tree'), [])
    const parents = await addDocuments(server)
    await server.admin('user', 'add', '--email', EMAIL, '--name', 'Bench')
    await server.admin('member', 'add', '--project', 'My project', '--email', EMAIL, '--role', 'editor')
    const { password } = await server.admin('user', 'reset-password', '--email', EMAIL)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const session = await context.request.post(`${server.origin}/v2/app-api/session`, {
      data: { email: EMAIL, password },
    })
    const [project] = (await session.json()).data.projects
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Performance.enable', { timeDomain: 'threadTicks' })
    // Everything is open, as after a long day.
    await page.addInitScript(
      ([name, ids]) => localStorage.setItem(name, ids),
      [`slipway-tree-${project.id}-blueprints`, parents.join()],
    )
    await page.goto(`${server.origin}/p/${project.id}/work-orders`)
    await page.getByRole('link', { name: /Blueprints/ }).waitFor()
    const answer = await context.request.get(`${server.origin}/v2/app-api/blueprints/tree?project_id=${project.id}`)
    const started = performance.now()
    await context.request.get(`${server.origin}/v2/app-api/blueprints/tree?project_id=${project.id}`)
    const answered = performance.now() - started
    const before = await spent(client)
    await page.getByRole('link', { name: /Blueprints/ }).click()
    await page
      .getByRole('treeitem', { name: /Component/ })
      .first()
      .waitFor()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })))
    const opening = (await spent(client)) - before

    const total = await page.getByRole('tree').evaluate((tree) => tree.scrollHeight)
    const frames = []
    for (let top = 0; top < total && frames.length < 400; top += STEP_PX) {
      const from = await spent(client)
      await page.getByRole('tree').evaluate(
        (tree, to) =>
          new Promise((resolve) => {
            tree.scrollTop = to
            requestAnimationFrame(() => requestAnimationFrame(resolve))
          }),
        top,
      )
      frames.push((await spent(client)) - from)
    }
    await page.getByRole('tree').focus()
    await page.keyboard.press('Home')
    const keys = []
    for (let i = 0; i < PRESSES; i++) {
      const from = await spent(client)
      await page.keyboard.press('ArrowDown')
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      keys.push((await spent(client)) - from)
    }
    console.log(`Load average before the end: ${os.loadavg()[0].toFixed(1)} on ${os.availableParallelism()} cores\n`)
    console.log(`| ${NODES} documents | ms |\n| --- | --- |`)
    console.log(
      `| answer of the server (${((await answer.body()).length / 1024).toFixed(0)} KB), elapsed | ${answered.toFixed(0)} |`,
    )
    console.log(`| opening the module, main thread | ${opening.toFixed(0)} |`)
    console.log(`| one frame while scrolling, main thread (50%) | ${median(frames).toFixed(1)} |`)
    console.log(`| one frame while scrolling, main thread (95%) | ${at(frames, 0.95).toFixed(1)} |`)
    console.log(`| one key in the tree, main thread (95%) | ${at(keys, 0.95).toFixed(1)} |`)
  } finally {
    await browser.close()
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
