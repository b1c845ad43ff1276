import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, signedIn } from '../../conversations/person.factory.ts'
import { addLabel, addPhase, changeLabel, LABEL_COLORS, renamePhase, reorderPhases } from '../index.ts'
import { createWorkOrder } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const { api } = project.admin
  const items = async (path: string) => {
    const { status, body } = await api.get(`/work_orders/${path}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['items'])
    return body.items
  }
  const titles = async (path: string) => (await items(path)).map((item: { title: string }) => item.title)
  return { project, api, ctx: project.operator, items, titles }
}

const eventsOf = (projectId: string, subjectId: string) => ws.sql<{ kind: string }[]>`
  select kind from events where project_id = ${projectId} and subject_id = ${subjectId} order by id`

describe('labels', () => {
  it('are none in a new project', async () => {
    const { items } = await setUp()
    expect(await items('labels')).toEqual([])
  })

  it('carry every documented field', async () => {
    const { ctx, items } = await setUp()
    const { id } = await addLabel(ctx, { title: 'checkout', color: 'gray' })
    expect(await items('labels')).toEqual([{ object: 'label', id, title: 'checkout', color: 'gray', archived: false }])
  })

  it('come in the order of their titles, whatever their case', async () => {
    const { ctx, titles } = await setUp()
    for (const title of ['cart', 'Delivery', 'accounts', 'Billing']) await addLabel(ctx, { title, color: 'gray' })
    expect(await titles('labels')).toEqual(['accounts', 'Billing', 'cart', 'Delivery'])
  })

  it('have exactly the nine colors', async () => {
    expect([...LABEL_COLORS]).toEqual(['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'])
    const { ctx, items } = await setUp()
    for (const color of LABEL_COLORS) await addLabel(ctx, { title: color, color })
    for (const { title, color } of await items('labels')) expect(color).toBe(title)
  })

  it('are shown when archived only to who asks, in the same order', async () => {
    const { ctx, titles } = await setUp()
    const old = await addLabel(ctx, { title: 'b-old', color: 'red' })
    await addLabel(ctx, { title: 'c', color: 'red' })
    await addLabel(ctx, { title: 'a', color: 'red' })
    await changeLabel(ctx, old.id, { archived: true })
    expect(await titles('labels')).toEqual(['a', 'c'])
    for (const no of ['false', 'False', 'FALSE'])
      expect(await titles(`labels?include_archived=${no}`)).toEqual(['a', 'c'])
    for (const yes of ['true', 'True', 'TRUE'])
      expect(await titles(`labels?include_archived=${yes}`)).toEqual(['a', 'b-old', 'c'])
    await changeLabel(ctx, old.id, { archived: false })
    expect(await titles('labels')).toEqual(['a', 'b-old', 'c'])
  })

  it.each(['maybe', '2', 'truely', 'true,false'])('refuse include_archived=%s', async (value) => {
    const { api } = await setUp()
    const { status, body } = await api.get(`/work_orders/labels?include_archived=${value}`)
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/include_archived')
  })

  it('stay, archived, renamed and recoloured, on the work orders that have them', async () => {
    const { api, ctx } = await setUp()
    const label = await addLabel(ctx, { title: 'old', color: 'red' })
    const { id } = await createWorkOrder(api, { label_ids: [label.id] })
    await changeLabel(ctx, label.id, { title: 'new', color: 'blue', archived: true })
    const { body } = await api.get(`/work_orders/${id}`)
    expect(body.data.labels).toEqual([{ object: 'label', id: label.id, title: 'new', color: 'blue', archived: true }])
  })

  it('have titles that differ, whatever their case', async () => {
    const { ctx, titles } = await setUp()
    await addLabel(ctx, { title: 'checkout', color: 'gray' })
    const other = await addLabel(ctx, { title: 'cart', color: 'gray' })
    await expect(addLabel(ctx, { title: 'Checkout', color: 'red' })).rejects.toMatchObject({ status: 409 })
    await expect(changeLabel(ctx, other.id, { title: 'CHECKOUT' })).rejects.toMatchObject({ status: 409 })
    expect(await titles('labels')).toEqual(['cart', 'checkout'])
    expect((await changeLabel(ctx, other.id, { title: 'Cart' })).title).toBe('Cart')
  })

  it('belong to one project', async () => {
    const [mine, theirs] = [await setUp(), await setUp()]
    const label = await addLabel(theirs.ctx, { title: 'theirs', color: 'gray' })
    await addLabel(mine.ctx, { title: 'THEIRS', color: 'gray' })
    expect(await mine.titles('labels')).toEqual(['THEIRS'])
    await expect(changeLabel(mine.ctx, label.id, { title: 'mine' })).rejects.toMatchObject({ status: 404 })
    expect(await theirs.titles('labels')).toEqual(['theirs'])
  })

  it('leave an event with every change', async () => {
    const { project, ctx } = await setUp()
    const { id } = await addLabel(ctx, { title: 'a', color: 'gray' })
    await changeLabel(ctx, id, { archived: true })
    expect((await eventsOf(project.id, id)).map((event) => event.kind)).toEqual(['label.created', 'label.updated'])
  })
})

describe('phases', () => {
  it('are none in a new project', async () => {
    const { items } = await setUp()
    expect(await items('phases')).toEqual([])
  })

  it('carry every documented field, phase_id being the id', async () => {
    const { ctx, items } = await setUp()
    const { id } = await addPhase(ctx, { title: 'First release' })
    expect(await items('phases')).toEqual([
      { object: 'phase', id, phase_id: id, phase_number: 1, title: 'First release' },
    ])
  })

  it('come in the order of their numbers, a new one last', async () => {
    const { ctx, items, titles } = await setUp()
    for (const title of ['Zero', 'Alpha', 'Mid']) await addPhase(ctx, { title })
    expect(await titles('phases')).toEqual(['Zero', 'Alpha', 'Mid'])
    expect((await items('phases')).map((phase: { phase_number: number }) => phase.phase_number)).toEqual([1, 2, 3])
  })

  it('get new numbers when they are reordered, on their work orders too', async () => {
    const { api, ctx, titles } = await setUp()
    const [a, b, c] = [
      await addPhase(ctx, { title: 'a' }),
      await addPhase(ctx, { title: 'b' }),
      await addPhase(ctx, { title: 'c' }),
    ]
    const { id } = await createWorkOrder(api, { phase_number: 1 })
    await reorderPhases(ctx, [c.id, a.id, b.id])
    expect(await titles('phases')).toEqual(['c', 'a', 'b'])
    const { body } = await api.get(`/work_orders/${id}`)
    expect(body.data.phase).toEqual({ object: 'phase', id: a.id, phase_id: a.id, phase_number: 2, title: 'a' })
    const { phaseNumber } = await addPhase(ctx, { title: 'd' })
    expect(phaseNumber).toBe(4)
  })

  it('refuse an order that does not name each of them once', async () => {
    const { ctx, titles } = await setUp()
    const [a, b] = [await addPhase(ctx, { title: 'a' }), await addPhase(ctx, { title: 'b' })]
    for (const order of [[], [a.id], [a.id, a.id], [a.id, b.id, b.id]])
      await expect(reorderPhases(ctx, order)).rejects.toMatchObject({ status: 422 })
    expect(await titles('phases')).toEqual(['a', 'b'])
  })

  it('show a new title on their work orders', async () => {
    const { api, ctx } = await setUp()
    const phase = await addPhase(ctx, { title: 'old' })
    const { id } = await createWorkOrder(api, { phase_id: phase.id })
    await renamePhase(ctx, phase.id, 'new')
    expect((await api.get(`/work_orders/${id}`)).body.data.phase.title).toBe('new')
    expect((await api.get('/work_orders')).body.items[0].phase.title).toBe('new')
  })

  it('belong to one project', async () => {
    const [mine, theirs] = [await setUp(), await setUp()]
    const phase = await addPhase(theirs.ctx, { title: 'theirs' })
    expect(await mine.items('phases')).toEqual([])
    await expect(renamePhase(mine.ctx, phase.id, 'mine')).rejects.toMatchObject({ status: 404 })
    await expect(reorderPhases(mine.ctx, [phase.id])).rejects.toMatchObject({ status: 422 })
  })

  it('are numbered without duplicates when made at the same time', async () => {
    const { ctx, items } = await setUp()
    await Promise.all(Array.from({ length: 20 }, (_, index) => addPhase(ctx, { title: `Phase ${index}` })))
    const numbers = (await items('phases')).map((phase: { phase_number: number }) => phase.phase_number)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('leave an event with every change', async () => {
    const { project, ctx } = await setUp()
    const { id } = await addPhase(ctx, { title: 'a' })
    await renamePhase(ctx, id, 'b')
    expect((await eventsOf(project.id, id)).map((event) => event.kind)).toEqual(['phase.created', 'phase.updated'])
  })
})

it.each(['labels', 'phases'])(
  'keeps a title of %s that the sender of a new one has not seen, and names both',
  async (kind) => {
    const { call } = await signedIn(ws)
    const { data } = await json(call('POST', `/work_orders/${kind}`, { title: 'old' }))
    const rename = (title: string, expected_title: string) =>
      call('PATCH', `/work_orders/${kind}/${data.id}`, { title, expected_title })
    expect((await rename('theirs', 'old')).status).toBe(200)
    const refused = await rename('mine', 'old')
    expect(refused.status).toBe(412)
    expect((await json(refused)).detail).toContain('The title is "theirs" now, not "old".')
    // The answer of an earlier attempt may be lost.
    expect((await rename('theirs', 'old')).status).toBe(200)
    expect((await json(call('GET', `/work_orders/${kind}`))).items).toMatchObject([{ title: 'theirs' }])
  },
)

it('refuses every change of labels and phases by a viewer', async () => {
  const { project, ctx } = await setUp()
  const label = await addLabel(ctx, { title: 'a', color: 'gray' })
  const phase = await addPhase(ctx, { title: 'a' })
  const viewer = { ...project.operator, actor: { ...project.operator.actor, projectRole: 'viewer' as const } }
  const attempts = [
    async () => addLabel(viewer, { title: 'b', color: 'gray' }),
    async () => changeLabel(viewer, label.id, { title: 'b' }),
    async () => addPhase(viewer, { title: 'b' }),
    async () => renamePhase(viewer, phase.id, 'b'),
    async () => reorderPhases(viewer, [phase.id]),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 403 })
})
