import { expect, it } from 'vitest'
import { endReaders, ReaderLostError, readInThread } from './reader.ts'

/** What `reader-thread.ts` does with a generator, in a module that needs no build. */
const source = `
  import { parentPort, workerData } from 'node:worker_threads'
  const note = (where) => parentPort.postMessage({ is: 'call', name: 'note', args: [where] })
  async function* read() {
    for (const one of workerData.portions) {
      note(one)
      if (one === 'spin') for (;;);
      if (one === 'fill') { const all = []; for (;;) all.push(new Array(1000).fill(1)) }
      if (one === 'buffers') { const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1)) }
      const answer = yield one
      if (answer) yield 'answered ' + answer
    }
  }
  const portions = read()
  parentPort.on('message', async ({ id, args: [answer] }) =>
    parentPort.postMessage({ is: 'answer', id, value: await portions.next(answer) }))`

const module = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
const LONG_MS = 60_000

const open = (portions: string[], limits = {}) =>
  readInThread<string>(module, { portions }, { portionMs: LONG_MS, totalMs: LONG_MS, maxHeapMb: 32, ...limits })

async function all(portions: AsyncIterable<string>): Promise<string[]> {
  const seen: string[] = []
  for await (const portion of portions) seen.push(portion)
  return seen
}

it('reads one portion after the other', async () => {
  expect(await all(open(['one', 'two']))).toEqual(['one', 'two'])
})

it('gives the thread an answer to a portion', async () => {
  const portions = open(['one'])
  expect(await portions.next()).toMatchObject({ value: 'one' })
  expect(await portions.next('yes')).toMatchObject({ value: 'answered yes' })
  expect(await portions.next()).toMatchObject({ done: true })
})

it('ends a thread that takes too long for a portion, and names what it read', async () => {
  const lost = await all(open(['one', 'spin'], { portionMs: 1_000 })).catch((err) => err)
  expect(lost).toBeInstanceOf(ReaderLostError)
  expect(lost).toMatchObject({ reason: 'time', where: 'spin' })
})

it('ends a thread that takes too long for all portions', async () => {
  const lost = await all(open(['one', 'spin'], { totalMs: 1_000 })).catch((err) => err)
  expect(lost).toMatchObject({ reason: 'time', where: 'spin' })
})

it('survives a thread that needs too much memory, and names what it read', async () => {
  const lost = await all(open(['one', 'fill'])).catch((err) => err)
  expect(lost).toMatchObject({ reason: 'memory', where: 'fill' })
})

it('ends a thread that takes memory outside its heap', async () => {
  const lost = await all(open(['one', 'buffers'], { maxGrowthMb: 200 })).catch((err) => err)
  expect(lost).toMatchObject({ reason: 'memory', where: 'buffers' })
})

it('ends all threads when the process stops', async () => {
  const portions = open(['one', 'spin'])
  await portions.next()
  const waiting = portions.next()
  endReaders()
  await expect(waiting).rejects.toMatchObject({ status: 503, code: 'stopping' })
})
