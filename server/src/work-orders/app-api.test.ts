import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../test/harness.ts'
import { json, type Person, signedIn } from '../conversations/person.factory.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

test('signs say when a work order changed last and how many comments it has', async () => {
  const operations = [{ operation_id: '1', operation_type: 'CreateWorkOrder', patch: { title: 'Round once' } }]
  const made = await json(person.call('POST', '/work_orders/batch_create', { request_id: 'signs', operations }))
  const id = made.results['1'].work_order_id
  expect((await json(person.call('GET', '/work_orders/signs'))).items).toMatchObject([
    { work_order_id: id, comment_count: 0 },
  ])
  await person.call('POST', `/work_orders/${id}/comments`, { markdown_content: 'Done.' })
  const [sign] = (await json(person.call('GET', '/work_orders/signs'))).items
  expect(sign).toMatchObject({ work_order_id: id, comment_count: 1 })
  expect(sign.updated_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('people add phases and labels in place', async () => {
  const phase = await person.call('POST', '/work_orders/phases', { title: 'Launch' })
  expect([phase.status, await phase.json()]).toMatchObject([201, { data: { title: 'Launch', phase_number: 1 } }])
  const label = await person.call('POST', '/work_orders/labels', { title: 'checkout', color: 'blue' })
  expect([label.status, await label.json()]).toMatchObject([201, { data: { title: 'checkout', color: 'blue' } }])
  expect((await person.call('POST', '/work_orders/labels', { title: 'checkout' })).status).toBe(409)
  expect((await person.call('POST', '/work_orders/phases', { title: '' })).status).toBe(422)
})
