import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addLabel, addPhase } from '../index.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']
const PRIORITIES = ['no_priority', 'low', 'medium', 'high', 'urgent']
const TYPES = ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore']

async function setUp() {
  const project = await ws.project()
  const { api } = project.admin
  let requests = 0
  const send = async (...operations: Record<string, unknown>[]) => {
    const { status, body } = await api.post('/work_orders/batch_create', {
      request_id: `r${++requests}`,
      operations: operations.map((operation, index) => ({
        operation_id: `${index}`,
        operation_type: 'CreateWorkOrder',
        ...operation,
      })),
    })
    expect(status).toBe(200)
    return Object.values(body.results) as { status: string; message: string; work_order_id: string }[]
  }
  /** Creates one that must succeed and reads it back. */
  const made = async (operation: Record<string, unknown>) => {
    const [result] = await send(operation)
    expect(result).toMatchObject({ status: 'succeeded', message: '' })
    return (await api.get(`/work_orders/${result!.work_order_id}`)).body.data
  }
  const failure = async (operation: Record<string, unknown>) => {
    const [result, neighbour] = await send(operation, { patch: { title: 'Neighbour' } })
    expect(result).toMatchObject({ status: 'failed', work_order_id: null, work_order_number: null })
    expect(neighbour!.status).toBe('succeeded')
    return result!.message
  }
  return { project, admin: project.admin, api, ctx: project.operator, send, made, failure }
}

describe('the values of a new work order', () => {
  it.each<[string, (values: Record<string, unknown>) => Record<string, unknown>]>([
    ['patch', (values) => ({ patch: values })],
    ['work_order', (values) => ({ work_order: values })],
    ['the operation itself', (values) => values],
  ])('may all stand in %s', async (_, place) => {
    const { admin, ctx, made } = await setUp()
    const label = await addLabel(ctx, { title: 'checkout', color: 'teal' })
    const phase = await addPhase(ctx, { title: 'One' })
    const { connectedContext, ...other } = await made({ title: 'Other' })
    expect(connectedContext).toEqual([])
    const link = { resourceType: 'work_order', resourceId: other.id }
    const plan = {
      files: [{ path: 'src/a.ts', action: 'modify', description: 'Round once.' }],
      markdown_content: 'First.',
    }
    const workOrder = await made(
      place({
        title: 'Round',
        markdown_content: '# Why\n',
        status: 'in_review',
        priority: 'urgent',
        type: 'build',
        assignee_id: admin.userId,
        phase_id: phase.id,
        label_ids: [label.id],
        implementation_plan: plan,
        connectedContext: [link],
      }),
    )
    expect(workOrder).toMatchObject({
      work_order_number: 2,
      title: 'Round',
      markdown_content: '# Why\n',
      status: 'in_review',
      priority: 'urgent',
      type: 'build',
      assignee: { id: admin.userId, name: admin.name, email: admin.email },
      phase: { object: 'phase', id: phase.id, phase_id: phase.id, phase_number: 1, title: 'One' },
      labels: [{ object: 'label', id: label.id, title: 'checkout', color: 'teal', archived: false }],
      implementation_plan: plan,
      connectedContext: [link],
    })
  })

  it('may be spread over all three places', async () => {
    const { made } = await setUp()
    const workOrder = await made({ patch: { title: 'T' }, work_order: { status: 'ready' }, priority: 'low' })
    expect(workOrder).toMatchObject({ title: 'T', status: 'ready', priority: 'low' })
  })

  it.each([{}, { patch: {} }, { patch: null }, { work_order: {} }])('have defaults: %j', async (operation) => {
    const { made } = await setUp()
    expect(await made(operation)).toMatchObject({
      title: 'Untitled work order',
      markdown_content: '',
      status: 'backlog',
      priority: 'no_priority',
      type: 'none',
      assignee: null,
      phase: null,
      labels: [],
      implementation_plan: null,
      connectedContext: [],
    })
  })

  it('may be null where null means none', async () => {
    const { made } = await setUp()
    const none = { assignee_id: null, assignee_email: null, phase_id: null, phase_number: null }
    const workOrder = await made({ patch: { ...none, implementation_plan: null } })
    expect(workOrder).toMatchObject({ assignee: null, phase: null, implementation_plan: null })
  })

  it.each([
    ...STATUSES.map((value) => ['status', value]),
    ...PRIORITIES.map((value) => ['priority', value]),
    ...TYPES.map((value) => ['type', value]),
  ] as [string, string][])('may have the %s "%s"', async (name, value) => {
    const { made } = await setUp()
    expect((await made({ patch: { [name]: value } }))[name]).toBe(value)
  })

  it('name the assignee by e-mail in any case, and the phase by number', async () => {
    const { admin, ctx, made } = await setUp()
    const phase = await addPhase(ctx, { title: 'One' })
    const workOrder = await made({ patch: { assignee_email: admin.email.toUpperCase(), phase_number: 1 } })
    expect(workOrder.assignee.id).toBe(admin.userId)
    expect(workOrder.phase.id).toBe(phase.id)
  })

  it('fold a label that is given twice', async () => {
    const { ctx, made } = await setUp()
    const { id } = await addLabel(ctx, { title: 'a', color: 'red' })
    expect((await made({ patch: { label_ids: [id, id.toUpperCase()] } })).labels).toHaveLength(1)
  })

  it('complete a plan that leaves parts out', async () => {
    const { made } = await setUp()
    const shapes: [unknown, unknown][] = [
      [{}, { files: [], markdown_content: '' }],
      [{ markdown_content: 'x' }, { files: [], markdown_content: 'x' }],
      [
        { files: [{ path: 'a', action: 'create' }] },
        { files: [{ path: 'a', action: 'create', description: '' }], markdown_content: '' },
      ],
    ]
    for (const [sent, shown] of shapes)
      expect((await made({ patch: { implementation_plan: sent } })).implementation_plan).toEqual(shown)
  })

  it('take a title of 500 characters', async () => {
    const { made } = await setUp()
    for (const title of ['x'.repeat(500), '😀'.repeat(500)])
      expect((await made({ patch: { title } })).title).toBe(title)
  })
})

describe('a bad value fails its operation alone', () => {
  it.each([
    ['status', 'done', STATUSES],
    ['status', 'Ready', STATUSES],
    ['priority', 'highest', PRIORITIES],
    ['type', 'bug', TYPES],
  ])('naming the allowed ones: %s "%s"', async (name, value, allowed) => {
    const { failure } = await setUp()
    const message = await failure({ patch: { [name]: value } })
    expect(message).toContain(name)
    for (const one of allowed) expect(message).toContain(one)
  })

  it.each<[string, unknown]>([
    ['title', ''],
    ['title', '   '],
    ['title', null],
    ['title', 7],
    ['title', 'x'.repeat(501)],
    ['title', 'bell\u0007'],
    ['markdown_content', null],
    ['markdown_content', 'nul\u0000'],
    ['markdown_content', 'x'.repeat(2_000_001)],
    ['status', null],
    ['type', null],
    ['assignee_id', 'ada'],
    ['assignee_id', NEVER],
    ['assignee_email', 'nobody@example.org'],
    ['assignee_email', 'no address'],
    ['phase_id', NEVER],
    ['phase_id', 1],
    ['phase_number', 9],
    ['phase_number', '1'],
    ['phase_number', 1.5],
    ['label_ids', NEVER],
    ['label_ids', [NEVER]],
    ['label_ids', null],
    ['implementation_plan', 'First this.'],
    ['implementation_plan', { files: [{ path: 'a', action: 'rename' }] }],
    ['implementation_plan', { files: [{ action: 'create' }] }],
    ['implementation_plan', { files: 'a' }],
  ])('%s', async (name, value) => {
    const { failure } = await setUp()
    expect(await failure({ patch: { [name]: value } })).not.toBe('')
  })

  it('naming the actions of a plan', async () => {
    const { failure } = await setUp()
    const plan = { files: [{ path: 'a', action: 'rename', description: '' }], markdown_content: '' }
    const message = await failure({ patch: { implementation_plan: plan } })
    for (const action of ['create', 'modify', 'delete']) expect(message).toContain(action)
  })

  it('when person, phase or label belong to another project', async () => {
    const [{ failure }, theirs] = [await setUp(), await setUp()]
    const label = await addLabel(theirs.ctx, { title: 'a', color: 'red' })
    const phase = await addPhase(theirs.ctx, { title: 'One' })
    for (const patch of [
      { assignee_id: theirs.admin.userId },
      { assignee_email: theirs.admin.email },
      { label_ids: [label.id] },
      { phase_id: phase.id },
    ])
      expect(await failure({ patch })).toContain(String(Object.values(patch)[0]))
  })

  it.each(['UpdateStatus', 'DeleteWorkOrder', 'createWorkOrder', 'Nonsense', 'toString', ''])(
    'when its type is "%s", naming the one that is possible',
    async (type) => {
      const { failure } = await setUp()
      expect(await failure({ operation_type: type })).toContain('CreateWorkOrder')
    },
  )
})

it('names unknown fields in the message and creates all the same', async () => {
  const { api, send } = await setUp()
  const [result] = await send({ patch: { title: 'Known', sprint: 4 }, work_order: { points: 3 }, urgent: true })
  expect(result!.status).toBe('succeeded')
  for (const name of ['sprint', 'points', 'urgent']) expect(result!.message).toContain(name)
  expect((await api.get('/work_orders')).body.items[0].title).toBe('Known')
})
