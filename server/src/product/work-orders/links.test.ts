import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { registerResources } from '../links/index.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const TYPES = ['requirements_document', 'blueprint', 'work_order', 'theme', 'feedback_item', 'artifact'] as const
const link = (resourceId: string, resourceType = 'work_order') => ({ resourceType, resourceId })

/** Four work orders A, B, C and D, and how to connect them. */
async function setUp() {
  const project = await ws.project()
  const { api } = project.admin
  const created = await createWorkOrders(api, { title: 'A' }, { title: 'B' }, { title: 'C' }, { title: 'D' })
  const [a, b, c, d] = created.map((one) => one.id) as [string, string, string, string]
  const connect = (from: string, ...links: unknown[]) => ({
    operation_type: 'UpdateConnectedContext',
    target: { work_order_id: from },
    patch: { connectedContext: links },
  })
  const remove = (id: string) => ({ operation_type: 'DeleteWorkOrder', target: { work_order_id: id } })
  const send = async (...operations: Record<string, unknown>[]) => {
    const { status, body } = await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: operations.map((operation, index) => ({ operation_id: `${index}`, ...operation })),
    })
    expect(status).toBe(200)
    return Object.values(body.results) as { status: string; message: string }[]
  }
  const contextOf = async (id: string) => (await api.get(`/work_orders/${id}`)).body.data.connectedContext
  const namesOf = async (id: string) => {
    const names = new Map([
      [a, 'A'],
      [b, 'B'],
      [c, 'C'],
      [d, 'D'],
    ])
    return (await contextOf(id)).map(({ resourceId }: { resourceId: string }) => names.get(resourceId)).join('')
  }
  const graph = async () => Promise.all([a, b, c, d].map(namesOf))
  return { project, api, a, b, c, d, connect, remove, send, contextOf, namesOf, graph }
}

describe('a connection', () => {
  it('is seen from both ends', async () => {
    const { a, b, connect, send, contextOf } = await setUp()
    await send(connect(a, link(b)))
    expect(await contextOf(a)).toEqual([link(b)])
    expect(await contextOf(b)).toEqual([link(a)])
  })

  it('made with a new work order is seen from both ends', async () => {
    const { api, a, contextOf } = await setUp()
    const { id } = await createWorkOrder(api, { connectedContext: [link(a)] })
    expect(await contextOf(id)).toEqual([link(a)])
    expect(await contextOf(a)).toEqual([link(id)])
  })

  it('is gone from both ends when either end lets go', async () => {
    const { a, b, connect, send, graph } = await setUp()
    await send(connect(a, link(b)))
    await send(connect(b))
    expect(await graph()).toEqual(['', '', '', ''])
  })

  it('keeps the order in which it was given', async () => {
    const { a, b, c, d, connect, send, namesOf } = await setUp()
    await send(connect(a, link(d), link(b), link(c)))
    expect(await namesOf(a)).toBe('DBC')
    await send(connect(a, link(c), link(d), link(b)))
    expect(await namesOf(a)).toBe('CDB')
  })

  it('given twice is one, at its first place', async () => {
    const { a, b, c, connect, send, namesOf } = await setUp()
    const [result] = await send(connect(a, link(c), link(b), link(c), link(c.toUpperCase())))
    expect(result!.status).toBe('succeeded')
    expect(await namesOf(a)).toBe('CB')
  })

  it('given from both ends in one batch is one', async () => {
    const { a, b, connect, send, graph } = await setUp()
    await send(connect(a, link(b)), connect(b, link(a)))
    expect(await graph()).toEqual(['B', 'A', '', ''])
  })

  it.each(TYPES.filter((type) => type !== 'work_order'))('may lead to a %s', async (type) => {
    const { project, api, contextOf } = await setUp()
    const resourceId = uuidv7()
    // The other kinds have no slice yet, only their place in the register.
    await registerResources(ws.sql, project.id, type, [resourceId])
    const { id } = await createWorkOrder(api, { connectedContext: [link(resourceId, type)] })
    expect(await contextOf(id)).toEqual([link(resourceId, type)])
  })
})

describe('a connection that cannot be', () => {
  it('fails its operation alone and names the id', async () => {
    const { api, a, b, c, connect, send, graph } = await setUp()
    const foreign = await createWorkOrder((await ws.project()).admin.api)
    for (const wrong of [NEVER, foreign.id]) {
      const results = await send(connect(a, link(c), link(wrong)), connect(b, link(c)))
      expect(results.map((result) => result.status)).toEqual(['failed', 'succeeded'])
      expect(results[0]!.message).toContain(wrong)
    }
    expect(await graph()).toEqual(['', 'C', 'B', ''])
    expect((await api.get('/work_orders')).body.total).toBe(4)
  })

  it('fails when the kind is another', async () => {
    const { a, b, connect, send, graph } = await setUp()
    const [result] = await send(connect(a, link(b, 'blueprint')))
    expect(result!.status).toBe('failed')
    expect(result!.message).toContain(b)
    expect(await graph()).toEqual(['', '', '', ''])
  })

  it('fails when the kind is unknown, naming the known ones', async () => {
    const { a, b, connect, send } = await setUp()
    const [result] = await send(connect(a, link(b, 'document')))
    expect(result!.status).toBe('failed')
    for (const type of TYPES) expect(result!.message).toContain(type)
  })

  it('fails when it leads to itself', async () => {
    const { a, b, connect, send, graph } = await setUp()
    await send(connect(a, link(b)))
    for (const self of [a, a.toUpperCase()])
      expect((await send(connect(a, link(b), link(self))))[0]!.status).toBe('failed')
    expect(await graph()).toEqual(['B', 'A', '', ''])
  })

  it.each([[['x']], [[null]], [{}], ['x'], [[{ resourceType: 'work_order' }]], [[{ resourceId: NEVER }]]])(
    'fails when it is %j',
    async (connectedContext) => {
      const { a, send } = await setUp()
      const [result] = await send({
        operation_type: 'UpdateWorkOrder',
        target: { work_order_id: a },
        patch: { connectedContext },
      })
      expect(result!.status).toBe('failed')
    },
  )

  it('does not fail by further fields, as the expanded view has them', async () => {
    const { api, a, b, connect, send, contextOf } = await setUp()
    await send(connect(a, link(b)))
    const { body } = await api.get(`/work_orders/${a}?expand_context=true`)
    const [result] = await send(connect(a, ...body.data.connectedContext))
    expect(result!.status).toBe('succeeded')
    expect(result!.message).toContain('title')
    expect(await contextOf(a)).toEqual([link(b)])
  })
})

describe('operations of one batch see each other', () => {
  it('when the other end lets go afterwards', async () => {
    const { a, b, connect, send, graph } = await setUp()
    await send(connect(a, link(b)), connect(b))
    expect(await graph()).toEqual(['', '', '', ''])
  })

  it('when the other end connects elsewhere afterwards', async () => {
    const { a, b, c, connect, send, graph } = await setUp()
    await send(connect(a, link(b)), connect(b, link(c)))
    expect(await graph()).toEqual(['', 'C', 'B', ''])
  })

  it('when one lets go first and is connected again from the other end', async () => {
    const { a, b, connect, send, graph } = await setUp()
    await send(connect(a, link(b)))
    await send(connect(a), connect(b, link(a)))
    expect(await graph()).toEqual(['B', 'A', '', ''])
  })

  it('when the same one is connected twice, the last one counting', async () => {
    const { a, b, c, connect, send, graph } = await setUp()
    await send(connect(a, link(b)), connect(a, link(c)))
    expect(await graph()).toEqual(['C', '', 'A', ''])
  })

  it('and keep the order of the last one that gave it', async () => {
    const { a, c, d, connect, send, namesOf } = await setUp()
    await send(connect(a, link(d)), connect(d, link(c), link(a)))
    expect(await namesOf(d)).toBe('CA')
  })

  it('so that nothing can be connected to what was deleted before', async () => {
    const { a, b, connect, remove, send, namesOf } = await setUp()
    const results = await send(remove(b), connect(a, link(b)))
    expect(results.map((result) => result.status)).toEqual(['succeeded', 'failed'])
    expect(results[1]!.message).toContain(b)
    expect(await namesOf(a)).toBe('')
  })

  it('so that deleting afterwards takes the connection away again', async () => {
    const { a, b, connect, remove, send, namesOf } = await setUp()
    const results = await send(connect(a, link(b)), remove(b))
    expect(results.map((result) => result.status)).toEqual(['succeeded', 'succeeded'])
    expect(await namesOf(a)).toBe('')
  })
})
