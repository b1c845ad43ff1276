import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../../../test/harness.ts'
import { createThreads, ThreadCrashError, ThreadDeadlineError, type Threads } from './threads.ts'

const source = `
  import { threadId } from 'node:worker_threads'
  let calls = 0
  export const double = (number) => number * 2
  export const fail = (message) => { throw new RangeError(message) }
  export const spin = () => { for (;;); }
  export const die = () => process.exit(3)
  export const fillMemory = () => { const all = []; for (;;) all.push(new Array(1000).fill(1)) }
  export const whoAmI = async () => { await new Promise((resolve) => setTimeout(resolve, 20)); return threadId }
  export const wear = () => { calls++; return threadId }
  export const isWornOut = () => calls > 1`

interface Tasks {
  double(number: number): number
  fail(message: string): void
  spin(nothing: null): void
  die(nothing: null): void
  fillMemory(nothing: null): void
  whoAmI(nothing: null): Promise<number>
  wear(nothing: null): number
}

const module = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
const long = { deadlineMs: 20_000 }
let threads: Threads<Tasks>
const open = (size = 1, more: { idleMs?: number } = {}) => {
  threads = createThreads<Tasks>({ module, size, maxHeapMb: 32, ...more })
  return threads
}
afterEach(() => threads.close())

it('gives what the task returns', async () => {
  expect(await open().run('double', 21, long)).toBe(42)
})

it('rejects with what the task throws, and goes on', async () => {
  await expect(open().run('fail', 'not today', long)).rejects.toMatchObject({
    name: 'RangeError',
    message: 'not today',
  })
  expect(await threads.run('double', 1, long)).toBe(2)
})

it('stops a task at its deadline and runs the next in a new thread', async () => {
  const before = await open().run('whoAmI', null, long)
  const spinning = threads.run('spin', null, { deadlineMs: 100 })
  const next = threads.run('whoAmI', null, long)
  await expect(spinning).rejects.toBeInstanceOf(ThreadDeadlineError)
  expect(await next).not.toBe(before)
})

it('lets a task that waits too long expire without touching the one that runs', async () => {
  const running = open().run('whoAmI', null, long)
  await expect(threads.run('double', 1, { deadlineMs: 1 })).rejects.toBeInstanceOf(ThreadDeadlineError)
  expect(await running).toBeGreaterThan(0)
})

it('rejects a task whose thread ends under it, and replaces the thread', async () => {
  await expect(open().run('die', null, long)).rejects.toBeInstanceOf(ThreadCrashError)
  await expect(threads.run('fillMemory', null, long)).rejects.toBeInstanceOf(ThreadCrashError)
  expect(await threads.run('double', 4, long)).toBe(8)
})

it('uses as many threads as allowed and queues the rest in order', async () => {
  open(2)
  const seen = await Promise.all(Array.from({ length: 4 }, () => threads.run('whoAmI', null, long)))
  expect(new Set(seen).size).toBe(2)
})

it('replaces a thread that says it is worn out', async () => {
  open()
  const seen = [
    await threads.run('wear', null, long),
    await threads.run('wear', null, long),
    await threads.run('wear', null, long),
  ]
  expect(seen[1]).toBe(seen[0])
  expect(seen[2]).not.toBe(seen[0])
})

it('ends a thread that has had nothing to do for long, never one that is busy', async () => {
  open(1, { idleMs: 5 })
  await threads.run('double', 1, long)
  const before = await threads.run('whoAmI', null, long)
  await eventually(async () => (await threads.run('whoAmI', null, long)) !== before)
})

it('rejects what cannot be cloned, and goes on', async () => {
  open()
  await expect(threads.run('double', (() => 1) as never, long)).rejects.toThrow('could not be cloned')
  expect(await threads.run('double', 2, long)).toBe(4)
})

it('rejects what runs and what waits when it is closed', async () => {
  const running = open().run('spin', null, long)
  const waiting = threads.run('double', 1, long)
  const settled = Promise.allSettled([running, waiting])
  await threads.close()
  for (const one of await settled)
    expect(one).toMatchObject({ status: 'rejected', reason: { name: 'ThreadCrashError' } })
  await expect(threads.run('double', 1, long)).rejects.toBeInstanceOf(ThreadCrashError)
})

it('does not keep the process alive when idle', async () => {
  open()
  const compiled = new URL('../../../dist/kernel/threads/threads.js', import.meta.url).href
  const program = `
    import { createThreads } from ${JSON.stringify(compiled)}
    const threads = createThreads({ module: new URL(${JSON.stringify(module.href)}), size: 1 })
    await threads.run('double', 1, { deadlineMs: 20000 })`
  const process = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  expect(await once(process, 'exit')).toEqual([0])
})
