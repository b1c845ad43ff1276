import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addLabel, addPhase } from '../index.ts'
import { createWorkOrder } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const { api, userId } = project.admin
  const ctx = project.operator
  const labels = [await addLabel(ctx, { title: 'a', color: 'red' }), await addLabel(ctx, { title: 'b', color: 'blue' })]
  const phase = await addPhase(ctx, { title: 'One' })
  const { id } = await createWorkOrder(api, {
    title: 'Round once',
    status: 'ready',
    assignee_id: userId,
    phase_id: phase.id,
    label_ids: labels.map((label) => label.id),
  })
  const send = async (expected: unknown, patch: object = { priority: 'urgent' }) => {
    const operation = {
      operation_id: '1',
      operation_type: 'UpdateWorkOrder',
      target: { work_order_id: id },
      patch,
      expected,
    }
    const { body } = await api.post('/work_orders/batch_update', { request_id: 'r', operations: [operation] })
    return body.results['1'] as { status: string; message: string }
  }
  const priority = async () => (await api.get(`/work_orders/${id}`)).body.data.priority
  return { send, priority, userId, phase, labels: labels.map((label) => label.id) }
}

it('changes a work order that still has the expected values', async () => {
  const { send, priority, userId, phase, labels } = await setUp()
  const values = { title: 'Round once', status: 'ready', assignee_id: userId, phase_id: phase.id }
  expect(await send({ ...values, label_ids: labels.toReversed() })).toMatchObject({ status: 'succeeded', message: '' })
  expect(await priority()).toBe('urgent')
})

it.each<[string, object]>([
  ['The status is "ready" now, not "blocked".', { status: 'blocked' }],
  ['The title is "Round once" now, not "Round".', { title: 'Round' }],
  ['The assignee was changed.', { assignee_id: null }],
  ['The phase was changed.', { phase_id: null }],
  ['The labels were changed.', { label_ids: [] }],
])('leaves one alone that has other values, and says so: %s', async (message, expected) => {
  const { send, priority } = await setUp()
  const result = await send(expected)
  expect(result.status).toBe('failed')
  expect(result.message).toContain(message)
  expect(await priority()).toBe('no_priority')
})

it.each([{ status: 'done' }, { sprint: 4 }, { markdown_content: 'x' }, 7])(
  'refuses an "expected" that it cannot compare: %j',
  async (expected) => {
    const { send, priority } = await setUp()
    expect(await send(expected)).toMatchObject({ status: 'failed' })
    expect(await priority()).toBe('no_priority')
  },
)
