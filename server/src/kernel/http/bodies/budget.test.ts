import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder } from '../../../product/work-orders/work-order.factory.ts'
import { openS3 } from '../../storage/s3.factory.ts'
import type { Store } from '../../storage/store.ts'
import { listen, talk } from '../clients/socket.factory.ts'
import { createBodyBudget } from './budget.ts'

const SHARE = 256 * 1024
const MOST = 'x'.repeat(SHARE * 0.9)

let workspace: Workspace
let one: Member
let other: Member
beforeAll(async () => {
  workspace = await openWorkspace({ bodyMemoryBytes: 3 * SHARE, trustProxy: () => true })
  one = (await workspace.project()).admin
  other = (await workspace.project()).admin
})
afterAll(() => workspace.close())

test('one address and one project leave room for the others, until they are done', async () => {
  const port = await listen(workspace.app)
  const workOrders = new Map<Member, string>()
  for (const member of [one, other])
    workOrders.set(member, `/work_orders/${(await createWorkOrder(member.api)).id}/description`)
  const write = async (member: Member, address: string) => {
    const headers = { 'x-forwarded-for': address }
    const { status, body } = await member.api.patch(workOrders.get(member)!, { markdown_content: MOST }, headers)
    return body.code ?? status
  }
  expect(await write(one, '203.0.113.1')).toBe(200)

  const accepted = new Promise<Socket>((resolve) => void workspace.app.server.once('connection', resolve))
  const slow = talk(port)
  onTestFinished(() => void slow.socket.destroy())
  slow.socket.write(
    `PATCH /v2/external-api${workOrders.get(one)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${one.key}\r\nX-Forwarded-For: 203.0.113.1\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${SHARE}\r\n\r\n{"markdown_content":"${MOST}`,
  )
  const server = await accepted
  await eventually(() => server.bytesRead > MOST.length)
  expect(await write(one, '203.0.113.2')).toBe('reading_too_much')
  expect(await write(other, '203.0.113.1')).toBe('reading_too_much')
  expect(await write(other, '203.0.113.2')).toBe(200)
  slow.socket.destroy()
  await eventually(async () => (await write(one, '203.0.113.2')) === 200)
})

test('a project that uploads to a bucket leaves room for the uploads of others', async () => {
  const s3 = await openS3()
  onTestFinished(s3.close)
  let writes = 0
  const store: Store = {
    ...s3.store,
    write: (...args) => {
      writes++
      return s3.store.write(...args)
    },
  }
  const app = await workspace.node({ store, bodyMemoryBytes: 3 * (store.writeBufferBytes + SHARE) })
  const port = await listen(app)
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbytes'
  let addresses = 0
  const upload = async (member: Member) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/v2/external-api/artifacts',
      headers: {
        'x-api-key': member.key,
        'x-forwarded-for': `203.0.113.${++addresses}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      payload: `${file}\r\n--b--\r\n`,
    })
    return JSON.parse(body).code ?? statusCode
  }
  const slow = talk(port)
  onTestFinished(() => void slow.socket.destroy())
  slow.socket.write(
    `POST /v2/external-api/artifacts HTTP/1.1\r\nHost: x\r\nX-API-Key: ${one.key}\r\nX-Forwarded-For: 203.0.113.200\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n${file}`,
  )
  await eventually(() => writes === 1)
  expect(await upload(one)).toBe('reading_too_much')
  expect(await upload(other)).toBe(201)
  slow.socket.destroy()
  await eventually(async () => (await upload(one)) === 201)
})

test('a body stays counted while something goes on with it after the client has hung up', async () => {
  const budget = createBodyBudget(300)
  const memory = budget.open(['a'])
  memory.take(100)
  let finish = () => {}
  const working = new Promise<void>((resolve) => {
    finish = resolve
  })
  memory.keepUntil(working)
  memory.release()
  memory.release()
  expect(() => budget.open(['a']).take(1)).toThrow('The server is reading too much at once.')
  finish()
  await working
  expect(() => budget.open(['a']).take(100)).not.toThrow()
})

test('all holders together have no more than the budget', () => {
  const budget = createBodyBudget(300)
  for (const holder of ['a', 'b', 'c']) budget.open([holder]).take(100)
  expect(() => budget.open(['d']).take(1)).toThrow('The server is reading too much at once.')
})
