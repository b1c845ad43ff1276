import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, signedIn } from '../../../product/conversations/person.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

test('counts are those of the lists, and of one project', async () => {
  const person = await signedIn(workspace)
  const other = await signedIn(workspace)
  const operations = ['Round', 'Refund'].map((title) => ({
    operation_id: title,
    operation_type: 'CreateWorkOrder',
    patch: { title },
  }))
  await person.call('POST', '/work_orders/batch_create', { request_id: 'counts', operations })
  await person.call('POST', '/requirements', { title: 'Refunds', document_type: 'FEATURE' })
  await person.call('POST', '/artifacts', { name: 'Rules.md', markdown_content: 'Ask first.', folder_path: '/Finance' })
  const theme = { title: 'Totals', type: 'bug', priority: 'high', description: '', status: 'resolved' }
  await person.call('POST', '/feedback/themes', theme)
  const listed = async (path: string) => (await json(person.call('GET', `${path}?page_size=1`))).total
  expect(await json(person.call('GET', '/counts'))).toEqual({
    work_orders: 2,
    requirements: await listed('/requirements'),
    blueprints: await listed('/blueprints'),
    artifacts: 1,
    feedback_items: 0,
    feedback_to_process: 0,
    themes: 1,
    themes_open: 0,
  })
  expect(await json(other.call('GET', '/counts'))).toMatchObject({ work_orders: 0, artifacts: 0 })
})
