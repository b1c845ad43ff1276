import { expect, test } from 'vitest'
import { pacedFetch } from './paced-fetch.ts'

test('a large chunk is read in pieces, and others have a turn before each next one', async () => {
  const text = 'again '.repeat(20_000)
  const fetched = await pacedFetch(async () => new Response(text, { status: 203, headers: { 'x-model': 'large' } }))('')
  expect([fetched.status, fetched.headers.get('x-model')]).toEqual([203, 'large'])
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const sizes: number[] = []
  const seen: number[] = []
  const pieces: Uint8Array[] = []
  for await (const piece of fetched.body!) {
    sizes.push(piece.length)
    seen.push(turns)
    pieces.push(piece)
  }
  clearImmediate(next)
  expect(Buffer.concat(pieces).toString()).toBe(text)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4_096)
  expect(new Set(seen).size).toBe(sizes.length)
})

test('an answer without a body, or one that is given up, ends', async () => {
  expect((await pacedFetch(async () => new Response(null, { status: 204 }))('')).body).toBeNull()
  let cancelled = false
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => {
      cancelled = true
    },
  })
  const reader = (await pacedFetch(async () => new Response(endless))('')).body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(cancelled).toBe(true)
})
