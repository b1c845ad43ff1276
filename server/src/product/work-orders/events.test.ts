import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

interface EventRow {
  kind: string
  subject_id: string
  subject_type: string
  user_id: string
  key_id: string
  origin: string
  request_id: string
  payload: Record<string, unknown>
}

const eventsOf = (projectId: string, from = ws) => from.sql<EventRow[]>`
  select * from events where project_id = ${projectId} and subject_type = 'work_order' order by id`
const kindsOf = async (projectId: string, from = ws) => (await eventsOf(projectId, from)).map((event) => event.kind)

async function setUp(from = ws) {
  const project = await from.project()
  const { api } = project.admin
  const created = await createWorkOrders(api, { title: 'A' }, { title: 'B' })
  const [a, b] = created.map((one) => one.id) as [string, string]
  await from.sql`delete from events where project_id = ${project.id}`
  return { project, admin: project.admin, api, a, b }
}

describe('a write leaves events', () => {
  it('that say who did it, with which key, in which request', async () => {
    const { project, admin, api, a } = await setUp()
    await api.patch(`/work_orders/${a}/description`, { markdown_content: 'New' }, { 'x-request-id': 'abc.123' })
    const [event] = await eventsOf(project.id)
    expect(event).toMatchObject({
      kind: 'work_order.updated',
      subject_type: 'work_order',
      subject_id: a,
      user_id: admin.userId,
      key_id: admin.keyId,
      origin: 'external_api',
      request_id: 'abc.123',
    })
  })

  it('one for each work order that was created', async () => {
    const project = await ws.project()
    const created = await createWorkOrders(project.admin.api, {}, {}, {})
    const events = await eventsOf(project.id)
    expect(events.map((event) => event.subject_id)).toEqual(created.map((one) => one.id))
    expect(new Set(events.map((event) => event.kind))).toEqual(new Set(['work_order.created']))
  })

  it('and one more when the status changed, with what it was and is', async () => {
    const { project, api, a } = await setUp()
    await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: [
        {
          operation_id: 'a',
          operation_type: 'UpdateStatus',
          target: { work_order_id: a },
          patch: { status: 'ready' },
        },
      ],
    })
    const events = await eventsOf(project.id)
    expect(events.map((event) => event.kind)).toEqual(['work_order.updated', 'work_order.status_changed'])
    expect(events[1]).toMatchObject({ subject_id: a, payload: { from: 'backlog', to: 'ready' } })
  })

  it('that name the changed fields as answers do, whichever route changed them', async () => {
    const { project, api, a, b } = await setUp()
    await api.patch(`/work_orders/${a}/description`, { markdown_content: 'New' })
    const plan = { files: [{ description: 'New.', path: 'a.ts', action: 'create' }], markdown_content: 'First a.' }
    const change = {
      operation_id: 'a',
      operation_type: 'UpdateWorkOrder',
      target: { work_order_id: b },
      patch: {
        markdown_content: 'New',
        implementation_plan: plan,
        assignee_id: project.admin.userId,
        connectedContext: [{ resourceType: 'work_order', resourceId: a }],
      },
    }
    await api.post('/work_orders/batch_update', { request_id: 'r', operations: [change] })
    await api.post('/work_orders/batch_update', { request_id: 'r', operations: [change] })
    expect((await eventsOf(project.id)).map((event) => event.payload)).toEqual([
      { fields: ['markdown_content'] },
      {
        fields: ['markdown_content', 'implementation_plan', 'assignee', 'connectedContext'],
        changes: { assignee: { from: null, to: expect.any(String) } },
      },
    ])
    const { body } = await api.get(`/work_orders/${b}`)
    expect(body.data).toMatchObject({ implementation_plan: plan })
    expect(Object.keys(body.data)).toEqual(
      expect.arrayContaining(['markdown_content', 'implementation_plan', 'assignee', 'connectedContext']),
    )
  })

  it('for deletes, alone and in a batch', async () => {
    const { project, api, a, b } = await setUp()
    await api.delete(`/work_orders/${a}`)
    await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: [{ operation_id: 'a', operation_type: 'DeleteWorkOrder', target: { work_order_id: b } }],
    })
    expect((await eventsOf(project.id)).map((event) => [event.kind, event.subject_id])).toEqual([
      ['work_order.deleted', a],
      ['work_order.deleted', b],
    ])
  })

  it('for every step of a comment', async () => {
    const { project, api, a } = await setUp()
    const { body } = await api.post(`/work_orders/${a}/comments`, { markdown_content: 'x' })
    const path = `/work_orders/${a}/comments/${body.data.id}`
    await api.patch(path, { markdown_content: 'y' })
    await api.delete(path)
    const events = await eventsOf(project.id)
    expect(events.map((event) => event.kind)).toEqual([
      'work_order.commented',
      'work_order.comment_updated',
      'work_order.comment_deleted',
    ])
    for (const event of events) expect(event).toMatchObject({ subject_id: a, payload: { comment_id: body.data.id } })
  })
})

describe('what was not done leaves no event', () => {
  it('in a batch where some operations fail', async () => {
    const { project, api, a, b } = await setUp()
    const targets = [a, b, '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81']
    await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: targets.map((id, index) => ({
        operation_id: `${index}`,
        operation_type: 'UpdatePriority',
        target: { work_order_id: id },
        patch: { priority: index === 0 ? 'p1' : 'low' },
      })),
    })
    expect((await eventsOf(project.id)).map((event) => event.subject_id)).toEqual([b])
  })

  it('in a batch_create where some operations fail, or that is sent again', async () => {
    const { project, api } = await setUp()
    const batch = {
      request_id: 'r',
      operations: [{ status: 'done' }, {}].map((patch, index) => ({
        operation_id: `${index}`,
        operation_type: 'CreateWorkOrder',
        patch,
      })),
    }
    await api.post('/work_orders/batch_create', batch)
    await api.post('/work_orders/batch_create', batch)
    expect(await kindsOf(project.id)).toEqual(['work_order.created'])
  })

  it('when a request is refused', async () => {
    const { project, api, a } = await setUp()
    const stale = { 'if-match': '"old"' }
    await api.patch(`/work_orders/${a}/description`, { markdown_content: 'x' }, stale)
    await api.delete(`/work_orders/${a}`, stale)
    await api.patch(`/work_orders/${a}/description`, { markdown_content: null })
    await api.post(`/work_orders/${a}/comments`, { markdown_content: '' })
    const viewer = await project.join('viewer')
    await viewer.api.delete(`/work_orders/${a}`)
    expect(await kindsOf(project.id)).toEqual([])
  })

  it('and what cannot leave its event is not done', async () => {
    const refuse = async () => {
      throw new Error('no')
    }
    const failing = await openWorkspace({
      slices: [
        ...slices,
        {
          name: 'failing',
          during: { 'work_order.updated': refuse, 'work_order.deleted': refuse, 'work_order.commented': refuse },
        },
      ],
    })
    onTestFinished(failing.close)
    const { project, api, a } = await setUp(failing)
    const target = { work_order_id: a }
    const answers = [
      await api.patch(`/work_orders/${a}/description`, { markdown_content: 'x' }),
      await api.delete(`/work_orders/${a}`),
      await api.post(`/work_orders/${a}/comments`, { markdown_content: 'x' }),
      await api.post('/work_orders/batch_update', {
        request_id: 'r',
        operations: [{ operation_id: 'a', operation_type: 'UpdateTitle', target, patch: { title: 'x' } }],
      }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([500, 500, 500, 500])
    expect((await api.get(`/work_orders/${a}`)).body.data).toMatchObject({ title: 'A', markdown_content: '' })
    expect((await api.get(`/work_orders/${a}/comments`)).body.items).toEqual([])
    expect(await kindsOf(project.id, failing)).toEqual([])
  })
})

it('a write that changes nothing leaves no event and keeps updated_at', async () => {
  const { project, api } = await setUp()
  const { id } = await createWorkOrder(api, { markdown_content: 'Same' })
  const before = await api.get(`/work_orders/${id}`)
  await ws.sql`delete from events where project_id = ${project.id}`
  await api.patch(`/work_orders/${id}/description`, { markdown_content: 'Same' })
  expect((await api.get(`/work_orders/${id}`)).body).toEqual(before.body)
  expect(await kindsOf(project.id)).toEqual([])
})
