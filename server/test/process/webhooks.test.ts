import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import { dataFolder, knownKeys, startServer } from './running-server.ts'

test('a server that is killed while it delivers loses no event: the next one goes on', async ({ onTestFinished }) => {
  let isHanging = true
  const begun = new Set<string>()
  const accepted = new Map<string, string>()
  const receiver = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const id = req.headers['webhook-id'] as string
    begun.add(id)
    // Takes some, and then answers no more.
    if (isHanging && accepted.size >= 10) return
    accepted.set(id, text)
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const options = { dataDir: dataFolder(), env: { ...knownKeys, WEBHOOK_PRIVATE_HOSTS: 'on' } }
  const server = await startServer(options)
  const made = await server.client().post('/webhooks', { name: 'Board', url, event_kinds: ['work_order.created'] })
  expect(made.status).toBe(201)
  const operations = Array.from({ length: 60 }, (_, n) => ({
    operation_id: String(n),
    operation_type: 'CreateWorkOrder',
    patch: { title: `WO ${n}` },
  }))
  await server.client().post('/work_orders/batch_create', { request_id: 'sixty', operations })
  await eventually(() => begun.size === 20, 30_000)
  process.kill(server.pid, 'SIGKILL')
  await server.exited
  isHanging = false

  const next = await startServer(options)
  // What was under way is claimed for 20 seconds, and a job looks every minute for what nobody sends.
  await eventually(() => accepted.size === 60, 120_000)
  const titles = [...accepted.values()].map((text) => JSON.parse(text).data.payload.title)
  expect(new Set(titles)).toEqual(new Set(operations.map(({ patch }) => patch.title)))
  await eventually(async () => {
    const { body } = await next.client().get(`/webhooks/${made.body.data.webhook.id}/deliveries?limit=100`)
    return body.items.length === 60 && body.items.every(({ status }: { status: string }) => status === 'succeeded')
  })
})
