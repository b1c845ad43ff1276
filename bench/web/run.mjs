import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { startServer, stopAll } from '../processes.mjs'

/**
 * Measures the web app in Chromium on the demo project: what the first screen loads, when it is painted and usable, how
 * much it shifts, how long a key press takes to show its effect, and how smoothly 10,000 work orders scroll.
 */

const root = join(import.meta.dirname, '..', '..')
const { openBrowser } = (await runnerImport(join(root, 'server', 'test', 'browser.ts'))).module
const LOADS = 5
const PRESSES = 30
const ROWS = 10_000
const EMAIL = 'bench@example.org'
const FIRST_SCREEN = 'a[href*="/work-orders/"]'

const BUDGETS = {
  'JavaScript of the first screen, KB gzipped': 220,
  'first contentful paint, ms': 1_000,
  'usable, ms': 1_500,
  'layout shift': 0,
  'key press to effect, ms (95%)': 50,
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const at = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]

/** Adds a person to a project, and returns the password. */
async function addPerson(server, project) {
  await server.admin('user', 'add', '--email', EMAIL, '--name', 'Bench')
  await server.admin('member', 'add', '--project', project, '--email', EMAIL, '--role', 'editor')
  return (await server.admin('user', 'reset-password', '--email', EMAIL)).password
}

/** A browser context with an empty cache that carries the session of the person. */
async function signedIn(browser, { origin }, password) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const answer = await context.request.post(`${origin}/v2/app-api/session`, { data: { email: EMAIL, password } })
  if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}: ${await answer.text()}`)
  return context
}

/** Runs in the page: adds up the layout shifts from the first moment on. */
function watch() {
  window.bench = { shift: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.bench.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Opens the first screen with an empty cache. */
async function load(browser, server, password) {
  const context = await signedIn(browser, server, password)
  const page = await context.newPage()
  await page.addInitScript(watch)
  const scripts = new Set()
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
  await page.goto(server.origin)
  await page.waitForSelector(FIRST_SCREEN)
  // Usable: the rows are there, and the thread is free to answer a key.
  const usable = await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(() => resolve(performance.now()), { timeout: 5_000 })),
  )
  // What is loaded ahead while the browser idles is not part of the first screen.
  const needed = [...scripts]
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime)
  // What arrives late could still shift the page.
  await page.waitForTimeout(1_000)
  const shift = await page.evaluate(() => window.bench.shift)
  return { context, page, needed, scripts, usable, paint, shift }
}

/** The compressed size of scripts, in KB. */
async function sizeOf(urls) {
  let bytes = 0
  for (const url of urls) {
    const answer = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    bytes += Number(answer.headers.get('content-length'))
  }
  return bytes / 1024
}

/** From a key to the frame after the row that it moves to has changed, in milliseconds. */
async function pressKeys(page) {
  await page.keyboard.press('j')
  const delays = []
  for (let i = 0; i < PRESSES; i++) {
    await page.evaluate(() => {
      window.bench.pressed = new Promise((resolve) => {
        addEventListener(
          'keydown',
          ({ timeStamp }) => {
            const observer = new MutationObserver(() => {
              observer.disconnect()
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
            })
            observer.observe(document.body, { subtree: true, attributes: true, childList: true })
          },
          { capture: true, once: true },
        )
      })
    })
    await page.keyboard.press(i % 2 ? 'k' : 'j')
    delays.push(await page.evaluate(() => window.bench.pressed))
  }
  return delays
}

/** Scrolls through the whole table and returns how long each frame took. */
const scroll = (page) =>
  page.evaluate(
    (selector) =>
      new Promise((resolve) => {
        let scroller = document.querySelector(selector)
        while (scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
        const frames = []
        let last
        const step = (now) => {
          if (last !== undefined) frames.push(now - last)
          last = now
          scroller.scrollTop += 240
          if (frames.length < 600 && scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1)
            requestAnimationFrame(step)
          else resolve(frames)
        }
        requestAnimationFrame(step)
      }),
    FIRST_SCREEN,
  )

/**
 * Runs something in the page, and returns its result with the milliseconds that the main thread worked meanwhile: in all,
 * and without painting, which a graphics card would take over in part.
 */
async function timed(page, run) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const worked = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const sum = (...names) =>
      metrics.reduce((all, { name, value }) => all + (names.includes(name) ? value * 1_000 : 0), 0)
    return { all: sum('TaskDuration'), ours: sum('ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration') }
  }
  const before = await worked()
  const result = await run()
  const after = await worked()
  return { result, work: after.all - before.all, ours: after.ours - before.ours }
}

async function addWorkOrders(server) {
  for (let done = 0; done < ROWS; done += 500) {
    const operations = Array.from({ length: 500 }, (_, i) => ({
      operation_id: String(i),
      operation_type: 'CreateWorkOrder',
      patch: {
        title: `Round the total of order ${done + i} once, after the discount`,
        status: ['backlog', 'ready', 'in_progress', 'in_review', 'completed'][(done + i) % 5],
        priority: ['low', 'medium', 'high', 'urgent'][(done + i) % 4],
      },
    }))
    await server.call('POST', '/v2/external-api/work_orders/batch_create', { request_id: `rows-${done}`, operations })
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
    process.env.SLIPWAY_DEMO = '1'
    const demo = await startServer(join(folder, 'demo'), [])
    const password = await addPerson(demo, 'Harbor Checkout')
    const loads = []
    for (let i = 0; i < LOADS; i++) {
      const one = await load(browser, demo, password)
      if (i < LOADS - 1) await one.context.close()
      loads.push(one)
    }
    const { page, needed, scripts } = loads.at(-1)
    const keys = await timed(page, () => pressKeys(page))
    const measured = {
      'JavaScript of the first screen, KB gzipped': await sizeOf(needed),
      'first contentful paint, ms': median(loads.map((one) => one.paint)),
      'usable, ms': median(loads.map((one) => one.usable)),
      'layout shift': Math.max(...loads.map((one) => one.shift)),
      'key press to effect, ms (95%)': at(keys.result, 0.95),
    }
    delete process.env.SLIPWAY_DEMO
    const large = await startServer(join(folder, 'large'), [])
    await addWorkOrders(large)
    const many = await load(browser, large, await addPerson(large, 'My project'))
    const scrolled = await timed(many.page, () => scroll(many.page))
    const frames = scrolled.result

    console.log(`Load average before the end: ${os.loadavg()[0].toFixed(1)} on ${os.availableParallelism()} cores\n`)
    console.log('| measured | value | budget | |\n| --- | --- | --- | --- |')
    for (const [name, budget] of Object.entries(BUDGETS)) {
      const value = measured[name]
      console.log(
        `| ${name} | ${value.toFixed(value < 1 ? 3 : 0)} | ${budget} | ${value <= budget ? 'met' : 'missed'} |`,
      )
    }
    console.log(`| with what is loaded ahead, KB gzipped | ${(await sizeOf(scripts)).toFixed(0)} | | |`)
    console.log(`| work of the main thread for a key press, ms | ${(keys.work / PRESSES).toFixed(1)} | | |`)
    console.log(`| ${ROWS} rows: usable, ms | ${many.usable.toFixed(0)} | | |`)
    for (const part of [0.5, 0.95, 0.99])
      console.log(
        `| ${ROWS} rows: frame while scrolling, ms (${part * 100}%) | ${at(frames, part).toFixed(1)} | 16.7 | |`,
      )
    const perFrame = (ms) => (ms / frames.length).toFixed(1)
    console.log(`| ${ROWS} rows: work of the main thread for a frame, ms | ${perFrame(scrolled.work)} | 16.7 | |`)
    console.log(`| ${ROWS} rows: of that script, style and layout, ms | ${perFrame(scrolled.ours)} | | |`)
  } finally {
    await browser.close()
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
