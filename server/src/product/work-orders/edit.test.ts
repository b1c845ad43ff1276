import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { json, type Person, signedIn } from '../conversations/person.factory.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

async function make(title: string) {
  const operations = [{ operation_id: '1', operation_type: 'CreateWorkOrder', patch: { title } }]
  const made = await json(person.call('POST', '/work_orders/batch_create', { request_id: title, operations }))
  return `/work_orders/${made.results['1'].work_order_id}`
}

test('a person sets some fields of a work order, and the others stay', async () => {
  const path = await make('Round once')
  const plan = { files: [], markdown_content: '- [ ] Find it' }
  const answer = await person.call('PATCH', path, { title: 'Round twice', implementation_plan: plan })
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { data: { title: 'Round twice', implementation_plan: plan, status: 'backlog' } },
  ])
  expect(answer.headers.get('etag')).toBe((await person.call('GET', path)).headers.get('etag'))
})

test('a text based on an older state is refused with the tag of the newer one, and nothing is written', async () => {
  const path = await make('Refund')
  const old = (await person.call('GET', path)).headers.get('etag')!
  await person.call('PATCH', path, { markdown_content: 'Theirs' })
  const late = await person.call('PATCH', path, { markdown_content: 'Mine' }, { 'if-match': old })
  const { current_etag } = await json(late)
  expect([late.status, current_etag]).toEqual([412, (await person.call('GET', path)).headers.get('etag')])
  expect((await json(person.call('GET', path))).data.markdown_content).toBe('Theirs')
  expect((await person.call('PATCH', path, { markdown_content: 'Mine' }, { 'if-match': current_etag })).status).toBe(
    200,
  )
})

test('refuses wrong values, and what is not there', async () => {
  const path = await make('Coupon')
  expect((await person.call('PATCH', path, { status: 'later' })).status).toBe(422)
  const gone = '/work_orders/01a1ddf8-0000-7000-8000-000000000000'
  expect((await person.call('PATCH', gone, { title: 'x' })).status).toBe(404)
  expect((await person.call('PATCH', gone, { title: 'x' }, { 'if-match': '"x"' })).status).toBe(404)
})
