import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../../product/conversations/person.factory.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
const post = async (path: string, body: unknown): Promise<any> => (await json(person.call('POST', path, body))).data

test('an artifact is used in what is connected to it, in comments it is attached to and in texts that show it', async () => {
  const { id } = await post('/artifacts', { name: 'personas' })
  const shown = `![Personas](/v2/external-api/artifacts/${id}/content)`
  const requirement = await post('/requirements', { title: 'Refunds', document_type: 'FEATURE' })
  await person.call('PATCH', `/requirements/${requirement.document_id}`, {
    markdown_content: `# Refunds\n\n${shown}\n`,
  })
  const made = await json(
    person.call('POST', '/work_orders/batch_create', {
      request_id: 'one',
      operations: [{ operation_id: '1', operation_type: 'CreateWorkOrder', patch: { title: 'Explain' } }],
    }),
  )
  const workOrderId = made.results['1'].work_order_id
  await person.call('POST', `/work_orders/${workOrderId}/comments`, { markdown_content: 'See', artifact_ids: [id] })
  await person.call('PUT', `/connections/${id}/${workOrderId}`, {})
  const { items } = await json(person.call('GET', `/artifacts/${id}/uses`))
  expect(items).toMatchObject([
    { resource_type: 'work_order', resource_id: workOrderId, title: 'Explain', number: 1, place: 'comment' },
    { resource_type: 'work_order', resource_id: workOrderId, place: 'connection' },
    { resource_type: 'requirements_document', title: 'Refunds', place: 'text', line: 3 },
  ])
})

test('the uses of an artifact of another project are not shown', async () => {
  const stranger = await signedIn(workspace)
  const { id } = await post('/artifacts', { name: 'secret' })
  expect((await stranger.call('GET', `/artifacts/${id}/uses`)).status).toBe(404)
})
