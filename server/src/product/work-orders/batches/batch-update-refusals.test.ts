import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']
const UPDATE_TYPES = [
  'UpdateWorkOrder',
  'UpdateStatus',
  'UpdateTitle',
  'UpdateDescription',
  'UpdatePriority',
  'UpdateType',
  'UpdateAssignee',
  'UpdatePhase',
  'UpdateLabels',
  'UpdateImplementationPlan',
  'UpdateConnectedContext',
  'DeleteWorkOrder',
]

async function setUp() {
  const { api } = (await ws.project()).admin
  const { id } = await createWorkOrder(api)
  const read = async () => (await api.get(`/work_orders/${id}`)).body.data
  /** Sends an operation that must fail and change nothing. */
  const failure = async (operation: Record<string, unknown>): Promise<string> => {
    const before = await read()
    const { status, body } = await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: [{ operation_id: 'a', target: { work_order_id: id }, ...operation }],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'Failed', results: { a: { operation_id: 'a', status: 'failed' } } })
    expect(await read()).toEqual(before)
    return body.results.a.message
  }
  return { failure }
}

describe('an operation of batch_update', () => {
  it.each(['CreateWorkOrder', 'Nonsense', 'updateStatus', 'constructor', ''])(
    'fails when its type is "%s", naming the possible ones',
    async (type) => {
      const { failure } = await setUp()
      const message = await failure({ operation_type: type, patch: { status: 'ready' } })
      for (const one of UPDATE_TYPES) expect(message).toContain(one)
    },
  )

  it('fails when its type is long and unknown, not the envelope', async () => {
    const { failure } = await setUp()
    expect(await failure({ operation_type: 'x'.repeat(101) })).toContain('UpdateStatus')
  })

  it.each([
    ['missing', { target: undefined }],
    ['null', { target: null }],
    ['empty', { target: {} }],
    ['a text', { target: NEVER }],
    ['by a bad id', { target: { work_order_id: 'abc' } }],
    ['by null', { target: { work_order_id: null } }],
    ['by a number as text', { target: { work_order_number: '1' } }],
    ['by a number that never was', { target: { work_order_number: 2_147_483_648 } }],
    ['by an id that never was', { target: { work_order_id: NEVER } }],
  ])('fails when its target is %s', async (_, operation) => {
    const { failure } = await setUp()
    expect(await failure({ operation_type: 'UpdateTitle', patch: { title: 'x' }, ...operation })).not.toBe('')
  })

  it.each(UPDATE_TYPES.slice(1, -1))('%s fails without its value', async (type) => {
    const { failure } = await setUp()
    for (const patch of [undefined, {}, { sprint: 4 }])
      expect(await failure({ operation_type: type, patch })).not.toBe('')
  })

  it.each<[string, Record<string, unknown>, string[]]>([
    ['UpdateStatus', { status: 'done' }, STATUSES],
    ['UpdatePriority', { priority: 'p1' }, ['no_priority', 'low', 'medium', 'high', 'urgent']],
    ['UpdateType', { type: 'bug' }, ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore']],
    ['UpdateStatus', { status: null }, []],
    ['UpdateTitle', { title: '' }, []],
    ['UpdateTitle', { title: null }, []],
    ['UpdateDescription', { markdown_content: null }, []],
    ['UpdateAssignee', { assignee_id: NEVER }, [NEVER]],
    ['UpdateAssignee', { assignee_email: 'nobody@example.org' }, ['nobody@example.org']],
    ['UpdatePhase', { phase_id: NEVER }, [NEVER]],
    ['UpdatePhase', { phase_number: 9 }, ['9']],
    ['UpdateLabels', { label_ids: [NEVER] }, [NEVER]],
    ['UpdateLabels', { label_ids: null }, []],
    ['UpdateConnectedContext', { connectedContext: null }, []],
    ['UpdateWorkOrder', { title: 'Good', status: 'done' }, STATUSES],
  ])('%s fails with %j and changes nothing', async (type, patch, named) => {
    const { failure } = await setUp()
    const message = await failure({ operation_type: type, patch })
    expect(message).not.toBe('')
    for (const one of named) expect(message).toContain(one)
  })
})
