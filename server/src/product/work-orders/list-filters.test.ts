import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addUser } from '../accounts/index.ts'
import { addMember } from '../projects/index.ts'
import { addLabel, addPhase } from './index.ts'
import { createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
let api: Client
/** What the queries below call by a name in braces. */
let ids: Record<string, string>

beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  api = project.admin.api
  const ctx = project.operator
  const [alpha, beta] = [await addPhase(ctx, { title: 'Alpha' }), await addPhase(ctx, { title: 'Beta' })]
  const [red, blue] = [
    await addLabel(ctx, { title: 'red', color: 'red' }),
    await addLabel(ctx, { title: 'blue', color: 'blue' }),
  ]
  const stranger = await ws.project()
  const strange = await addLabel(stranger.operator, { title: 'red', color: 'red' })
  const join = async (name: string, email: string) => {
    const user = await addUser(ws.operator, { name, email, organizationId: project.organizationId, role: 'member' })
    await addMember(project.operator, user.id, 'editor')
    return user.id
  }
  const zoe = await join('Zoë Ångström, 100%', 'zoe@example.org')
  const bob = await join('Bob_Smith', 'bob@example.org')
  ids = { alpha: alpha.id, beta: beta.id, red: red.id, blue: blue.id, strange: strange.id, zoe, bob }
  await createWorkOrders(
    api,
    { title: 'Größe prüfen, 100% sicher', phase_id: alpha.id, assignee_id: zoe, label_ids: [red.id] },
    { title: 'size_of total', status: 'ready', priority: 'high', type: 'fix', phase_id: beta.id, assignee_id: bob },
    { title: 'sizeof TOTAL', status: 'in_progress', priority: 'urgent', type: 'build', label_ids: [red.id, blue.id] },
    { title: 'back\\slash', status: 'completed', priority: 'urgent', type: 'fix', phase_id: alpha.id },
    { title: 'ГРУППА итогов', status: 'blocked', priority: 'low', type: 'chore', assignee_id: zoe },
  )
})
afterAll(() => ws.close())

const named = (query: string) => query.replace(/\{(\w+)\}/g, (_, name) => ids[name]!)

async function numbers(query: string): Promise<number[]> {
  const { status, body } = await api.get(`/work_orders?${named(query)}`)
  expect(status).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map((item: { work_order_number: number }) => item.work_order_number)
}

describe('a filter', () => {
  it.each([
    ['status=ready', [2]],
    ['status=backlog', [1]],
    ['status=in_review', []],
    ['priority=urgent', [3, 4]],
    ['priority=no_priority', [1]],
    ['type=fix', [2, 4]],
    ['type=none', [1]],
    ['type=documentation', []],
    ['phase_id={alpha}', [1, 4]],
    ['phase_number=2', [2]],
    ['phase_number=99', []],
    ['assignee_id={zoe}', [1, 5]],
    ['label_id={red}', [1, 3]],
    ['label_id={blue}', [3]],
    ['label_id={strange}', []],
    ['phase_id=019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81', []],
    ['assignee_id=019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81', []],
  ])('"%s" alone keeps what matches', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected)
  })

  it.each([
    ['status=ready&status=blocked', [2, 5]],
    ['status=ready,blocked', [2, 5]],
    ['status=ready,blocked&status=completed', [2, 4, 5]],
    ['status=ready,ready', [2]],
    ['priority=urgent,low', [3, 4, 5]],
    ['priority=urgent&priority=high', [2, 3, 4]],
    ['type=build,chore', [3, 5]],
    ['type=build&type=chore', [3, 5]],
    ['phase_id={alpha},{beta}', [1, 2, 4]],
    ['phase_id={alpha}&phase_id={beta}', [1, 2, 4]],
    ['phase_number=1,2', [1, 2, 4]],
    ['phase_number=1&phase_number=2', [1, 2, 4]],
    ['assignee_id={zoe},{bob}', [1, 2, 5]],
    ['assignee_id={zoe}&assignee_id={bob}', [1, 2, 5]],
    ['label_id={red},{blue}', [1, 3]],
    ['label_id={red}&label_id={blue}', [1, 3]],
    ['title=slash&title=sizeof', [3, 4]],
    ['assignee_name=bob&assignee_name=zo', [1, 2, 5]],
  ])('"%s" keeps what matches any of its values', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected)
  })

  it.each([
    ['status=completed&priority=urgent&type=fix&phase_id={alpha}', [4]],
    ['priority=urgent&type=build,fix&label_id={red}', [3]],
    ['assignee_id={zoe}&phase_number=1&title=100%25', [1]],
    ['assignee_id={zoe}&status=ready', []],
    ['status=backlog,blocked&assignee_name=zo&sort=-number', [5, 1]],
  ])('"%s" keeps what matches all of them', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected)
  })

  it('is taken in any case of a uuid', async () => {
    expect(await numbers(`label_id=${ids.blue!.toUpperCase()}`)).toEqual([3])
  })

  it('that nobody knows is ignored', async () => {
    expect(await numbers('flavour=sweet&status=ready')).toEqual([2])
  })
})

describe('a substring filter', () => {
  it.each([
    ['total', [2, 3]],
    ['ToTaL', [2, 3]],
    ['größe', [1]],
    ['GRÖSSE', []],
    ['PRÜFEN', [1]],
    ['группа', [5]],
    ['ИТОГОВ', [5]],
    ['100%', [1]],
    ['%', [1]],
    ['size_of', [2]],
    ['_', [2]],
    ['back\\', [4]],
    ['\\', [4]],
    ['prüfen, 100', [1]],
    ['total,slash', []],
    ['size', [2, 3]],
    ['e_o', [2]],
    [' ', [1, 2, 3, 5]],
  ])('finds "%s" in the title, taken literally', async (text, expected) => {
    expect(await numbers(`title=${encodeURIComponent(text)}`)).toEqual(expected)
  })

  it.each([
    ['zoë', [1, 5]],
    ['ZOË', [1, 5]],
    ['ÅNGSTRÖM, 100%', [1, 5]],
    ['%', [1, 5]],
    ['_', [2]],
    ['bob,zo', []],
    ['smith', [2]],
    ['nobody', []],
  ])('finds "%s" in the name of the assignee, taken literally', async (text, expected) => {
    expect(await numbers(`assignee_name=${encodeURIComponent(text)}`)).toEqual(expected)
  })
})

describe('a filter value that cannot be', () => {
  it.each([
    ['status', 'done', ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']],
    ['status', 'ready,Ready', ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']],
    ['priority', 'highest', ['no_priority', 'low', 'medium', 'high', 'urgent']],
    ['type', 'bug', ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore']],
  ])('in %s, such as "%s", is refused naming the allowed ones', async (name, value, allowed) => {
    const { status, body } = await api.get(`/work_orders?${name}=${value}`)
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toMatch(new RegExp(`^/${name}`))
    for (const one of allowed) expect(body.errors[0].detail).toContain(one)
  })

  it.each([
    'phase_id=abc',
    'phase_number=first',
    'phase_number=1.5',
    'assignee_id=1',
    'label_id=red',
    'title=%00',
    'assignee_name=a%07',
  ])('is refused: %s', async (query) => {
    const { status, body } = await api.get(`/work_orders?${query}`)
    expect(status).toBe(422)
    expect(body.code).toBe('invalid_request')
  })
})
