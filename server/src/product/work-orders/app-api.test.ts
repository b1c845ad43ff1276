import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addUser } from '../accounts/index.ts'
import { json, type Person, signedIn } from '../conversations/person.factory.ts'
import { addMember, operatorCtx } from '../projects/index.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

async function setUp(...titles: string[]) {
  person = await signedIn(workspace)
  const operations = titles.map((title) => ({
    operation_id: title,
    operation_type: 'CreateWorkOrder',
    patch: { title },
  }))
  if (titles.length === 0) return []
  const made = await json(person.call('POST', '/work_orders/batch_create', { request_id: 'first', operations }))
  return titles.map((title) => made.results[title].work_order_id as string)
}

const get = (path: string) => json(person.call('GET', path))
const change = (id: string, patch: object) =>
  person.call('POST', '/work_orders/batch_update', {
    request_id: 'change',
    operations: [{ operation_id: '1', operation_type: 'UpdateWorkOrder', target: { work_order_id: id }, patch }],
  })

async function findProject() {
  const [project] = await workspace.sql<{ id: string; organizationId: string; name: string }[]>`
    select id, organization_id as "organizationId", name from projects where id = ${person.projectId}`
  return { organizationId: project!.organizationId, operator: operatorCtx(workspace.deps, project!) }
}

/** A second person who is a member of the same project. */
async function colleague(role: 'editor' | 'admin' | 'viewer' = 'editor') {
  const other = await signedIn(workspace)
  await addMember((await findProject()).operator, other.userId, role)
  return {
    ...other,
    call: (method: string, path: string, body?: unknown) =>
      other.call(method, path, body, { 'x-project-id': person.projectId }),
  }
}

describe('rows', () => {
  test('hold every work order with its last change and its number of comments', async () => {
    const [id] = await setUp('Round once')
    const before = await get('/work_orders/rows')
    expect(before).toMatchObject({ is_complete: true, removed_ids: [], items: [{ id, comment_count: 0 }] })
    await person.call('POST', `/work_orders/${id}/comments`, { markdown_content: 'Done.' })
    const [row] = (await get('/work_orders/rows')).items
    expect(row).toMatchObject({ id, work_order_number: 1, title: 'Round once', comment_count: 1, label_ids: [] })
    expect(row.updated_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  test('since a position are those that changed, and the ids of those that are gone', async () => {
    const [a, b, c] = await setUp('A', 'B', 'C')
    // The position stays behind the last seconds, so what happened in them is listed again.
    await workspace.sql`update events set created_at = now() - interval '1 minute' where project_id = ${person.projectId}`
    const { position } = await get('/work_orders/rows')
    expect(await get(`/work_orders/rows?after=${position}`)).toMatchObject({ items: [], removed_ids: [] })
    await change(a!, { priority: 'high' })
    await person.call('DELETE', `/work_orders/${b}`)
    await person.call('POST', `/work_orders/${c}/comments`, { markdown_content: 'Done.' })
    expect(await get(`/work_orders/rows?after=${position}`)).toMatchObject({
      is_complete: false,
      items: [
        { id: c, comment_count: 1 },
        { id: a, priority: 'high' },
      ],
      removed_ids: [b],
    })
    expect((await person.call('GET', '/work_orders/rows?after=x')).status).toBe(422)
  })

  test('go on below a number, and long answers are compressed for those who can read it', async () => {
    const ids = await setUp(...Array.from({ length: 100 }, (_, index) => `Round once ${index}`))
    const below = await get('/work_orders/rows?below=3')
    expect(below).toMatchObject({ items: [{ id: ids[1] }, { id: ids[0] }], next_below: null, is_complete: true })
    const encodingOf = async (accepted: string) => {
      const answer = await person.call('GET', '/work_orders/rows', undefined, { 'accept-encoding': accepted })
      expect((await json(answer)).items).toHaveLength(100)
      return answer.headers.get('content-encoding')
    }
    expect(await encodingOf('gzip, br')).toBe('gzip')
    expect(await encodingOf('gzip;q=0')).toBeNull()
    expect(await encodingOf('identity')).toBeNull()
  })
})

test('an account that cannot sign in and acts as an agent is told from a person', async () => {
  await setUp()
  const { operator, organizationId } = await findProject()
  const add = (name: string) =>
    addUser(workspace.operator, {
      name,
      email: `${name}-${person.projectId}@example.org`,
      organizationId,
      role: 'member',
    })
  const [builder, invited] = [await add('builder'), await add('invited')]
  for (const { id } of [builder, invited]) await addMember(operator, id, 'editor')
  await workspace.sql`insert into events (project_id, kind, subject_type, subject_id, user_id, origin, request_id, payload)
    values (${person.projectId}, 'work_order.updated', 'work_order', ${builder.id}, ${builder.id}, 'agent', 'r', '{"fields": ["title"]}')`
  const { items } = await get('/work_orders/assignees')
  const agents = new Map(items.map((one: { id: string; is_agent: boolean }) => [one.id, one.is_agent]))
  expect([agents.get(builder.id), agents.get(invited.id), agents.get(person.userId)]).toEqual([true, false, false])
})

describe('views', () => {
  const view = { name: 'Ready', query: 'status=ready&view=board' }
  const namesOf = async (by: Pick<Person, 'call'>) =>
    (await json(by.call('GET', '/work_orders/views'))).items.map((one: { name: string }) => one.name)

  test('are saved, renamed and deleted, and only their owner sees a private one', async () => {
    await setUp()
    const other = await colleague()
    const made = await person.call('POST', '/work_orders/views', view)
    expect(made.status).toBe(201)
    const { data } = await json(made)
    expect(data).toMatchObject({ ...view, shared: false, owner_id: person.userId })
    expect([await namesOf(person), await namesOf(other)]).toEqual([['Ready'], []])
    const path = `/work_orders/views/${data.id}`
    expect((await other.call('DELETE', path)).status).toBe(404)
    expect(await json(person.call('PATCH', path, { name: 'Next' }))).toMatchObject({ data: { name: 'Next' } })
    expect((await person.call('DELETE', path)).status).toBe(204)
    expect(await namesOf(person)).toEqual([])
    expect((await person.call('DELETE', path)).status).toBe(404)
    expect((await person.call('POST', '/work_orders/views', { ...view, name: ' ' })).status).toBe(422)
  })

  test('that are shared can be changed by their owner and by an admin, and the log names them', async () => {
    await setUp()
    const [other, admin, viewer] = [await colleague(), await colleague('admin'), await colleague('viewer')]
    const { data } = await json(person.call('POST', '/work_orders/views', { ...view, shared: true }))
    expect([await namesOf(other), await namesOf(viewer)]).toEqual([['Ready'], ['Ready']])
    const path = `/work_orders/views/${data.id}`
    expect((await other.call('PATCH', path, { name: 'Mine' })).status).toBe(403)
    expect((await viewer.call('POST', '/work_orders/views', view)).status).toBe(403)
    expect((await admin.call('PATCH', path, { name: 'Ours' })).status).toBe(200)
    const changes = await json(other.call('GET', `/changes?subject_id=${data.id}`))
    expect(changes.items).toMatchObject([
      { kind: 'work_order_view.updated', payload: { shared: true, name: 'Ours' } },
      { kind: 'work_order_view.created', payload: { shared: true, name: 'Ready' } },
    ])
  })

  test('that are private leave no name in the log, and their events go to nobody else', async () => {
    await setUp()
    const other = await colleague()
    const { data } = await json(person.call('POST', '/work_orders/views', view))
    const [own] = (await get(`/changes?subject_id=${data.id}`)).items
    expect(own.payload).toEqual({ shared: false, owner_id: person.userId })
    expect(await json(other.call('GET', `/changes?subject_id=${data.id}`))).toEqual({ items: [], next_before: null })
  })
})

describe('phases', () => {
  const add = async (title: string) => (await json(person.call('POST', '/work_orders/phases', { title }))).data
  const numbered = async () =>
    (await get('/work_orders/phases')).items.map((one: { phase_number: number; title: string }) => [
      one.phase_number,
      one.title,
    ])

  test('are added, renamed and reordered', async () => {
    await setUp()
    const [a, b] = [await add('A'), await add('B')]
    expect([a, b]).toMatchObject([{ phase_number: 1 }, { phase_number: 2 }])
    expect((await person.call('POST', '/work_orders/phases', { title: '' })).status).toBe(422)
    await person.call('PATCH', `/work_orders/phases/${a.id}`, { title: 'First' })
    expect((await person.call('PUT', '/work_orders/phases/order', { phase_ids: [a.id] })).status).toBe(422)
    const order = await json(person.call('PUT', '/work_orders/phases/order', { phase_ids: [b.id, a.id] }))
    expect(order.items).toMatchObject([
      { id: b.id, phase_number: 1 },
      { id: a.id, phase_number: 2, title: 'First' },
    ])
  })

  test('are deleted only if it is said where their work orders go, and the others close up', async () => {
    const [id] = await setUp('Round once')
    const [a, b, c] = [await add('A'), await add('B'), await add('C')]
    await change(id!, { phase_id: a.id })
    const path = `/work_orders/phases/${a.id}`
    expect((await person.call('DELETE', path)).status).toBe(409)
    expect((await person.call('DELETE', `${path}?move_to=${a.id}`)).status).toBe(404)
    expect((await person.call('DELETE', `${path}?move_to=${b.id}`)).status).toBe(204)
    expect(await numbered()).toEqual([
      [1, 'B'],
      [2, 'C'],
    ])
    expect((await get(`/work_orders/${id}`)).data.phase).toMatchObject({ id: b.id, phase_number: 1 })
    expect((await get(`/changes?subject_id=${id}&limit=1`)).items).toMatchObject([
      { kind: 'work_order.updated', payload: { fields: ['phase'], changes: { phase: { from: 'A', to: 'B' } } } },
    ])
    expect((await person.call('DELETE', `/work_orders/phases/${b.id}?move_to=none`)).status).toBe(204)
    expect((await get(`/work_orders/${id}`)).data.phase).toBeNull()
    expect((await person.call('DELETE', `/work_orders/phases/${c.id}`)).status).toBe(204)
    expect(await add('D')).toMatchObject({ phase_number: 1 })
    expect((await person.call('DELETE', path)).status).toBe(404)
  })
})

test('labels are added, renamed, recoloured, and deleted from every work order', async () => {
  const [id] = await setUp('Round once')
  const answer = await person.call('POST', '/work_orders/labels', { title: 'checkout', color: 'blue' })
  expect(answer.status).toBe(201)
  const label = (await json(answer)).data
  expect((await person.call('POST', '/work_orders/labels', { title: 'checkout' })).status).toBe(409)
  await change(id!, { label_ids: [label.id] })
  const path = `/work_orders/labels/${label.id}`
  const changed = await json(person.call('PATCH', path, { title: 'basket', color: 'red' }))
  expect(changed).toMatchObject({ data: { id: label.id, title: 'basket', color: 'red' } })
  expect((await get(`/work_orders/${id}`)).data.labels).toMatchObject([{ title: 'basket', color: 'red' }])
  expect((await person.call('DELETE', path)).status).toBe(204)
  expect((await get(`/work_orders/${id}`)).data.labels).toEqual([])
  expect((await get('/work_orders/labels')).items).toEqual([])
  expect((await person.call('DELETE', path)).status).toBe(404)
  expect((await get(`/changes?subject_id=${id}&limit=1`)).items).toMatchObject([
    { payload: { fields: ['labels'], changes: { labels: { from: ['basket'], to: [] } } } },
  ])
})

test('what happened to a work order is listed with who did it, page by page', async () => {
  const [id] = await setUp('Round once')
  await change(id!, { priority: 'high', title: 'Round the total once', markdown_content: 'Why' })
  await person.call('POST', `/work_orders/${id}/comments`, { markdown_content: 'Done.' })
  const first = await get(`/changes?subject_id=${id}&limit=2`)
  expect(first.items).toMatchObject([
    { kind: 'work_order.commented', actor: { type: 'person', id: person.userId, name: 'Talker' } },
    {
      kind: 'work_order.updated',
      payload: {
        fields: ['title', 'priority', 'markdown_content'],
        changes: {
          title: { from: 'Round once', to: 'Round the total once' },
          priority: { from: 'no_priority', to: 'high' },
        },
      },
    },
  ])
  const second = await get(`/changes?subject_id=${id}&limit=2&before=${first.next_before}`)
  expect(second).toMatchObject({ items: [{ kind: 'work_order.created' }], next_before: null })
  const stranger = await signedIn(workspace)
  expect(await json(stranger.call('GET', `/changes?subject_id=${id}`))).toEqual({ items: [], next_before: null })
})

test('the claims that hold now are listed, until they end', async () => {
  const [id] = await setUp('Round once')
  await change(id!, { status: 'ready' })
  await json(person.call('POST', `/work_orders/${id}/claim`, { holder: 'agent-7' }))
  expect((await get('/work_orders/claims')).items).toMatchObject([{ work_order_id: id, holder: 'agent-7' }])
  await workspace.sql`update work_order_claims set expires_at = now() - interval '1 second' where work_order_id = ${id!}`
  expect((await get('/work_orders/claims')).items).toEqual([])
})
