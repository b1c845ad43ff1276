import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../../product/conversations/person.factory.ts'
import { signedInMember } from '../visitor.factory.ts'

let workspace: Workspace
let person: Person
let stranger: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
  stranger = await signedIn(workspace)
})
afterAll(() => workspace.close())

const post = async (path: string, body: object) => (await json(person.call('POST', path, body))).data
const feature = (title = 'Refunds') =>
  post('/requirements', { title, document_type: 'FEATURE', markdown_content: 'One.\n' })
const blueprint = (title = 'Ledger') => post('/blueprints', { title })
const theme = (title = 'Refunds fail') =>
  post('/feedback/themes', { title, description: title, type: 'bug', priority: 'high' })
async function workOrder(title = 'Build it') {
  const operations = [{ operation_id: '1', operation_type: 'CreateWorkOrder', patch: { title } }]
  const made = await json(
    person.call('POST', '/work_orders/batch_create', { request_id: crypto.randomUUID(), operations }),
  )
  return { id: made.results['1'].work_order_id as string }
}
const connectionsOf = async (id: string) => (await json(person.call('GET', `/connections/${id}`))).items
const free = async (id: string) => (await connectionsOf(id)).filter(({ is_fixed }: { is_fixed: boolean }) => !is_fixed)
const connect = (id: string, other: string, body = {}) => person.call('PUT', `/connections/${id}/${other}`, body)
const disconnect = (id: string, other: string) => person.call('DELETE', `/connections/${id}/${other}`)
const confirm = (id: string, other: string, versions: [string, number][]) =>
  person.call('PUT', `/connections/${id}/${other}/confirmation`, {
    versions: versions.map(([document_id, version_number]) => ({ document_id, version_number })),
  })
const write = (id: string, markdown_content: string) =>
  person.call('PATCH', `/requirements/${id}`, { markdown_content })
const eventsOf = async (id: string): Promise<string[]> =>
  (await json(person.call('GET', `/changes?subject_id=${id}`))).items.map(({ kind }: { kind: string }) => kind)

describe('connections', () => {
  test('are made and seen from both ends, with status, and the other half of a feature is among them', async () => {
    const [requirement, order] = [await feature(), await workOrder()]
    expect((await connect(requirement.id, order.id)).status).toBe(200)
    const [half, linked] = await connectionsOf(requirement.id)
    expect(half).toMatchObject({ resource_type: 'blueprint', is_fixed: true, detail: 'Feature Blueprints' })
    expect(linked).toMatchObject({ resource_type: 'work_order', title: 'Build it', status: 'backlog', changed: [] })
    expect(await connectionsOf(order.id)).toMatchObject([
      { resource_id: requirement.id, version_number: 1, detail: 'FEATURE', is_fixed: false },
    ])
    // The external shape of the same connection is that of the specification.
    const { data } = await json(person.call('GET', `/work_orders/${order.id}`))
    expect(data.connectedContext).toEqual([{ resourceType: 'requirements_document', resourceId: requirement.id }])
    expect(await eventsOf(order.id)).toContain('work_order.updated')
    expect((await connect(order.id, requirement.id)).status).toBe(200)
    expect(await free(requirement.id)).toHaveLength(1)
  })

  test('between two documents record an event at each end, and so does taking them apart', async () => {
    const [requirement, ledger] = [await feature(), await blueprint()]
    await connect(ledger.id, requirement.id)
    expect(await eventsOf(requirement.id)).toContain('requirements_document.connected')
    expect(await eventsOf(ledger.id)).toContain('blueprint.connected')
    expect((await disconnect(requirement.id, ledger.id)).status).toBe(204)
    expect(await free(ledger.id)).toEqual([])
    expect(await eventsOf(ledger.id)).toContain('blueprint.disconnected')
    expect((await disconnect(requirement.id, ledger.id)).status).toBe(404)
  })

  test('of a theme follow its rules: one feature, and the earlier one is named', async () => {
    const [first, second, one, order] = [await feature(), await feature('Returns'), await theme(), await workOrder()]
    expect((await json(connect(first.id, one.id))).data).toEqual({ replaced_id: null })
    expect((await json(connect(second.id, one.id))).data).toEqual({ replaced_id: first.id })
    await connect(order.id, one.id)
    const { data } = await json(person.call('GET', `/feedback/themes/${one.id}`))
    expect(data.feature_requirements_document_id).toBe(second.id)
    expect(await free(first.id)).toEqual([])
    expect(await eventsOf(one.id)).toContain('theme.work_order_linked')
    expect((await connect(one.id, (await blueprint()).id)).status).toBe(422)
    await disconnect(second.id, one.id)
    await disconnect(one.id, order.id)
    expect(await connectionsOf(one.id)).toEqual([])
  })

  test('are refused to viewers and strangers, with itself, and with what does not exist', async () => {
    const [requirement, order] = [await feature(), await workOrder()]
    const nobody = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
    expect((await stranger.call('GET', `/connections/${requirement.id}`)).status).toBe(404)
    expect((await stranger.call('PUT', `/connections/${requirement.id}/${order.id}`, {})).status).toBe(404)
    expect((await connect(requirement.id, requirement.id)).status).toBe(422)
    expect((await connect(requirement.id, nobody)).status).toBe(404)
    const project = await workspace.project()
    const viewer = await signedInMember(workspace, project, 'viewer')
    expect((await viewer.call('PUT', `/connections/${requirement.id}/${order.id}`, {})).status).toBe(403)
  })
})

describe('a connection is suspect', () => {
  test('once its document changed, from both ends, until someone confirms the version they have seen', async () => {
    const [requirement, order] = [await feature(), await workOrder()]
    await connect(order.id, requirement.id)
    await write(requirement.id, 'Two.\n')
    const changed = [{ document_id: requirement.id, confirmed_version: 1, version_number: 2 }]
    expect(await connectionsOf(order.id)).toMatchObject([{ changed }])
    expect(await free(requirement.id)).toMatchObject([{ resource_id: order.id, changed }])
    await write(requirement.id, 'Three.\n')
    expect((await confirm(order.id, requirement.id, [[requirement.id, 2]])).status).toBe(204)
    expect(await connectionsOf(order.id)).toMatchObject([{ changed: [{ confirmed_version: 2, version_number: 3 }] }])
    expect((await confirm(requirement.id, order.id, [[requirement.id, 4]])).status).toBe(409)
    await confirm(requirement.id, order.id, [[requirement.id, 3]])
    expect(await connectionsOf(order.id)).toMatchObject([{ changed: [] }])
    expect(await eventsOf(order.id)).toContain('work_order.connection_confirmed')
    expect(await eventsOf(requirement.id)).toContain('requirements_document.connection_confirmed')
  })

  test('unless its work order is completed, which was built from what it was built from', async () => {
    const [requirement, order] = [await feature(), await workOrder()]
    await connect(order.id, requirement.id)
    await write(requirement.id, 'Two.\n')
    await person.call('PATCH', `/work_orders/${order.id}`, { status: 'completed' })
    expect(await connectionsOf(order.id)).toMatchObject([{ changed: [] }])
    expect(await free(requirement.id)).toMatchObject([{ changed: [] }])
    await person.call('PATCH', `/work_orders/${order.id}`, { status: 'in_review' })
    expect(await connectionsOf(order.id)).toMatchObject([{ changed: [{ version_number: 2 }] }])
  })

  test('also after other connections of the same work order were replaced, and as it was after Undo', async () => {
    const [requirement, ledger, order] = [await feature(), await blueprint(), await workOrder()]
    await connect(order.id, requirement.id)
    await write(requirement.id, 'Two.\n')
    const link = (type: string, id: string) => ({ resourceType: type, resourceId: id })
    await person.call('PATCH', `/work_orders/${order.id}`, {
      connectedContext: [link('blueprint', ledger.id), link('requirements_document', requirement.id)],
    })
    const ofRequirement = async () =>
      (await connectionsOf(order.id)).find((one: { resource_id: string }) => one.resource_id === requirement.id)
    expect((await ofRequirement()).changed).toHaveLength(1)
    await disconnect(order.id, requirement.id)
    await connect(order.id, requirement.id)
    expect((await ofRequirement()).changed).toEqual([])
    await disconnect(order.id, requirement.id)
    await connect(order.id, requirement.id, {
      confirmed_versions: [{ document_id: requirement.id, version_number: 1 }],
    })
    expect((await ofRequirement()).changed).toMatchObject([{ confirmed_version: 1, version_number: 2 }])
  })
})
