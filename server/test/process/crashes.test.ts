import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import {
  createBatch,
  dataFolder,
  externalKey,
  knownKeys,
  openPool,
  postgresOf,
  type RunningServer,
  startServer,
} from './running-server.ts'

const BATCH_SIZE = 5
const WRITERS = 8

interface Outcome {
  work_order_id: string
  work_order_number: number
}

type Batch = ReturnType<typeof createBatch>
interface Acknowledged {
  batch: Batch
  results: Record<string, Outcome>
}

describe.concurrent('after kill -9 in the middle of many batches', () => {
  test.for(['the server', 'the server and PostgreSQL'])(
    'of %s nothing acknowledged is lost or made twice',
    async (victims) => {
      const dataDir = dataFolder()
      const server = await startServer({ dataDir, env: knownKeys })
      const writing = startWriting(server)
      await eventually(() => writing.acknowledged.length >= 40)
      const unread = await sendWithoutReading(server, dataDir)
      if (victims === 'the server and PostgreSQL') process.kill(postgresOf(dataDir)!, 'SIGKILL')
      process.kill(server.pid, 'SIGKILL')
      await server.exited
      await writing.finished
      const unacknowledged = [...writing.unacknowledged, unread]
      expect(unacknowledged.length).toBeGreaterThan(1)

      const next = await startServer({ dataDir, env: knownKeys })
      const found = await everyWorkOrder(next)
      for (const { batch, results } of writing.acknowledged) {
        for (const { operation_id, patch } of batch.operations) {
          const { work_order_id, work_order_number } = results[operation_id]!
          expect(found.get(work_order_number)).toEqual({ id: work_order_id, title: patch.title })
        }
      }

      // A batch is stored completely or not at all. Sending it again completes it without duplicates.
      const titles = new Set([...found.values()].map(({ title }) => title))
      const committed = unacknowledged.filter((batch) => titles.has(batch.operations[0]!.patch.title))
      expect(committed).toContain(unread)
      expect(found.size).toBe((writing.acknowledged.length + committed.length) * BATCH_SIZE)
      for (const batch of unacknowledged) {
        const again = await next.client().post('/work_orders/batch_create', batch)
        expect(again.body.status).toBe('Succeeded')
        if (!committed.includes(batch)) continue
        for (const { operation_id, patch } of batch.operations) {
          const { work_order_id, work_order_number } = again.body.results[operation_id]
          expect(found.get(work_order_number)).toEqual({ id: work_order_id, title: patch.title })
        }
      }
      const all = await everyWorkOrder(next)
      const sent = [...writing.acknowledged.map(({ batch }) => batch), ...unacknowledged]
      expect([...all.values()].map(({ title }) => title).sort()).toEqual(
        sent.flatMap((batch) => batch.operations.map(({ patch }) => patch.title)).sort(),
      )
    },
  )
})

const batchNamed = (name: string) =>
  createBatch(name, ...Array.from({ length: BATCH_SIZE }, (_, index) => `${name} #${index}`))

/** Starts several clients, each of which sends batch after batch until the server is gone. */
function startWriting(server: RunningServer) {
  const acknowledged: Acknowledged[] = []
  const unacknowledged: Batch[] = []
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const batch = batchNamed(`writer ${writer} batch ${count}`)
      const answer = await server
        .client()
        .post('/work_orders/batch_create', batch)
        .catch(() => undefined)
      if (answer?.status === 200) acknowledged.push({ batch, results: answer.body.results })
      else unacknowledged.push(batch)
      // A refusal while PostgreSQL is being killed is no reason to stop; a dead server is.
      if (!answer) return
    }
  }
  const finished = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return { acknowledged, unacknowledged, finished }
}

/** Sends a batch that is committed although its sender never reads the response. */
async function sendWithoutReading(server: RunningServer, dataDir: string): Promise<Batch> {
  const batch = batchNamed('never read')
  const pool = openPool(dataDir)
  const sent = request(`${server.url}/v2/external-api/work_orders/batch_create`, {
    method: 'POST',
    headers: { 'x-api-key': externalKey, 'content-type': 'application/json' },
  })
  sent.on('error', () => undefined)
  sent.end(JSON.stringify(batch), () => sent.destroy())
  await eventually(async () => (await pool.query(`select from work_orders where title like 'never read%'`)).rowCount)
  await pool.end()
  return batch
}

/** Reads all pages of the list, by number. Fails if a number occurs twice or `total` is wrong. */
async function everyWorkOrder(server: RunningServer): Promise<Map<number, { id: string; title: string }>> {
  const found = new Map<number, { id: string; title: string }>()
  for (let page = 1; ; page++) {
    const { body } = await server.client().get(`/work_orders?page=${page}&page_size=100`)
    for (const { id, work_order_number, title } of body.items) {
      expect(found.has(work_order_number)).toBe(false)
      found.set(work_order_number, { id, title })
    }
    if (page < body.total_pages) continue
    expect(body.total).toBe(found.size)
    return found
  }
}
