import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../harness.ts'

let workspace: Workspace
let port: number
let key: string

beforeAll(async () => {
  workspace = await openWorkspace()
  key = (await workspace.project()).admin.key
  await workspace.app.listen({ host: '127.0.0.1', port: 0 })
  port = (workspace.app.server.address() as AddressInfo).port
})
afterAll(() => workspace.close())

/** Sends the lines, then the body as a separate chunk, and reads until the server closes. */
async function exchange(lines: string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write(`${[...lines, 'Host: slipway.test', `X-API-Key: ${key}`].join('\r\n')}\r\n\r\n`)
  if (body !== '') setImmediate(() => socket.write(body))
  await once(socket, 'close')
  return received
}

const OFFER = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']

test('a request that offers HTTP/2 gets an HTTP/1.1 response', async () => {
  const answer = await exchange(['GET /v2/external-api/health HTTP/1.1', ...OFFER])
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).toContain('"status":"ok"')
})

test('the body of such a request is read as usual', async () => {
  const body = JSON.stringify({ title: 'With an offer' })
  const head = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const answer = await exchange(['POST /v2/external-api/blueprints HTTP/1.1', ...head, ...OFFER], body)
  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(answer).toContain('"title":"With an offer"')
})

test('a WebSocket on any other path is refused', async () => {
  const asked = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAA']
  expect(await exchange(['GET /v2/external-api/health HTTP/1.1', ...asked])).toMatch(/^HTTP\/1\.1 404 /)
})
