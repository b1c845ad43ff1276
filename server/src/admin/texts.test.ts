import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../test/harness.ts'
import type { StoredText } from '../kernel/stored-text.ts'
import { storedDocumentTexts } from '../product/documents/index.ts'
import { loadProject, operatorCtx } from '../product/projects/index.ts'
import { storedWorkOrderTexts } from '../product/work-orders/index.ts'
import { createWorkOrder } from '../product/work-orders/work-order.factory.ts'
import { parse } from './command.ts'
import { textCommands } from './texts.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

// biome-ignore lint/suspicious/noExplicitAny: what the command prints
async function run(...words: string[]): Promise<any> {
  const { command, flags } = parse(textCommands, ['text', 'drop-escapes', ...words])
  return command.run({ sql: ws.sql, wiring: ws.deps.wiring, log: console }, flags)
}

const TEXT = 'The column order\\_id of R\\&D.\n\n1\\. stays\n\n'
const WRITTEN = 'The column order_id of R&D.\n\n1\\. stays\n\n'

async function setUp() {
  const project = await ws.project()
  const { api } = project.admin
  const document = (await api.post('/blueprints', { title: 'Orders', markdown_content: TEXT })).body.data
  // Long enough to be read in a thread.
  await api.post('/blueprints', { title: 'Long', markdown_content: TEXT.repeat(500) })
  const clean = (await api.post('/blueprints', { title: 'Clean', markdown_content: '\\# a\n' })).body.data
  await api.post(`/blueprints/${document.id}/comments`, { message: TEXT })
  const plan = { files: [], markdown_content: TEXT }
  const { id } = await createWorkOrder(api, { markdown_content: TEXT, implementation_plan: plan })
  const workOrder = `/work_orders/${id}`
  await api.post(`${workOrder}/comments`, { markdown_content: TEXT })
  const read = async () => {
    const order = (await api.get(workOrder)).body.data
    return [
      (await api.get(`/blueprints/${document.id}`)).body.data.markdown_content,
      (await api.get(`/blueprints/${document.id}/comments`)).body.items[0].messages[0].message,
      order.markdown_content,
      order.implementation_plan.markdown_content,
      (await api.get(`${workOrder}/comments`)).body.items[0].markdown_content,
    ]
  }
  return { project, api, document, clean, read, workOrder }
}

test('needless backslashes are dropped from all current texts, which is counted, recorded and in the history', async () => {
  const { project, api, document, clean, read } = await setUp()
  const dry = await run('--project', project.id, '--dry-run')
  expect(dry).toMatchObject({ dry_run: true, texts: 6, backslashes: 1_010, skipped: [] })
  expect(dry.changed[0]).toEqual({
    project: project.name,
    kind: 'blueprint',
    id: document.id,
    title: 'Orders',
    backslashes: 2,
  })
  expect(await read()).toEqual([TEXT, TEXT, TEXT, TEXT, TEXT])

  expect(await run('--project', project.name)).toEqual({ ...dry, dry_run: false })
  expect(await read()).toEqual([WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN])
  const { items } = (await api.get(`/blueprints/${document.id}/versions`)).body
  expect(items).toMatchObject([
    { version_number: 2, attribution: { origin_type: 'system' } },
    { version_number: 1, attribution: { origin_type: 'external_api' } },
  ])
  expect((await api.get(`/blueprints/${clean.id}`)).body.data.version_number).toBe(1)
  const events = await ws.sql<{ kind: string }[]>`
    select kind from events where project_id = ${project.id} and origin = 'system' and user_id is null
      and kind ~ 'updated' order by id`
  expect(events.map(({ kind }) => kind)).toEqual([
    'blueprint.updated',
    'blueprint.updated',
    'blueprint.comment_updated',
    'work_order.updated',
    'work_order.updated',
    'work_order.comment_updated',
  ])
  expect(await run('--project', project.id)).toMatchObject({ texts: 0, changed: [] })
})

test('without a project, the command goes over all of them', async () => {
  const [one, other] = [await setUp(), await setUp()]
  const { changed } = await run('--dry-run')
  const projects = new Set(changed.map(({ project }: { project: string }) => project))
  expect([projects.has(one.project.name), projects.has(other.project.name)]).toEqual([true, true])
})

test('a text that somebody changes at that moment stays theirs', async () => {
  const { project, api, document, read, workOrder } = await setUp()
  const ctx = operatorCtx({ db: ws.sql, wiring: ws.deps.wiring, log: console }, await loadProject(ws.sql, project.id))
  const found: StoredText[] = []
  for (const texts of [storedDocumentTexts, storedWorkOrderTexts])
    for await (const one of texts(ctx, '\\')) if (one.title !== 'Long' && one.title !== 'Clean') found.push(one)
  expect(found).toHaveLength(5)
  const [thread] = (await api.get(`/blueprints/${document.id}/comments`)).body.items
  const [comment] = (await api.get(`${workOrder}/comments`)).body.items
  const theirs = { markdown_content: 'Theirs' }
  await api.patch(`/blueprints/${document.id}`, theirs)
  await ws.sql`update document_messages set message = 'Theirs' where thread_id = ${thread.id}`
  await api.patch(`${workOrder}/comments/${comment.id}`, theirs)
  const patch = { ...theirs, implementation_plan: { files: [], ...theirs } }
  const target = { work_order_id: workOrder.split('/').at(-1) }
  const operations = [{ operation_id: '1', operation_type: 'UpdateWorkOrder', target, patch }]
  await api.post('/work_orders/batch_update', { request_id: 'theirs', operations })
  for (const { replace } of found) expect(await replace('Ours')).toBe(false)
  expect(await read()).toEqual(Array(5).fill('Theirs'))
})
