import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { slices } from '../../../app.ts'
import type { Slice } from '../../slice.ts'
import { createFolderStore } from '../../storage/index.ts'
import { openEventStream } from '../answers/event-stream.ts'
import { listen, talk } from '../clients/socket.factory.ts'
import type { Deadlines } from './deadlines.ts'

/** A large response and one that never ends. */
const answers: Slice = {
  name: 'answers',
  externalApi(face) {
    face.get('/test_much', async () => 'x'.repeat(1024 * 1024))
    face.get('/test_events', (req, reply) => void openEventStream(req, reply))
  },
}

let workspace: Workspace
let admin: Member
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'slipway-slow-'))
  const store = createFolderStore({ folder, bucket: 'slipway', installationId: 'test' })
  workspace = await openWorkspace({ slices: [...slices, answers], store })
  admin = (await workspace.project()).admin
})
afterAll(async () => {
  await workspace.close()
  await rm(folder, { recursive: true, force: true })
})

const nodeWith = async (deadlines: Partial<Deadlines>) => listen(await workspace.node({ deadlines }))

const signInHead = (length: number) =>
  `POST /v2/app-api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const uploadHead = (length: number) =>
  `POST /v2/external-api/artifacts HTTP/1.1\r\nHost: x\r\nX-API-Key: ${admin.key}\r\n` +
  `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`
const fileStart = (name: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`
const END = '\r\n--b--\r\n'
const get = (url: string) => `GET /v2/external-api${url} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${admin.key}\r\n\r\n`

/** Sends repeatedly until the test ends. */
function keepSending(send: () => void, everyMs: number) {
  const timer = setInterval(send, everyMs)
  onTestFinished(() => clearInterval(timer))
}

describe('a request', () => {
  test('whose headers do not arrive gets a 408 and is closed', async () => {
    const one = talk(await nodeWith({ headersMs: 200 }))
    one.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n')
    expect(await one.until(/"code":"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
    await one.untilClosed()
  })

  test('whose body stalls gets a 408 and is closed', async () => {
    const one = talk(await nodeWith({ stallMs: 200 }))
    one.socket.write(`${signInHead(100)}{"email":`)
    expect(await one.until(/"code":"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 .*connection: close/is)
    await one.untilClosed()
  })

  test('whose body arrives too slowly gets a 408, no matter how steadily it arrives', async () => {
    const one = talk(await nodeWith({ graceMs: 200, minBytesPerSecond: 1_000_000 }))
    one.socket.write(signInHead(4_000))
    keepSending(() => one.socket.write(' '), 10)
    expect(await one.until(/"code":"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
    await one.untilClosed()
  })

  test('that announces more than its route accepts is refused before its body arrives', async () => {
    const one = talk(await nodeWith({}))
    one.socket.write(signInHead(10_000_000))
    expect(await one.until(/"code":"body_too_large"/)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('that breaks off is not reported as a database failure', async () => {
    const lines: string[] = []
    const node = await workspace.node({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    const one = talk(await listen(node))
    one.socket.write(`${signInHead(100)}{"email":`)
    await eventually(async () => (await connectionsOf(node.server)) === 1)
    one.socket.destroy()
    await eventually(async () => (await connectionsOf(node.server)) === 0)
    expect(lines.join('')).not.toContain('request failed')
  })
})

describe('an upload', () => {
  const filesIn = async (place: string) => (await readdir(path.join(folder, place)).catch(() => [])).length
  const nothingUnfinished = async () => (await filesIn('.unfinished')) === 0

  test('that stalls gets a 408 and stores nothing', async () => {
    const one = talk(await nodeWith({ stallMs: 200 }))
    one.socket.write(uploadHead(100_000) + fileStart('stalled.txt') + 'x'.repeat(10_000))
    expect(await one.until(/"code":"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
    await one.untilClosed()
    await eventually(nothingUnfinished)
    expect((await admin.api.get('/artifacts')).body.total).toBe(0)
    for await (const stored of workspace.store.list('')) expect(stored).toBeUndefined()
  })

  test('that makes progress may take far longer than the stall limit', async () => {
    const one = talk(await nodeWith({ stallMs: 1_000 }))
    const pieces = 60
    one.socket.write(uploadHead(fileStart('slow.txt').length + pieces + END.length) + fileStart('slow.txt'))
    let sent = 0
    keepSending(() => {
      if (sent++ < pieces) one.socket.write('x')
      else if (sent === pieces + 2) one.socket.write(END)
    }, 40)
    expect(await one.until(/^HTTP\/1\.1 201 /)).toContain('"size_bytes":60')
    one.socket.destroy()
  })
})

describe('a connection', () => {
  test('is closed if the client never reads a large response', async () => {
    const node = await workspace.node({ deadlines: { idleMs: 300 } })
    const one = talk(await listen(node))
    one.socket.pause()
    // Pipelined requests: more than the buffers at both ends can hold while nobody reads.
    one.socket.write(get('/test_much').repeat(40))
    await eventually(async () => (await connectionsOf(node.server)) === 1)
    await eventually(async () => (await connectionsOf(node.server)) === 0)
    one.socket.destroy()
  })

  test('stays open while idle if it streams events, edits live or is kept alive', async () => {
    const port = await nodeWith({ idleMs: 200 })
    const webSocket = new WebSocket(`ws://127.0.0.1:${port}/collab`)
    onTestFinished(() => webSocket.terminate())
    await eventually(() => webSocket.readyState === WebSocket.OPEN)
    const keptAlive = talk(port)
    keptAlive.socket.write(get('/health'))
    await keptAlive.until(/"status":"ok"/)
    const events = talk(port)
    events.socket.write(get('/test_events'))
    // Four responses arrive within the time after which silence would have closed it.
    await events.until(/(still here.*){12}/s)
    expect([events.isClosed(), webSocket.readyState]).toEqual([false, WebSocket.OPEN])
    keptAlive.socket.write(get('/health'))
    await keptAlive.until(/("status":"ok".*){2}/s)
    events.socket.destroy()
    keptAlive.socket.destroy()
  })
})

const connectionsOf = (server: { getConnections(done: (err: Error | null, count: number) => void): unknown }) =>
  new Promise<number>((resolve) => server.getConnections((_err, count) => resolve(count)))

test('a body that is held in memory must arrive at 256 KiB/s, unlike a file that passes through', async () => {
  const port = await nodeWith({ graceMs: 200, minBytesPerSecond: 100 })
  const [held, passing] = [talk(port), talk(port)]
  const piece = ' '.repeat(4_096)
  const file = `${fileStart('passing.txt')}${piece.repeat(10)}${END}`
  held.socket.write(
    `POST /v2/external-api/work_orders/search HTTP/1.1\r\nHost: x\r\nX-API-Key: ${admin.key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
  )
  passing.socket.write(uploadHead(file.length))
  let sent = 0
  keepSending(() => {
    held.socket.write(piece)
    passing.socket.write(file.slice(sent, sent + piece.length))
    sent += piece.length
  }, 50)
  expect(await held.until(/"code":"request_timeout"/)).toMatch(/^HTTP\/1\.1 408 /)
  expect(await passing.until(/"object"/)).toMatch(/^HTTP\/1\.1 201 /)
})
