import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { eventually } from '../../../test/harness.ts'
import { ThreadCrashError, ThreadDeadlineError } from './failures.ts'
import { createPool } from './pool.ts'

const source = `
  import { threadId } from 'node:worker_threads'
  export const double = (number) => number * 2
  export const fail = (message) => { throw new RangeError(message) }
  export const spin = () => { for (;;); }
  export const die = () => process.exit(3)
  export const fillMemory = () => { const all = []; for (;;) all.push(new Array(1000).fill(1)) }
  export const whoAmI = async () => { await new Promise((resolve) => setTimeout(resolve, 20)); return threadId }`

const module = `data:text/javascript,${encodeURIComponent(source)}`
const other = `${module}//`
const LONG_MS = 20_000

/** Returns a pool whose threads run the functions of the module above. */
function open(options: Parameters<typeof createPool>[0] = { size: 1 }) {
  const pool = createPool({ maxHeapMb: 32, ...options })
  return (
    name: string,
    input: unknown = null,
    { project = 'one', deadlineMs = LONG_MS, of = module, maxThreads = 9 } = {},
  ) => pool.run(project, { module: of, name, input, maxThreads }, deadlineMs)
}

it('returns the result of the task', async () => {
  expect(await open()('double', 21)).toBe(42)
})

it('rejects with the error of the task, and continues', async () => {
  const run = open()
  await expect(run('fail', 'not today')).rejects.toMatchObject({ name: 'RangeError', message: 'not today' })
  expect(await run('double', 1)).toBe(2)
})

it('stops a task at its deadline and runs the next in a new thread', async () => {
  const run = open()
  const before = await run('whoAmI')
  const spinning = run('spin', null, { deadlineMs: 100 })
  const next = run('whoAmI')
  await expect(spinning).rejects.toBeInstanceOf(ThreadDeadlineError)
  expect(await next).not.toBe(before)
})

it('refuses a task that waits too long, without stopping the one that runs', async () => {
  const run = open()
  const running = run('whoAmI')
  await expect(run('double', 1, { deadlineMs: 1 })).rejects.toMatchObject({ status: 503, code: 'busy' })
  expect(await running).toBeGreaterThan(0)
})

it('counts the time in a thread only, not the time that a task waits for one', async () => {
  const run = open()
  const spinning = run('spin', null, { deadlineMs: 300 }).catch((err) => err)
  const next = run('spin', null, { deadlineMs: 400 }).catch((err) => err)
  expect(await spinning).toBeInstanceOf(ThreadDeadlineError)
  const begun = performance.now()
  expect(await next).toBeInstanceOf(ThreadDeadlineError)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(390)
})

it('answers a failure of a thread with a 503, never as a defect', async () => {
  const run = open()
  await expect(run('spin', null, { deadlineMs: 50 })).rejects.toMatchObject({ status: 503, code: 'timeout' })
  await expect(run('die')).rejects.toMatchObject({ status: 503, code: 'timeout' })
})

it('rejects a task whose thread exits, and replaces the thread', async () => {
  const run = open()
  await expect(run('die')).rejects.toBeInstanceOf(ThreadCrashError)
  await expect(run('fillMemory')).rejects.toBeInstanceOf(ThreadCrashError)
  expect(await run('double', 4)).toBe(8)
})

it('gives a project half of the threads and queues its other tasks', async () => {
  const run = open({ size: 4 })
  const seen = await Promise.all(Array.from({ length: 8 }, () => run('whoAmI')))
  expect(new Set(seen).size).toBe(2)
})

it('lets projects take turns, however much one of them has waiting', async () => {
  const run = open({ size: 1 })
  const order: string[] = []
  const ask = (project: string) => run('whoAmI', null, { project }).then(() => order.push(project))
  const greedy = Array.from({ length: 6 }, () => ask('greedy'))
  await Promise.all([...greedy, ask('modest'), ask('other')])
  expect(order.slice(0, 4)).toEqual(['greedy', 'greedy', 'modest', 'other'])
})

it('starts the task of another project at once while one project occupies its share', async () => {
  const run = open({ size: 2 })
  const spinning = [1, 2, 3].map(() => run('spin', null, { deadlineMs: 3_000 }).catch(() => 'stopped'))
  const first = await Promise.race([run('double', 2, { project: 'other' }), ...spinning])
  expect(first).toBe(4)
  await Promise.all(spinning)
})

it('limits the threads that load a module, and lets tasks of other modules pass', async () => {
  const run = open({ size: 4 })
  const held = [1, 2, 3].map((project) => run('whoAmI', null, { project: String(project), maxThreads: 1 }))
  const passing = await run('whoAmI', null, { of: other })
  const [first, ...rest] = await Promise.all(held)
  expect(rest).toEqual([first, first])
  expect(passing).not.toBe(first)
})

it('prefers a thread that has loaded the module', async () => {
  const run = open({ size: 2 })
  const loaded = await run('whoAmI')
  await run('whoAmI', null, { of: other })
  for (let times = 0; times < 3; times++) expect(await run('whoAmI')).toBe(loaded)
})

it('refuses tasks of a project whose queue is full, and accepts those of others', async () => {
  const run = open({ size: 1, maxWaiting: 1 })
  const accepted = [run('whoAmI'), run('whoAmI')]
  await expect(run('whoAmI')).rejects.toMatchObject({ status: 503, code: 'busy', headers: { 'retry-after': '5' } })
  await Promise.all([...accepted, run('whoAmI', null, { project: 'other' })])
})

it('ends a thread that has been idle for long, never one that is busy', async () => {
  const run = open({ size: 1, idleMs: 5 })
  await run('double', 1)
  const before = await run('whoAmI')
  await eventually(async () => (await run('whoAmI')) !== before)
})

it('rejects a value that cannot be cloned, and continues', async () => {
  const run = open()
  await expect(run('double', () => 1)).rejects.toThrow('could not be cloned')
  expect(await run('double', 2)).toBe(4)
})

it('does not keep the process alive when idle', async () => {
  const compiled = new URL('../../../dist/kernel/threads/pool.js', import.meta.url).href
  const program = `
    import { createPool } from ${JSON.stringify(compiled)}
    await createPool().run('one', { module: ${JSON.stringify(module)}, name: 'double', input: 1, maxThreads: 1 }, 20000)`
  const process = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  expect(await once(process, 'exit')).toEqual([0])
})
