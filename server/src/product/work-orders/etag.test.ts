import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addLabel, addPhase, changeLabel, renamePhase, reorderPhases } from './index.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const { api } = project.admin
  const ctx = project.operator
  const label = await addLabel(ctx, { title: 'checkout', color: 'gray' })
  const phases = [await addPhase(ctx, { title: 'One' }), await addPhase(ctx, { title: 'Two' })]
  const [other] = await createWorkOrders(api, { title: 'Other' })
  const { id } = await createWorkOrder(api, {
    label_ids: [label.id],
    phase_id: phases[0]!.id,
    connectedContext: [{ resourceType: 'work_order', resourceId: other!.id }],
  })
  const path = `/work_orders/${id}`
  const etag = async (query = '') => (await api.get(path + query)).headers.etag!
  const change = (operation: Record<string, unknown>, target = id) =>
    api.post('/work_orders/batch_update', {
      request_id: 'change',
      operations: [
        { operation_id: 'only', operation_type: 'UpdateWorkOrder', target: { work_order_id: target }, ...operation },
      ],
    })
  return { ...project, api, ctx, label, phases, other: other!.id, id, path, etag, change }
}
type Setting = Awaited<ReturnType<typeof setUp>>

describe('the ETag', () => {
  it('is strong and stays while nothing changes', async () => {
    const { etag } = await setUp()
    const first = await etag()
    expect(first).toMatch(/^"[^"]+"$/)
    expect(await etag()).toBe(first)
  })

  it.each<[string, (setting: Setting) => Promise<unknown>]>([
    ['the description', ({ api, path }) => api.patch(`${path}/description`, { markdown_content: 'New' })],
    ['the title', ({ change }) => change({ patch: { title: 'New' } })],
    ['the status', ({ change }) => change({ patch: { status: 'ready' } })],
    ['the priority', ({ change }) => change({ patch: { priority: 'low' } })],
    ['the type', ({ change }) => change({ patch: { type: 'fix' } })],
    ['the plan', ({ change }) => change({ patch: { implementation_plan: { files: [], markdown_content: 'x' } } })],
    ['the phase', ({ change, phases }) => change({ patch: { phase_id: phases[1]!.id } })],
    ['the assignee', ({ change, admin }) => change({ patch: { assignee_id: admin.userId } })],
    ['the labels', ({ change }) => change({ patch: { label_ids: [] } })],
    ['the context', ({ change }) => change({ patch: { connectedContext: [] } })],
    ['the context from its other end', ({ change, other }) => change({ patch: { connectedContext: [] } }, other)],
    ['the title of a label', ({ ctx, label }) => changeLabel(ctx, label.id, { title: 'cart' })],
    ['the color of a label', ({ ctx, label }) => changeLabel(ctx, label.id, { color: 'red' })],
    ['whether a label is archived', ({ ctx, label }) => changeLabel(ctx, label.id, { archived: true })],
    ['the title of its phase', ({ ctx, phases }) => renamePhase(ctx, phases[0]!.id, 'Zero')],
    ['the number of its phase', ({ ctx, phases: [a, b] }) => reorderPhases(ctx, [b!.id, a!.id])],
    ['whether a connected work order exists', ({ api, other }) => api.delete(`/work_orders/${other}`)],
  ])('changes with %s', async (_, act) => {
    const setting = await setUp()
    const before = await setting.etag()
    await act(setting)
    expect(await setting.etag()).not.toBe(before)
  })

  it('of the expanded view changes with what the connected work order says', async () => {
    const { api, etag, other } = await setUp()
    const before = await etag('?expand_context=true')
    await api.patch(`/work_orders/${other}/description`, { markdown_content: 'New' })
    expect(await etag('?expand_context=true')).not.toBe(before)
  })

  it('of the expanded view differs from that of the plain one', async () => {
    const { etag } = await setUp()
    expect(await etag('?expand_context=true')).not.toBe(await etag())
  })

  it('comes with the answer of a write', async () => {
    const { api, path, etag } = await setUp()
    const { headers } = await api.patch(`${path}/description`, { markdown_content: 'New' })
    expect(headers.etag).toBe(await etag())
  })
})

describe('If-None-Match', () => {
  it.each([
    ['the tag', (tag: string) => tag],
    ['a list with the tag', (tag: string) => `"other", ${tag}`],
    ['the tag as a weak one', (tag: string) => `W/${tag}`],
    ['anything', () => '*'],
  ])('with %s gives 304 without a body', async (_, header) => {
    const { api, path, etag } = await setUp()
    const tag = await etag()
    const { status, text, headers } = await api.get(path, { 'if-none-match': header(tag) })
    expect(status).toBe(304)
    expect(text).toBe('')
    expect(headers.etag).toBe(tag)
  })

  it('gives 304 by number too', async () => {
    const { api, etag } = await setUp()
    const { status } = await api.get('/work_orders/by_number/2', { 'if-none-match': await etag() })
    expect(status).toBe(304)
  })

  it('gives the whole answer once it changed', async () => {
    const { api, path, etag, change } = await setUp()
    const tag = await etag()
    await change({ patch: { status: 'ready' } })
    const { status, body } = await api.get(path, { 'if-none-match': tag })
    expect(status).toBe(200)
    expect(body.data.status).toBe('ready')
  })

  it('does not take the tag of the plain view for the expanded one', async () => {
    const { api, path, etag } = await setUp()
    const { status } = await api.get(`${path}?expand_context=true`, { 'if-none-match': await etag() })
    expect(status).toBe(200)
  })
})

describe('If-Match', () => {
  it.each([
    ['the tag', (tag: string) => tag],
    ['a list with the tag', (tag: string) => `"other", ${tag}`],
    ['anything', () => '*'],
  ])('with %s lets a write through', async (_, header) => {
    const { api, path, etag } = await setUp()
    const headers = { 'if-match': header(await etag()) }
    expect((await api.patch(`${path}/description`, { markdown_content: 'New' }, headers)).status).toBe(200)
    const again = { 'if-match': header(await etag()) }
    expect((await api.delete(path, again)).status).toBe(204)
  })

  it('takes the tag of the expanded view while the work order stands still', async () => {
    const { api, path, etag } = await setUp()
    const headers = { 'if-match': await etag('?expand_context=true') }
    expect((await api.patch(`${path}/description`, { markdown_content: 'New' }, headers)).status).toBe(200)
    expect((await api.patch(`${path}/description`, { markdown_content: 'Late' }, headers)).status).toBe(412)
  })

  it('refuses a write on an older state with 412 and the current tag', async () => {
    const { api, path, etag } = await setUp()
    const headers = { 'if-match': await etag() }
    await api.patch(`${path}/description`, { markdown_content: 'First' })
    const late = await api.patch(`${path}/description`, { markdown_content: 'Late' }, headers)
    expect(late.status).toBe(412)
    expect(late.headers['content-type']).toContain('application/problem+json')
    expect(late.body).toMatchObject({ status: 412, current_etag: await etag() })
    const deleted = await api.delete(path, headers)
    expect(deleted.status).toBe(412)
    expect(deleted.body.current_etag).toBe(await etag())
    expect((await api.get(path)).body.data.markdown_content).toBe('First')
  })

  it('lets a retry with current_etag through', async () => {
    const { api, path } = await setUp()
    const write = (tag: string) => api.patch(`${path}/description`, { markdown_content: 'x' }, { 'if-match': tag })
    const { body } = await write('"old"')
    expect((await write(body.current_etag)).status).toBe(200)
  })

  it.each(['"old"', '', 'old', 'W/"old"'])('with %j refuses', async (header) => {
    const { api, path } = await setUp()
    expect((await api.delete(path, { 'if-match': header })).status).toBe(412)
    expect((await api.get(path)).status).toBe(200)
  })

  it('never takes a weak tag', async () => {
    const { api, path, etag } = await setUp()
    expect((await api.delete(path, { 'if-match': `W/${await etag()}` })).status).toBe(412)
  })

  it('is looked at after the body and after 404', async () => {
    const { api, path } = await setUp()
    const headers = { 'if-match': '"old"' }
    expect((await api.patch(`${path}/description`, { markdown_content: 1 }, headers)).status).toBe(422)
    await api.delete(path)
    expect((await api.delete(path, headers)).status).toBe(404)
    expect((await api.delete(path, { 'if-match': '*' })).status).toBe(404)
  })
})
