import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { startServer, stopAll } from '../processes.mjs'
import { markdown, randomSource } from '../words.mjs'

/**
 * Measures the editor of documents in Chromium: how long a letter takes to show in 50 KB of text, how long 1 MB takes to
 * open, and how soon five people who type at once see the same text. Also tells the processor time of the page, which a
 * busy machine disturbs less than the clock.
 */

const root = join(import.meta.dirname, '..', '..')
const { openBrowser } = (await runnerImport(join(root, 'server', 'test', 'browser.ts'))).module
const EMAIL = 'bench@example.org'
const LETTERS = 150
const PEOPLE = 5
/** A long document has more. */
const BLOCKS = 100

const at = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]

async function signedIn(browser, { origin }, password) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const answer = await context.request.post(`${origin}/v2/app-api/session`, { data: { email: EMAIL, password } })
  if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}: ${await answer.text()}`)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  /** The processor time of the page's main thread so far, in milliseconds. */
  const workedMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000
  }
  return { page, workedMs, close: () => context.close() }
}

async function addDocument(server, title, markdown_content) {
  const body = { title, document_type: 'FEATURE', markdown_content }
  const { data } = await server.call('POST', '/v2/external-api/requirements', body)
  return data.id
}

const settled = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))))

/**
 * Goes from a short document to a long one, and returns how long it took until the text was there and the page idle. The
 * address of the module alone would open the last document by itself.
 */
async function open({ page, workedMs }, server, project, from, id) {
  await page.goto(`${server.origin}/p/${project}/requirements/${from}`)
  await page.waitForFunction(() => document.querySelector('.document')?.childElementCount > 1)
  await settled(page)
  const before = await workedMs()
  const startedAt = performance.now()
  await page.locator(`[role="treeitem"] a[href$="${id}"]`).click()
  await page.waitForFunction((many) => document.querySelector('.document')?.childElementCount > many, BLOCKS)
  await settled(page)
  return { tookMs: performance.now() - startedAt, cpuMs: (await workedMs()) - before }
}

/** Types letters at the end of a paragraph, and returns how long each took from the key to the frame that shows it. */
async function type({ page, workedMs }) {
  await page.locator('.document p').nth(20).click()
  await page.keyboard.press('End')
  await page.waitForTimeout(500)
  const before = await workedMs()
  const delays = []
  for (let i = 0; i < LETTERS; i++) {
    await page.evaluate(() => {
      window.shown = new Promise((resolve) => {
        const start = ({ timeStamp }) => {
          const observer = new MutationObserver(() => {
            observer.disconnect()
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
          })
          observer.observe(document.querySelector('.document'), { subtree: true, characterData: true, childList: true })
        }
        addEventListener('keydown', start, { capture: true, once: true })
      })
    })
    await page.keyboard.press(i % 6 === 5 ? 'Space' : 'abcde'[i % 5])
    delays.push(await page.evaluate(() => window.shown))
  }
  return { delays, cpuMs: ((await workedMs()) - before) / LETTERS }
}

/** Everyone types in a paragraph of their own. Returns how long after the last letter all had the same text. */
async function together(people, server, project, id) {
  for (const [index, { page }] of people.entries()) {
    await page.goto(`${server.origin}/p/${project}/requirements/${id}`)
    await page.waitForFunction(() => document.querySelector('.document')?.childElementCount > 1)
    await page.locator('.document > p').nth(index).click()
    await page.waitForTimeout(300)
    await page.keyboard.press('End')
  }
  await Promise.all(people.map(({ page }, index) => page.keyboard.type(` typed by ${index}`.repeat(4), { delay: 60 })))
  const finishedAt = performance.now()
  const textOf = ({ page }) =>
    page.evaluate(() =>
      [...document.querySelectorAll('.document > *')]
        .map((one) => one.cloneNode(true))
        .map((one) => {
          for (const cursor of one.querySelectorAll('.cursor')) cursor.remove()
          return one.textContent
        })
        .join('\n'),
    )
  for (;;) {
    const texts = await Promise.all(people.map(textOf))
    const isComplete = people.every((_, index) => texts[0].includes(` typed by ${index}`.repeat(4)))
    if (isComplete && texts.every((text) => text === texts[0])) return performance.now() - finishedAt
    if (performance.now() - finishedAt > 30_000) throw new Error('The five have not come to the same text within 30 s.')
  }
}

async function main() {
  for (const part of ['server', 'web'])
    execFileSync(process.execPath, [join(root, part, 'build.mjs')], { stdio: 'inherit' })
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  // The embedded PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  const browser = await openBrowser()
  try {
    const server = await startServer(join(folder, 'editor'), [])
    await server.admin('user', 'add', '--email', EMAIL, '--name', 'Bench')
    await server.admin('member', 'add', '--project', 'My project', '--email', EMAIL, '--role', 'editor')
    const { password } = await server.admin('user', 'reset-password', '--email', EMAIL)
    const random = randomSource(7)
    const middle = await addDocument(server, 'Middle', markdown(random, 50_000))
    const large = await addDocument(server, 'Large', markdown(random, 1_000_000))
    const shared = await addDocument(server, 'Shared', `${'A paragraph of some words.\n\n'.repeat(PEOPLE)}\n`)
    const one = await signedIn(browser, server, password)
    await one.page.goto(server.origin)
    await one.page.waitForURL(/\/p\//)
    const project = new URL(one.page.url()).pathname.split('/')[2]
    await open(one, server, project, shared, middle)
    const { delays, cpuMs } = await type(one)
    const first = await open(one, server, project, shared, large)
    const again = await open(one, server, project, shared, large)
    const people = [one]
    while (people.length < PEOPLE) people.push(await signedIn(browser, server, password))
    const stepMs = await together(people, server, project, shared)

    console.log(`Load average at the end: ${os.loadavg()[0].toFixed(1)} on ${os.availableParallelism()} cores\n`)
    console.log('| measured | value | goal | |\n| --- | --- | --- | --- |')
    const line = (name, value, goal) =>
      console.log(
        `| ${name} | ${value.toFixed(1)} | ${goal ?? ''} | ${goal ? (value <= goal ? 'met' : 'missed') : ''} |`,
      )
    line('50 KB: a letter until it shows, ms (50%)', at(delays, 0.5))
    line('50 KB: a letter until it shows, ms (95%)', at(delays, 0.95), 30)
    line('50 KB: processor time of the page for a letter, ms', cpuMs)
    line('1 MB: opened the first time, ms', first.tookMs, 2_000)
    line('1 MB: processor time of the page, ms', first.cpuMs)
    line('1 MB: opened again, ms', again.tookMs, 2_000)
    line(`${PEOPLE} people: in step after the last letter, ms`, stepMs, 1_000)
  } finally {
    await browser.close()
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
