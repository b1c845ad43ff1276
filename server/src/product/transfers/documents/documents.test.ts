import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
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
  expect(shown).toMatchObject({ to_create: 5, to_skip: 0, to_refuse: 2 })
  expect(shown.problems).toEqual([
    { where: 'docs/broken.md', detail: expect.stringContaining('control characters') },
    { where: 'docs/picture.png', detail: 'It is left out: It is not a markdown file (".md").' },
  ])
  expect(shown.documents.map((one: Record<string, unknown>) => [one.depth, one.title, one.action])).toEqual([
    [0, 'broken', 'refuse'],
    [0, 'The guide', 'create'],
    [1, 'deep', 'create'],
    [2, 'All the way down', 'create'],
    [1, 'install', 'create'],
    [0, 'Welcome "in"', 'create'],
    [0, 'picture.png', 'refuse'],
  ])
  const run = async () => {
    const { body } = await api.post('/imports/documents', form, multipart)
    await runTransfers(ws, project.id)
    return (await api.get(`/imports/${body.data.id}`)).body.data
  }
  expect(await run()).toMatchObject({ state: 'done', counts: { created: 5, skipped: 0, refused: 2 } })
  expect(await run()).toMatchObject({ state: 'done', counts: { created: 0, skipped: 5, refused: 2 } })
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

const importing = async (project: Awaited<ReturnType<Workspace['project']>>, files: Record<string, string>) => {
  const { api } = project.admin
  const form = formOf('docs.zip', await zipOf(files))
  const shown = (await api.post('/imports/documents/preview', form, multipart)).body.data
  const { body } = await api.post('/imports/documents', form, multipart)
  await runTransfers(ws, project.id)
  const done = (await api.get(`/imports/${body.data.id}`)).body.data
  // What the preview says is what happens.
  expect(done.counts).toEqual({
    created: shown.to_create,
    skipped: shown.to_skip,
    refused: shown.to_refuse,
    changed: shown.to_change,
  })
  expect(done.problems).toEqual(shown.problems)
  return { ...done, state: done.state as string }
}

it('two files with the same title in one folder are two documents, and only what was there before is skipped', async () => {
  const project = await ws.project()
  const files = { 'a/one.md': '# Same\n\n1\n', 'a/two.md': '# Same\n\n2\n', 'b.md': '# Other\n' }
  expect(await importing(project, files)).toMatchObject({ counts: { created: 4, skipped: 0 }, problems: [] })
  const texts = async () => {
    const { items } = (await project.admin.api.get('/requirements?title=Same')).body
    const found = await Promise.all(
      items.map(async ({ id }: { id: string }) => (await project.admin.api.get(`/requirements/${id}`)).body.data),
    )
    return found.map(({ markdown_content }) => markdown_content).sort()
  }
  expect(await texts()).toEqual(['# Same\n\n1\n', '# Same\n\n2\n'])
  const again = await importing(project, { ...files, 'a/z.md': '# Same\n\n3\n' })
  expect(again).toMatchObject({
    counts: { created: 1, skipped: 4 },
    problems: ['a/one.md', 'a/two.md', 'b.md'].map((where) => ({
      where,
      detail: expect.stringMatching(/^It is skipped: ".+" is here already\.$/),
    })),
  })
  expect(await texts()).toHaveLength(3)
})

it('an import that was stopped after the first of two files with one title goes on with the second', async () => {
  const project = await ws.project()
  const { api } = project.admin
  const form = formOf('docs.zip', await zipOf({ 'one.md': '# Same\n', 'two.md': '# Same\n' }))
  const { body } = await api.post('/imports/documents', form, multipart)
  await api.post('/requirements', { title: 'Same', document_type: 'FEATURE', markdown_content: '# Same\n' })
  await runTransfers(ws, project.id)
  expect((await api.get(`/imports/${body.data.id}`)).body.data).toMatchObject({
    counts: { created: 2, skipped: 0 },
    problems: [],
  })
  expect((await api.get('/requirements?title=Same')).body.total).toBe(2)
})

it('what a file leaves open is closed, and what cannot be read is left out; both are named', async () => {
  const project = await ws.project()
  const done = await importing(project, {
    'comment.md': 'a\n\n<!-- b\n',
    'deep.md': `${'> '.repeat(101)}a\n`,
    'fence.md': 'a\n\n```js\ncode\n',
    'good.md': 'a\n',
    'raw.md': 'a <title> b\n',
    'titled.md': `# ${'x'.repeat(501)}\n`,
  })
  expect(done).toMatchObject({ state: 'done', counts: { created: 5, skipped: 0, refused: 1, changed: 4 } })
  expect(done.problems).toEqual([
    { where: 'comment.md', detail: expect.stringMatching(/^Line 3: The HTML comment .* never closed/) },
    { where: 'deep.md', detail: expect.stringMatching(/^It is left out: .*line 1: Nesting is deeper/) },
    { where: 'fence.md', detail: expect.stringMatching(/^Line 3: The code block \(```\) .* never closed/) },
    { where: 'raw.md', detail: expect.stringMatching(/^Line 1: The <title> element .* never closed/) },
    { where: 'titled.md', detail: 'The title is cut after 500 characters.' },
  ])
  const { items } = (await project.admin.api.get('/requirements?title=fence')).body
  const fence = (await project.admin.api.get(`/requirements/${items[0].id}`)).body.data
  expect(fence.markdown_content).toBe('a\n\n```js\ncode\n```\n')
})

it('says how many remarks there are beyond those that are listed', async () => {
  const project = await ws.project()
  const files = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`${1_000 + index}.md`, '```\n']))
  const { problems } = await importing(project, files)
  expect(problems).toHaveLength(100)
  expect(problems.at(-1)).toEqual({ where: 'the rest', detail: '31 more remarks are not listed.' })
})

it('what lies below a file that is left out is left out and named as well', async () => {
  const done = await importing(await ws.project(), {
    'guide.md': 'A \u0000 byte.\n',
    'guide/install.md': '# Install\n',
    'guide/install/deep.md': '# Deep\n',
    'other.md': '# Other\n',
  })
  expect(done).toMatchObject({ state: 'done', counts: { created: 1, refused: 3 } })
  expect(done.problems).toEqual([
    { where: 'guide.md', detail: expect.stringContaining('control characters') },
    { where: 'guide/install.md', detail: 'It is left out: What it lies in cannot be imported.' },
    { where: 'guide/install/deep.md', detail: 'It is left out: What it lies in cannot be imported.' },
  ])
})

it('line ends of Windows stay as they are, also below a head', async () => {
  const project = await ws.project()
  const files = {
    'plain.md': '# Plain\r\n\r\nOne.\r\n',
    'pulled.md': '---\r\nslipway:\r\n  title: "Pulled"\r\n---\r\nTwo.\r\n',
  }
  expect(await importing(project, files)).toMatchObject({ counts: { created: 2, changed: 0 }, problems: [] })
  const textOf = async (title: string) => {
    const { items } = (await project.admin.api.get(`/requirements?title=${title}`)).body
    return (await project.admin.api.get(`/requirements/${items[0].id}`)).body.data.markdown_content
  }
  expect([await textOf('Plain'), await textOf('Pulled')]).toEqual([files['plain.md'], 'Two.\r\n'])
})
