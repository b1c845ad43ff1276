import { afterAll, beforeAll, expect, test } from 'vitest'
import { slices } from '../../src/app.ts'
import { conflict } from '../../src/kernel/errors.ts'
import type { RecordedEvent } from '../../src/kernel/events.ts'
import { startWorker } from '../../src/kernel/jobs/jobs.ts'
import { type Slice, wire } from '../../src/kernel/slice.ts'
import { createWorkOrder } from '../../src/product/work-orders/work-order.factory.ts'
import { eventually, openWorkspace, type Workspace } from '../harness.ts'

const seen: RecordedEvent[] = []
let failures = 0
const listener: Slice = {
  name: 'listener',
  during: {
    'work_order.created': async (ctx, event) => {
      if (event.payload.title === 'refused by a subscriber') throw conflict('refused', 'Not this one.')
      await ctx.db`insert into labels (project_id, id, title, color) values (${event.projectId}, ${event.subjectId}, ${`for ${event.subjectId}`}, 'gray')`
    },
  },
  on: {
    'work_order.deleted': async (event) => {
      if (failures++ === 0) throw new Error('the first attempt fails')
      seen.push(event)
    },
  },
}

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace({ slices: [...slices, listener] })
})
afterAll(() => workspace.close())

test('a handler that runs during an event commits or rolls back with its cause', async () => {
  const { admin } = await workspace.project()
  const { id } = await createWorkOrder(admin.api)
  const labels = (await admin.api.get('/work_orders/labels')).body.items
  expect(labels.map((label: { title: string }) => label.title)).toEqual([`for ${id}`])

  await expect(createWorkOrder(admin.api, { title: 'refused by a subscriber' })).rejects.toThrow('409')
  expect((await admin.api.get('/work_orders')).body.total).toBe(1)
  expect((await createWorkOrder(admin.api)).number).toBe(2)
})

test('a subscriber runs after the commit and is retried until it succeeds', async () => {
  const { admin } = await workspace.project()
  const { id, number } = await createWorkOrder(admin.api)
  await admin.api.delete(`/work_orders/${id}`, { 'x-request-id': 'the-cause' })
  const worker = startWorker({
    sql: workspace.sql,
    wiring: wire([...slices, listener]),
    store: workspace.store,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  // The library waits a few seconds before it retries a failed job. That wait is not part of this test.
  await eventually(async () => {
    await workspace.sql`update graphile_worker._private_jobs set run_at = now() where attempts > 0 and locked_at is null`
    return seen.length > 0
  }, 20_000)
  await worker.stop(10_000)
  expect(seen[0]).toMatchObject({
    kind: 'work_order.deleted',
    subjectId: id,
    userId: admin.userId,
    keyId: admin.keyId,
    origin: 'external_api',
  })
  expect(seen[0]!.payload).toMatchObject({ work_order_number: number })
  const [row] =
    await workspace.sql`select request_id from events where subject_id = ${id} and kind = 'work_order.deleted'`
  expect(row!.request_id).toBe('the-cause')
})
