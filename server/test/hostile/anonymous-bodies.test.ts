import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listen, type Talk, talk } from '../../src/kernel/http/clients/socket.factory.ts'
import { settingsWith } from '../../src/product/conversations/turns/agent.factory.ts'
import { createWorkOrder } from '../../src/product/work-orders/work-order.factory.ts'
import { eventually, openWorkspace, type Workspace } from '../harness.ts'

const MB = 1024 * 1024
const BODY_MEMORY_BYTES = 48 * MB
const CHUNK = Buffer.alloc(64 * 1024, ' ')
/** Bodies of 1 MB each, which together are twice as long as the memory for bodies. */
const AT_ONCE = 96

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

let ws: Workspace
let port: number
/** Every route of every API, with a value for each parameter. */
const routes = new Map<string, { method: string; path: string }>()
beforeAll(async () => {
  ws = await openWorkspace({
    bodyMemoryBytes: BODY_MEMORY_BYTES,
    settings: settingsWith({ secretKey: () => Promise.resolve('k'.repeat(40)) }),
    onRoute({ method, url }: RouteOptions) {
      const path = url.replace(/:\w+/g, () => randomUUID()).replace('*', 'x')
      for (const one of [method].flat()) routes.set(`${one} ${url}`, { method: one, path })
    },
  })
  for (const method of ['POST', 'GET']) routes.set(`${method} /sign-in`, { method, path: '/sign-in' })
  port = await listen(ws.app)
})
afterAll(() => ws.close())

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain']

function begin({ method, path }: { method: string; path: string }, headers: Record<string, string>): Talk {
  const one = talk(port)
  onTestFinished(() => void one.socket.destroy())
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  one.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return one
}

async function each<T>(all: Iterable<T>, run: (one: T) => Promise<void>) {
  const left = [...all]
  const next = async () => {
    for (let one = left.shift(); one; one = left.shift()) await run(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

/** What the bodies that the server holds occupy. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

const isOver = (one: Talk) => one.isClosed() || /^HTTP\/1\.1 [2-5]/.test(one.said())

describe('without a key, every route', () => {
  it('answers before a body that it need not read arrives, whatever its type', { timeout: 300_000 }, async () => {
    expect(routes.size).toBeGreaterThan(400)
    const unanswered: string[] = []
    const requests = [...routes].flatMap(([name, route]) => TYPES.map((type) => ({ name, route, type })))
    await each(requests, async ({ name, route, type }) => {
      const one = begin(route, { 'content-type': type, 'content-length': String(MB) })
      one.socket.write('{')
      await eventually(() => isOver(one), 10_000).catch(() => unanswered.push(`${name} (${type})`))
      one.socket.destroy()
    })
    expect(unanswered).toEqual([])
  })

  it('holds next to nothing of bodies that never end, in one piece or in many', { timeout: 300_000 }, async () => {
    const before = heldBytes()
    const greedy: string[] = []
    let [walked, most] = [0, 0]
    await each(routes, async ([name, route]) => {
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
      const one = begin(route, headers)
      for (let sent = 0; sent < 16 && !isOver(one); sent++) {
        one.socket.write(`${CHUNK.length.toString(16)}\r\n`)
        one.socket.write(CHUNK)
        one.socket.write('\r\n')
        await new Promise(setImmediate)
      }
      await eventually(() => isOver(one), 10_000).catch(() => greedy.push(name))
      if (++walked % AT_ONCE === 0) most = Math.max(most, heldBytes())
      one.socket.destroy()
    })
    expect(greedy).toEqual([])
    expect((most - before) / MB).toBeLessThan(BODY_MEMORY_BYTES / MB)
    await eventually(() => heldBytes() - before < 4 * MB)
  })
})

describe('bodies at a receiver whose address became known', () => {
  const head = (length: number) => ({
    'content-type': 'application/json',
    'content-length': String(length),
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
  })
  async function receiver() {
    const { api } = (await ws.project()).admin
    const made = await api.post('/code_hosts', { kind: 'github', name: 'shop' })
    return { method: 'POST', path: new URL(made.body.data.code_host.url).pathname }
  }

  it('occupy their share of memory and no more, and others go on', async () => {
    const target = await receiver()
    const { api } = (await ws.project()).admin
    const workOrder = await createWorkOrder(api)
    const before = heldBytes()
    const many = Array.from({ length: 60 }, () => begin(target, head(5 * MB)))
    for (const one of many) for (let sent = 0; sent < 4 * MB; sent += CHUNK.length) one.socket.write(CHUNK)
    const refused = await eventually(() => {
      const answered = many.filter(isOver)
      return answered.length > 50 && answered
    })
    for (const one of refused) expect(await one.until(/in a moment/)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1/is)
    // The test's own chunks are one buffer, which is not counted again for each connection. What was refused is collected
    // in another thread, and leaves the count soon after.
    await eventually(() => heldBytes() - before < BODY_MEMORY_BYTES / 2)
    const markdown_content = 'x'.repeat(MB)
    expect((await api.patch(`/work_orders/${workOrder.id}/description`, { markdown_content })).status).toBe(200)
    for (const one of many) one.socket.destroy()
    await eventually(() => heldBytes() - before < 2 * MB)
    const again = begin(target, head(2 * MB))
    for (let sent = 0; sent < 2 * MB; sent += CHUNK.length) again.socket.write(CHUNK)
    expect(await again.until(/bad_signature/)).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('that come in single bytes occupy no more than their bytes', async () => {
    const target = await receiver()
    const before = process.memoryUsage()
    const { 'content-length': _, ...headers } = head(0)
    const accepted = new Promise<Socket>((resolve) => void ws.app.server.once('connection', resolve))
    const one = begin(target, { ...headers, 'transfer-encoding': 'chunked' })
    const bytes = Buffer.from('1\r\n \r\n'.repeat(MB))
    one.socket.write(bytes)
    const server = await accepted
    await eventually(() => server.bytesRead > bytes.length)
    collectGarbage()
    const { heapUsed, arrayBuffers, external } = process.memoryUsage()
    const grown = heapUsed - before.heapUsed + (external - before.external) + (arrayBuffers - before.arrayBuffers)
    expect(grown / MB).toBeLessThan(24)
    expect(one.said()).toBe('')
  })
})
