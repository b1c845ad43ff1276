import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const widget = async (query = '') => (await ws.app.inject({ url: `/widget.js${query}` })).payload

test('what a project chooses is served with its script, and nowhere else', async () => {
  const project = await ws.project()
  const ada = await signedInMember(ws, project, 'editor')
  const own = `?project=${project.id}`
  expect(await widget(own)).toBe(await widget())
  const change = { label: 'Tell us', accent: '#aa3300', position: 'left', theme: 'dark' }
  const { status, body } = await ada.call('PATCH', '/feedback/widget', change)
  expect([status, body.data]).toEqual([200, { ...change, screenshots: true }])
  await ada.call('PATCH', '/feedback/widget', { screenshots: false })
  expect((await ada.call('GET', '/feedback/widget')).body.data).toEqual({ ...change, screenshots: false })
  expect(await widget(own)).toContain('"label":"Tell us","position":"left","accent":"#aa3300"')
  expect(await widget(`?project=${(await ws.project()).id}`)).toBe(await widget())
  expect(await widget('?project=nonsense')).toBe(await widget())
})

test('an accent that is not a color, a blank label, and the wish of a viewer are refused', async () => {
  const project = await ws.project()
  const ada = await signedInMember(ws, project, 'editor')
  const viewer = await signedInMember(ws, project, 'viewer')
  for (const change of [{ accent: 'red;}' }, { label: ' ' }, { position: 'top' }])
    expect((await ada.call('PATCH', '/feedback/widget', change)).status).toBe(422)
  expect((await viewer.call('PATCH', '/feedback/widget', { label: 'Mine' })).status).toBe(403)
  expect((await viewer.call('GET', '/feedback/widget')).status).toBe(200)
})

test('a label cannot leave the script or the page of the preview', async () => {
  const project = await ws.project()
  const ada = await signedInMember(ws, project, 'editor')
  const label = '"></script><b>&'
  await ada.call('PATCH', '/feedback/widget', { label })
  expect(await widget(`?project=${project.id}`)).toContain(JSON.stringify(label))
  const page = await ws.app.inject({ url: `/widget-preview?label=${encodeURIComponent(label)}&onload=x` })
  expect(page.payload).toContain('data-label="&quot;&gt;&lt;/script&gt;&lt;b&gt;&amp;"')
  expect(page.payload).not.toContain('onload')
  expect(page.headers['content-security-policy']).toContain('sandbox allow-scripts')
})
