import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addLabel, addPhase } from '../index.ts'
import { createWorkOrder, createWorkOrders } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']

async function setUp(values: Record<string, unknown> = {}) {
  const project = await ws.project()
  const { api } = project.admin
  const ctx = project.operator
  const labels = [await addLabel(ctx, { title: 'a', color: 'red' }), await addLabel(ctx, { title: 'b', color: 'blue' })]
  const phases = [await addPhase(ctx, { title: 'One' }), await addPhase(ctx, { title: 'Two' })]
  const { id, number } = await createWorkOrder(api, values)
  const read = async () => (await api.get(`/work_orders/${id}`)).body.data
  const send = async (...operations: Record<string, unknown>[]) => {
    const { status, body } = await api.post('/work_orders/batch_update', {
      request_id: 'same every time',
      operations: operations.map((operation, index) => ({
        operation_id: `${index}`,
        target: { work_order_id: id },
        ...operation,
      })),
    })
    expect(status).toBe(200)
    return Object.values(body.results) as { status: string; message: string; work_order_id: string | null }[]
  }
  const change = async (type: string, patch: Record<string, unknown>) => {
    const [result] = await send({ operation_type: type, patch })
    expect(result).toEqual({
      operation_id: '0',
      operation_type: type,
      status: 'succeeded',
      work_order_id: id,
      work_order_number: number,
      message: '',
    })
    return read()
  }
  return { project, admin: project.admin, api, labels, phases, id, number, read, send, change }
}

describe.each(['its own type', 'UpdateWorkOrder'])('by %s', (by) => {
  const typeOf = (type: string) => (by === 'UpdateWorkOrder' ? by : type)

  it.each<[string, Record<string, unknown>]>([
    ['UpdateStatus', { status: 'in_review' }],
    ['UpdateTitle', { title: 'New title' }],
    ['UpdateDescription', { markdown_content: '# New\n' }],
    ['UpdateDescription', { markdown_content: '' }],
    ['UpdatePriority', { priority: 'urgent' }],
    ['UpdateType', { type: 'research' }],
    [
      'UpdateImplementationPlan',
      { implementation_plan: { files: [{ path: 'a', action: 'delete', description: '' }], markdown_content: 'x' } },
    ],
    ['UpdateImplementationPlan', { implementation_plan: null }],
  ])('%s sets %j and nothing else', async (type, patch) => {
    const plan = { files: [], markdown_content: 'Old' }
    const { read, change } = await setUp({ title: 'Old', markdown_content: 'Old', implementation_plan: plan })
    const before = await read()
    const after = await change(typeOf(type), patch)
    const { updated_at, description_snippet } = after
    expect(after).toEqual({ ...before, ...patch, updated_at, description_snippet })
    expect(updated_at > before.updated_at).toBe(true)
  })

  it('UpdateAssignee sets by id, by e-mail, and clears by null', async () => {
    const { project, change } = await setUp()
    const other = await project.join('editor')
    const assignee = async (patch: Record<string, unknown>) => (await change(typeOf('UpdateAssignee'), patch)).assignee
    const { admin } = project
    expect(await assignee({ assignee_id: admin.userId })).toEqual({
      id: admin.userId,
      name: admin.name,
      email: admin.email,
    })
    expect((await assignee({ assignee_email: other.email })).id).toBe(other.userId)
    expect(await assignee({ assignee_id: null })).toBeNull()
    expect((await assignee({ assignee_id: other.userId })).id).toBe(other.userId)
    expect(await assignee({ assignee_email: null })).toBeNull()
  })

  it('UpdatePhase sets by id, by number, and clears by null', async () => {
    const { phases, change } = await setUp()
    const phase = async (patch: Record<string, unknown>) => (await change(typeOf('UpdatePhase'), patch)).phase
    const [one, two] = phases
    expect(await phase({ phase_id: one!.id })).toEqual({
      object: 'phase',
      id: one!.id,
      phase_id: one!.id,
      phase_number: 1,
      title: 'One',
    })
    expect((await phase({ phase_number: 2 })).id).toBe(two!.id)
    expect(await phase({ phase_id: null })).toBeNull()
    expect((await phase({ phase_number: 1 })).id).toBe(one!.id)
    expect(await phase({ phase_number: null })).toBeNull()
  })

  it('UpdateLabels replaces all of them', async () => {
    const { labels, change } = await setUp()
    const [a, b] = labels
    const titles = async (ids: string[]) =>
      (await change(typeOf('UpdateLabels'), { label_ids: ids })).labels.map((label: { title: string }) => label.title)
    expect(await titles([b!.id, a!.id])).toEqual(['a', 'b'])
    expect(await titles([b!.id])).toEqual(['b'])
    expect(await titles([])).toEqual([])
  })

  it('UpdateConnectedContext replaces all of it', async () => {
    const { api, change } = await setUp()
    const [x, y] = await createWorkOrders(api, {}, {})
    const link = ({ id }: { id: string }) => ({ resourceType: 'work_order', resourceId: id })
    for (const links of [[link(y!), link(x!)], [link(x!)], []])
      expect((await change(typeOf('UpdateConnectedContext'), { connectedContext: links })).connectedContext).toEqual(
        links,
      )
  })
})

describe('an operation of batch_update', () => {
  it('UpdateWorkOrder sets many values at once', async () => {
    const { admin, labels, phases, change } = await setUp()
    const after = await change('UpdateWorkOrder', {
      title: 'All',
      status: 'blocked',
      priority: 'low',
      type: 'test',
      assignee_email: admin.email,
      phase_number: 2,
      label_ids: [labels[0]!.id],
    })
    expect(after).toMatchObject({ title: 'All', status: 'blocked', priority: 'low', type: 'test' })
    expect(after.assignee.id).toBe(admin.userId)
    expect(after.phase.id).toBe(phases[1]!.id)
    expect(after.labels).toHaveLength(1)
  })

  it('DeleteWorkOrder deletes and says what it deleted', async () => {
    const { api, send, id, number } = await setUp()
    const [result] = await send({ operation_type: 'DeleteWorkOrder' })
    expect(result).toMatchObject({ status: 'succeeded', work_order_id: id, work_order_number: number, message: '' })
    expect((await api.get(`/work_orders/${id}`)).status).toBe(404)
  })

  it('reaches its target by number, and by id in capitals', async () => {
    const { id, number, send, read } = await setUp()
    const [byNumber] = await send({
      operation_type: 'UpdateTitle',
      target: { work_order_number: number },
      patch: { title: 'By number' },
    })
    expect(byNumber).toMatchObject({ status: 'succeeded', work_order_id: id, work_order_number: number })
    expect((await read()).title).toBe('By number')
    const target = { work_order_id: id.toUpperCase() }
    expect((await send({ operation_type: 'UpdateTitle', target, patch: { title: 'By id' } }))[0]!.status).toBe(
      'succeeded',
    )
  })

  it('lets any status follow any', async () => {
    const { send } = await setUp()
    const walk = STATUSES.flatMap((from) => STATUSES.flatMap((to) => [from, to]))
    const results = await send(...walk.map((status) => ({ operation_type: 'UpdateStatus', patch: { status } })))
    expect(results.every((result) => result.status === 'succeeded')).toBe(true)
  })

  it('ignores unknown fields and names them', async () => {
    const { id, send, read } = await setUp()
    const target = { work_order_id: id, name: 'A' }
    const [result] = await send({
      operation_type: 'UpdateStatus',
      target,
      patch: { status: 'ready', sprint: 4 },
      note: 'x',
    })
    expect(result!.status).toBe('succeeded')
    expect(result!.message).toContain('sprint')
    expect(result!.message).toContain('note')
    expect(result!.message).toContain('target.name')
    expect((await read()).status).toBe('ready')
  })
})

describe('operations on one work order', () => {
  it('are applied in order, so that the last one stays', async () => {
    const { send, read } = await setUp()
    const titles = ['one', 'two', 'three']
    await send(...titles.map((title) => ({ operation_type: 'UpdateTitle', patch: { title } })))
    expect((await read()).title).toBe('three')
  })

  it('fail after it was deleted, those before having succeeded', async () => {
    const { api, id, number, send } = await setUp()
    const results = await send(
      { operation_type: 'UpdateTitle', patch: { title: 'x' } },
      { operation_type: 'DeleteWorkOrder' },
      { operation_type: 'UpdateTitle', patch: { title: 'y' } },
      { operation_type: 'DeleteWorkOrder', target: { work_order_number: number } },
    )
    expect(results.map((result) => result.status)).toEqual(['succeeded', 'succeeded', 'failed', 'failed'])
    expect((await api.get(`/work_orders/${id}`)).status).toBe(404)
    expect((await api.get('/work_orders')).body.total).toBe(0)
  })

  it('stand alone: what fails undoes nothing before and stops nothing after', async () => {
    const { send, read } = await setUp()
    const results = await send(
      { operation_type: 'UpdateTitle', patch: { title: 'Kept' } },
      { operation_type: 'UpdateStatus', patch: { status: 'done' } },
      { operation_type: 'UpdatePriority', patch: { priority: 'high' } },
    )
    expect(results.map((result) => result.status)).toEqual(['succeeded', 'failed', 'succeeded'])
    expect(await read()).toMatchObject({ title: 'Kept', status: 'backlog', priority: 'high' })
  })
})
