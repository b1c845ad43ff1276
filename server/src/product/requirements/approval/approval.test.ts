import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { NEVER } from '../../documents/document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let ada: Awaited<ReturnType<typeof signedInMember>>
let grace: typeof ada
let viewer: typeof ada
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  ada = await signedInMember(ws, project, 'editor')
  grace = await signedInMember(ws, project, 'editor')
  viewer = await signedInMember(ws, project, 'viewer')
})
afterAll(() => ws.close())

async function setUp() {
  const body = { title: 'Refunds', document_type: 'FEATURE', markdown_content: 'Ten days.\n' }
  const { data } = (await project.admin.api.post('/requirements', body)).body
  const one = `/requirements/${data.id}`
  const state = async () => (await viewer.call('GET', `${one}/state`)).body.data
  return { id: data.id as string, one, versionId: data.version_id as string, state }
}

it('a new requirement is a draft of nobody', async () => {
  const { state } = await setUp()
  expect(await state()).toEqual({ status: 'draft', owner: null, approvals: [] })
})

it('status and owner are set by those who may write, and the owner is a member', async () => {
  const { one, state } = await setUp()
  const set = await ada.call('PATCH', `${one}/state`, { status: 'in_review', owner_id: grace.user.id })
  expect(set.status).toBe(200)
  expect(await state()).toMatchObject({ status: 'in_review', owner: { id: grace.user.id, name: grace.user.name } })
  await ada.call('PATCH', `${one}/state`, { owner_id: null })
  expect(await state()).toMatchObject({ status: 'in_review', owner: null })
  const unknown = await ada.call('PATCH', `${one}/state`, { owner_id: NEVER })
  expect([unknown.status, unknown.body.detail ?? JSON.stringify(unknown.body)]).toEqual([422, expect.any(String)])
  expect(JSON.stringify(unknown.body)).toContain('is not a member of this project')
  expect((await ada.call('PATCH', `${one}/state`, { status: 'approved' })).status).toBe(422)
  expect((await viewer.call('PATCH', `${one}/state`, { status: 'draft' })).status).toBe(403)
  expect((await ada.call('GET', `/requirements/${NEVER}/state`)).status).toBe(404)
})

it('an approval is of one version, and a later text is not approved by it', async () => {
  const { one, versionId, state } = await setUp()
  const first = await ada.call('POST', `${one}/approvals`, { version_id: versionId })
  expect(first.status).toBe(201)
  await ada.call('POST', `${one}/approvals`, { version_id: versionId })
  await grace.call('POST', `${one}/approvals`, { version_id: versionId })
  const names = (await state()).approvals.map((each: { approved_by_name: string }) => each.approved_by_name)
  expect(names.sort()).toEqual([ada.user.name, grace.user.name].sort())
  const { data } = (await project.admin.api.patch(one, { markdown_content: 'Five days.\n' })).body
  expect(data.version_number).toBe(2)
  expect((await state()).approvals).toMatchObject([{ version_number: 1 }, { version_number: 1 }])
  const late = await ada.call('POST', `${one}/approvals`, { version_id: versionId })
  expect([late.status, late.body.type, late.body.version_number]).toEqual([
    409,
    expect.stringContaining('changed_since'),
    2,
  ])
  expect((await viewer.call('POST', `${one}/approvals`, { version_id: data.version_id })).status).toBe(403)
})

it('only the person who approved withdraws it', async () => {
  const { one, versionId, state } = await setUp()
  const { approvals } = (await ada.call('POST', `${one}/approvals`, { version_id: versionId })).body.data
  const approval = `${one}/approvals/${approvals[0].id}`
  expect((await grace.call('DELETE', approval)).status).toBe(403)
  expect((await ada.call('DELETE', approval)).status).toBe(200)
  expect((await state()).approvals).toEqual([])
  expect((await ada.call('DELETE', approval)).status).toBe(404)
})

it('every change is in the log, and nothing is recorded for no change', async () => {
  const { id, one, versionId } = await setUp()
  await ada.call('PATCH', `${one}/state`, { status: 'in_review', owner_id: ada.user.id })
  await ada.call('PATCH', `${one}/state`, { status: 'in_review' })
  const { approvals } = (await ada.call('POST', `${one}/approvals`, { version_id: versionId })).body.data
  await ada.call('DELETE', `${one}/approvals/${approvals[0].id}`)
  const events = await ws.sql<{ kind: string; payload: object }[]>`
    select kind, payload from events where project_id = ${project.id} and subject_id = ${id}
      and kind not in ('requirements_document.created') order by id`
  expect(events).toMatchObject([
    {
      kind: 'requirements_document.state_changed',
      payload: { fields: ['status', 'owner_id'], changes: { status: { from: 'draft', to: 'in_review' } } },
    },
    { kind: 'requirements_document.approved', payload: { version_id: versionId, version_number: 1 } },
    { kind: 'requirements_document.approval_withdrawn', payload: { version_number: 1 } },
  ])
})
