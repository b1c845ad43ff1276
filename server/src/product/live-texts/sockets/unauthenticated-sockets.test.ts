import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { eventually, type Member, onTestFinished, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addBlueprint, listen, openRaw, openRawDocument } from '../live.factory.ts'

let workspace: Workspace
let admin: Member
let url: string

beforeAll(async () => {
  workspace = await openWorkspace()
  admin = (await workspace.project()).admin
  url = await listen(workspace.app)
})
afterAll(() => workspace.close())

const UPGRADE = [
  'GET /collab HTTP/1.1',
  'Host: slipway.test',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]

/** Sends a raw upgrade request. Returns both ends of the connection and the status line. */
async function upgrade(app = workspace.app) {
  const arriving = once(app.server, 'connection') as Promise<[Socket]>
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  onTestFinished(() => void client.destroy())
  client.write(`${UPGRADE.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(client, 'data')) as [Buffer]
  return { client, server: (await arriving)[0], status: answer.toString().split('\r\n', 1)[0] }
}

/** Returns the header of a binary frame that announces its length. */
function frameHead(length: number): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x82
  head[1] = 0xff
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

test('the server reads only a little of an unfinished frame from an unauthenticated socket', async () => {
  const { client, server } = await upgrade()
  client.write(Buffer.concat([frameHead(15_000_000), Buffer.alloc(8_000_000)]))
  await eventually(() => server.isPaused())
  expect(server.bytesRead).toBeLessThan(256 * 1024)
})

test('an admitted socket may send everything that was held back, and more', async () => {
  const id = await addBlueprint(admin, 'one\n')
  const name = `blueprint/${id}`
  const raw = await openRaw(url)
  raw.sendKey(name, admin.key)
  for (let count = 0; count < 20; count++) raw.sendAwareness(name, Buffer.from([0, ...new Array(9_999).fill(0)]))
  const shared = new Y.Doc()
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.push([new Y.XmlText('two')])
  shared.getXmlFragment('default').push([paragraph])
  raw.sendUpdate(name, Y.encodeStateAsUpdate(shared))
  await eventually(async () => {
    const { body } = await admin.api.get(`/blueprints/${id}`)
    return body.data.markdown_content.includes('two')
  })
  expect(raw.closed()).toBeUndefined()
})

test('an unauthenticated socket is closed after ten seconds; an admitted one is not', async () => {
  const id = await addBlueprint(admin, 'one\n')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const arrived = await upgrade()
  let isOver = false
  arrived.client.once('close', () => {
    isOver = true
  })
  vi.advanceTimersByTime(9_900)
  await nextTurn()
  expect(isOver).toBe(false)
  vi.advanceTimersByTime(200)
  while (!isOver) await nextTurn()
  vi.useRealTimers()

  const member = await openRawDocument(workspace.app, admin, `blueprint/${id}`)
  expect(member.closed()).toBeUndefined()
})

test('one address may have 128 unauthenticated sockets, and more once some are admitted or gone', async () => {
  const name = `blueprint/${await addBlueprint(admin, 'one\n')}`
  // A node without any earlier connections.
  const node = await workspace.node()
  const address = await listen(node)
  const unauthenticated = await Promise.all(Array.from({ length: 128 }, () => openRaw(address)))
  expect((await upgrade(node)).status).toBe('HTTP/1.1 503 Service Unavailable')
  unauthenticated[0]!.sendKey(name, admin.key)
  await eventually(() => unauthenticated[0]!.received() > 0)
  expect((await upgrade(node)).status).toBe('HTTP/1.1 101 Switching Protocols')
})
