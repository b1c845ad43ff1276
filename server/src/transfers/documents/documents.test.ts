import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { formOf, multipart, runTransfers } from '../transfer.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const FILES: Record<string, string> = {
  'docs/guide/install.md': 'No heading here.\n',
  'docs/guide/README.md': '# The guide\n\nRead this.\n',
  'docs/guide/deep/down.md': '---\ntitle: "All the way down"\n---\nText.\n',
  'docs/intro.md':
    '---\nslipway:\n  id: 019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81\n  title: "Welcome \\"in\\""\n  version: 3\n---\nHello.\n',
  'docs/broken.md': 'A \u0000 byte.\n',
  'docs/picture.png': 'not markdown',
  '__MACOSX/docs/intro.md': 'not ours',
}

function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream as Readable)
}

it.each(['requirements', 'blueprints'])('a folder of markdown becomes a tree of %s, once', async (kind) => {
  const project = await ws.project()
  const { api } = project.admin
  const form = formOf('docs.zip', await zipOf(FILES), { kind })
  const shown = (await api.post('/imports/documents/preview', form, multipart)).body.data
  expect(shown).toMatchObject({ to_create: 5, to_skip: 0, to_refuse: 1 })
  expect(shown.problems).toEqual([{ where: 'docs/broken.md', detail: expect.stringContaining('control characters') }])
  expect(shown.documents.map((one: Record<string, unknown>) => [one.depth, one.title, one.action])).toEqual([
    [0, 'broken', 'refuse'],
    [0, 'The guide', 'create'],
    [1, 'deep', 'create'],
    [2, 'All the way down', 'create'],
    [1, 'install', 'create'],
    [0, 'Welcome "in"', 'create'],
  ])
  const run = async () => {
    const { body } = await api.post('/imports/documents', form, multipart)
    await runTransfers(ws, project.id)
    return (await api.get(`/imports/${body.data.id}`)).body.data
  }
  expect(await run()).toMatchObject({ state: 'done', counts: { created: 5, skipped: 0, refused: 1 } })
  expect(await run()).toMatchObject({ state: 'done', counts: { created: 0, skipped: 5, refused: 1 } })
  const { items } = (await api.get(`/${kind}?page_size=100`)).body
  const byTitle = new Map<string, { id: string; parent_id: string | null }>(
    items.map((one: { title: string; id: string; parent_id: string | null }) => [one.title, one]),
  )
  expect(byTitle.get('All the way down')!.parent_id).toBe(byTitle.get('deep')!.id)
  expect(byTitle.get('deep')!.parent_id).toBe(byTitle.get('The guide')!.id)
  const welcome = (await api.get(`/${kind}/${byTitle.get('Welcome "in"')!.id}`)).body.data
  expect(welcome.markdown_content).toBe('Hello.\n')
})

it('an archive without markdown is refused', async () => {
  const { admin } = await ws.project()
  const form = formOf('docs.zip', await zipOf({ 'a.txt': 'x' }))
  const refused = await admin.api.post('/imports/documents/preview', form, multipart)
  expect(refused).toMatchObject({ status: 422, body: { code: 'unusable_file' } })
})
