import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { addWebhook, setUp, soon } from '../webhook.factory.ts'

const answerOf = (head: string, body = '') => `HTTP/1.1 ${head}\r\n\r\n${body}`

/** The bytes that answer a request, whether the connection is closed then, and what becomes of the delivery. */
const RECEIVERS: [name: string, answer: string, closes: boolean, status: string][] = [
  ['a redirect', answerOf('307 Moved\r\nlocation: /\r\ncontent-length: 0'), false, 'failed'],
  ['a redirect whose text does not come', answerOf('307 Moved\r\nlocation: /\r\ncontent-length: 9'), false, 'failed'],
  ['a redirect that breaks off', answerOf('307 Moved\r\nlocation: /\r\ncontent-length: 9', 'Gone'), true, 'failed'],
  ['an answer that breaks off', answerOf('200 OK\r\ncontent-length: 900', 'Done'), true, 'failed'],
  ['a text without an end', answerOf('200 OK\r\ncontent-length: 900000', 'x'.repeat(100_000)), false, 'succeeded'],
  ['a head without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`, false, 'failed'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', false, 'failed'],
  ['two lengths', answerOf('200 OK\r\ncontent-length: 1\r\ncontent-length: 2', 'x'), false, 'failed'],
  ['two answers', answerOf('204 No Content') + answerOf('500 Oops'), false, 'succeeded'],
  ['nothing', '', true, 'failed'],
]

async function rawReceiver(answer: string, closes: boolean) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => {
      socket.write(answer)
      if (closes) socket.destroySoon()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

test('no answer ends the worker, and each failure has a reason', async () => {
  const { api, node } = await setUp()
  node({ retriesMs: [] })
  const webhooks = new Map<string, string>()
  for (const [name, answer, closes] of RECEIVERS) {
    const { path } = await addWebhook(api, await rawReceiver(answer, closes), { event_kinds: ['work_order.created'] })
    webhooks.set(name, path)
  }
  for (const count of [1, 2]) {
    await createWorkOrder(api)
    for (const [name, , , status] of RECEIVERS) {
      const deliveries = await soon(async () => {
        const { items } = (await api.get(`${webhooks.get(name)}/deliveries`)).body
        return items.length === count && items.every((one: { status: string }) => one.status !== 'pending') && items
      })
      for (const delivery of deliveries) {
        expect(delivery.status, name).toBe(status)
        if (status === 'failed') expect(delivery.error, name).toMatch(/^[A-Z].{9,}$/)
      }
    }
  }
})
