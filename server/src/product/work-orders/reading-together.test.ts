import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { connect, inTransaction } from '../../kernel/database/index.ts'
import { addLabel, addPhase, changeLabel, renamePhase } from './index.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

describe('many reads at once', () => {
  it('are each answered with what they asked for', async () => {
    const { admin } = await ws.project()
    const stranger = await ws.project()
    const foreign = await createWorkOrder(stranger.admin.api, { title: 'Not yours' })
    const titles = Array.from({ length: 150 }, (_, index) => ({ title: `Work order ${index}` }))
    const created = await createWorkOrders(admin.api, ...titles)
    const ids = created.flatMap(({ id }, index) => [
      { id, title: `Work order ${index}` },
      { id: id.toUpperCase(), title: `Work order ${index}` },
      { id: index % 2 ? randomUUID() : foreign.id, title: undefined },
    ])
    const answers = await Promise.all([
      ...ids.map(({ id }) => admin.api.get(`/work_orders/${id}`)),
      stranger.admin.api.get(`/work_orders/${foreign.id}`),
    ])
    expect(answers.pop()!.body.data.title).toBe('Not yours')
    for (const [index, { title }] of ids.entries()) {
      expect(answers[index]!.status).toBe(title ? 200 : 404)
      expect(answers[index]!.body.data?.title).toBe(title)
    }
  })

  it('of the same page give everyone the page of their own project, with its own request id', async () => {
    const projects = await Promise.all([ws.project(), ws.project()])
    for (const { admin, name } of projects) await createWorkOrder(admin.api, { title: name })
    const asked = Array.from({ length: 20 }, (_, index) => ({ ...projects[index % 2]!, request: `r${index}` }))
    const answers = await Promise.all(
      asked.map(({ admin, request }) => admin.api.get('/work_orders?page_size=1', { 'x-request-id': request })),
    )
    for (const [index, { name, request }] of asked.entries()) {
      expect(answers[index]!.body).toMatchObject({ total: 1, items: [{ title: name }] })
      expect(answers[index]!.headers).toMatchObject({
        'x-request-id': request,
        link: expect.stringContaining('rel="first"'),
        'content-type': 'application/json; charset=utf-8',
      })
    }
  })

  it('of the same bad page are all refused', async () => {
    const { admin } = await ws.project()
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.api.get('/work_orders?page=0')))
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
  })

  it('never show a list as it was before an acknowledged write', async () => {
    const { admin } = await ws.project()
    const seen: number[] = []
    for (let count = 1; count <= 20; count++) {
      const early = admin.api.get('/work_orders')
      await createWorkOrder(admin.api)
      seen.push((await admin.api.get('/work_orders')).body.total)
      await early
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })
})

describe('names that were shown already', () => {
  async function setUp() {
    const project = await ws.project()
    const label = await addLabel(project.operator, { title: 'slow', color: 'red' })
    const phase = await addPhase(project.operator, { title: 'Now' })
    const { id } = await createWorkOrder(project.admin.api, {
      label_ids: [label.id],
      phase_id: phase.id,
      assignee_id: project.admin.userId,
    })
    const sql = connect(ws.where, { max: 2 })
    const elsewhere = ws.client(project.admin.key, await ws.node({ sql }))
    const read = async () => {
      const [here, there, listed] = await Promise.all([
        project.admin.api.get(`/work_orders/${id}`),
        elsewhere.get(`/work_orders/${id}`),
        project.admin.api.get('/work_orders'),
      ])
      expect(there.body).toEqual(here.body)
      expect(there.headers.etag).toBe(here.headers.etag)
      const { labels, phase, assignee } = here.body.data
      expect(listed.body.items[0]).toMatchObject({ labels, phase, assignee })
      return { label: labels[0].title, phase: phase.title, assignee: assignee?.name, etag: here.headers.etag }
    }
    return { project, label, phase, read, close: () => sql.end() }
  }

  it('show a change on every node at once', async () => {
    const { project, label, phase, read, close } = await setUp()
    const first = await read()
    expect(first).toMatchObject({ label: 'slow', phase: 'Now', assignee: project.admin.name })
    await changeLabel(project.operator, label.id, { title: 'quick' })
    const second = await read()
    expect(second).toMatchObject({ label: 'quick', phase: 'Now' })
    expect(second.etag).not.toBe(first.etag)
    await renamePhase(project.operator, phase.id, 'Later')
    expect(await read()).toMatchObject({ label: 'quick', phase: 'Later' })
    await ws.sql`update users set name = 'Grace' where id = ${project.admin.userId}`
    expect(await read()).toMatchObject({ phase: 'Later', assignee: 'Grace' })
    await close()
  })

  it('stay as they are when a change is undone', async () => {
    const { project, label, read, close } = await setUp()
    await read()
    const undone = inTransaction({ db: ws.sql }, async ({ db: tx }) => {
      await changeLabel({ ...project.operator, db: tx }, label.id, { title: 'never' })
      expect(await read()).toMatchObject({ label: 'slow' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await read()).toMatchObject({ label: 'slow' })
    await close()
  })
})

describe('a work order that was read already', () => {
  const expectGone = async (read: Promise<{ status: number }>) => expect((await read).status).toBe(404)

  it('is shown as it is now, whatever changes it', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api, { title: 'One' })
    const other = await createWorkOrder(admin.api)
    const read = async () => (await admin.api.get(`/work_orders/${id}`)).body.data
    const first = await read()
    expect(await read()).toEqual(first)
    await admin.api.patch(`/work_orders/${id}/description`, { markdown_content: 'New.' })
    expect(await read()).toMatchObject({ markdown_content: 'New.', title: 'One' })
    const connect = (connectedContext: object[]) =>
      admin.api.post('/work_orders/batch_update', {
        request_id: randomUUID(),
        operations: [
          {
            operation_id: 'a',
            operation_type: 'UpdateConnectedContext',
            target: { work_order_id: other.id },
            patch: { connectedContext },
          },
        ],
      })
    expect((await connect([{ resourceType: 'work_order', resourceId: id }])).body.status).toBe('Succeeded')
    expect((await read()).connectedContext).toMatchObject([{ resourceId: other.id }])
    await connect([])
    expect((await read()).connectedContext).toEqual([])
    await admin.api.delete(`/work_orders/${id}`)
    await expectGone(admin.api.get(`/work_orders/${id}`))
    await expectGone(admin.api.get(`/work_orders/${id}`))
  })

  it('is not there for another project', async () => {
    const [{ admin }, stranger] = await Promise.all([ws.project(), ws.project()])
    const { id } = await createWorkOrder(admin.api)
    await admin.api.get(`/work_orders/${id}`)
    await expectGone(stranger.admin.api.get(`/work_orders/${id}`))
    expect((await admin.api.get(`/work_orders/${id}`)).status).toBe(200)
  })
})
