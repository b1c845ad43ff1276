import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createArtifact } from '../artifacts/index.ts'
import { exported, formOf, multipart, runTransfers } from './transfer.factory.ts'

let ws: Workspace
/** The files of an export. */
let files: Map<string, Buffer>

beforeAll(async () => {
  ws = await openWorkspace()
  const { admin } = await ws.project()
  const made = await admin.api.post('/requirements', {
    title: 'Refunds',
    document_type: 'FEATURE',
    markdown_content: 'One.\n',
  })
  expect(made.status).toBe(201)
  const form = formOf('shot.png', Buffer.from('not really a picture'))
  expect((await admin.api.post('/artifacts', form, multipart)).status).toBe(201)
  files = await unpacked(await exported(ws, admin.api))
})
afterAll(() => ws.close())

async function unpacked(archive: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const zip = await fromBufferPromise(archive)
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return found
}

type Packing = { add(name: string, bytes: Buffer, mode?: number): void; files: Map<string, Buffer> }

/** An archive with all files of the export, except as `change` wants it. */
async function packed(change: (packing: Packing) => void = () => undefined): Promise<Buffer> {
  const zip = new ZipFile()
  const own = new Map(files)
  change({ add: (name, bytes, mode = 0o100644) => zip.addBuffer(bytes, name, { mode }), files: own })
  for (const [name, bytes] of own) zip.addBuffer(bytes, name)
  zip.end()
  return buffer(zip.outputStream as Readable)
}

/** Changes rows and what the manifest says about them, as somebody would who knows the format. */
function forge(name: string, change: (row: Record<string, unknown>) => void) {
  return ({ files }: Packing) => {
    const rows = files
      .get(name)!
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const row of rows) change(row)
    files.set(name, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
    const manifest = JSON.parse(files.get('manifest.json')!.toString())
    const sum = createHash('sha256').update(files.get(name)!).digest('hex')
    for (const table of manifest.tables) if (table.path === name) table.sha256 = sum
    files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  }
}

async function importInto(archive: Buffer) {
  const project = await ws.project()
  const { api } = project.admin
  const { body, status } = await api.post('/imports', formOf('project.zip', archive), multipart)
  expect(status).toBe(202)
  await runTransfers(ws, project.id)
  const { data } = (await api.get(`/imports/${body.data.id}`)).body
  return { project, api, data }
}

const replaced = (archive: Buffer, from: string, to: string) =>
  Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1')

describe('an archive that is not as it should be changes nothing, and it is said why:', () => {
  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['no zip file', async () => Buffer.from('hello'), /not a zip file/],
    ['cut off', async () => (await packed()).subarray(0, -200), /not a zip file|damaged/],
    [
      'a name that leads out',
      async () => replaced(await packed(({ add }) => add('xx/evil.md', Buffer.from('x'))), 'xx/evil.md', '../evil.md'),
      /damaged.*\.\.\/evil\.md/,
    ],
    ['a symbolic link', () => packed(({ add }) => add('link', Buffer.from('/etc/passwd'), 0o120777)), /symbolic link/],
    ['the same name twice', () => packed(({ add }) => add('manifest.json', Buffer.from('{}'))), /twice/],
    ['a bomb', () => packed(({ add }) => add('bomb', Buffer.alloc(120 * 1024 * 1024))), /too large/],
    ['of another program', () => packed(({ files }) => files.delete('manifest.json')), /"manifest.json" is missing/],
    [
      'of a later version',
      () =>
        packed(({ files }) =>
          files.set(
            'manifest.json',
            Buffer.from(files.get('manifest.json')!.toString().replace('"version": 1', '"version": 2')),
          ),
        ),
      /version 2/,
    ],
    [
      'a changed row',
      () =>
        packed(({ files }) =>
          files.set(
            'data/documents.jsonl',
            Buffer.from(files.get('data/documents.jsonl')!.toString().replace('Refunds', 'Refund5')),
          ),
        ),
      /checksum/,
    ],
    [
      'a changed file',
      () =>
        packed(({ files }) =>
          [...files.keys()]
            .filter((name) => name.startsWith('files/'))
            .map((name) => files.set(name, Buffer.alloc(files.get(name)!.length))),
        ),
      /another content/,
    ],
    [
      'a missing file',
      () =>
        packed(({ files }) =>
          [...files.keys()].filter((name) => name.startsWith('files/')).map((name) => files.delete(name)),
        ),
      /missing in the archive/,
    ],
  ])('%s', async (_what, make, reason) => {
    const { project, api, data } = await importInto(await make())
    expect(data).toMatchObject({ state: 'failed', counts: {} })
    expect(data.error).toMatch(reason)
    expect((await api.get('/requirements')).body.total).toBe(6)
    for await (const { key } of ws.store.list(`${ws.store.installationId}/artifacts/${project.id}`))
      expect(key).toBe('')
  })

  it.each<[string, string, (row: Record<string, unknown>) => void, RegExp]>([
    [
      'a status that there is not',
      'data/automations.jsonl',
      (row) => Object.assign(row, { approval: 'maybe' }),
      /automations.jsonl", line 1: "approval"/,
    ],
    [
      'a time that is none',
      'data/documents.jsonl',
      (row) => Object.assign(row, { created_at: 'soon' }),
      /documents.jsonl", line 1 to 8: invalid input syntax/,
    ],
    [
      'somebody who is not in the file',
      'data/artifacts.jsonl',
      (row) => Object.assign(row, { created_by_id: row.id }),
      /not in "people.jsonl"/,
    ],
    [
      'a path that is not that of its folder',
      'data/artifacts.jsonl',
      (row) => Object.assign(row, { folder_path: '../secrets' }),
      /path of an artifact/,
    ],
    [
      'a name with a slash',
      'data/artifacts.jsonl',
      (row) => Object.assign(row, { name: '../../x' }),
      /A name has no slash/,
    ],
    [
      'a document without its version',
      'data/document_versions.jsonl',
      (row) => Object.assign(row, { markdown_content: 'Other.\n' }),
      /current one/,
    ],
    [
      'a link to nowhere',
      'data/resources.jsonl',
      (row) => Object.assign(row, { id: '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81' }),
      /resources.jsonl/,
    ],
  ])('rows with %s', async (_what, name, change, reason) => {
    const { data, api } = await importInto(await packed(forge(name, change)))
    expect(data.error).toMatch(reason)
    expect(data.state).toBe('failed')
    expect((await api.get('/requirements')).body.total).toBe(6)
  })
})

it('a row cannot take the bytes of another project', async () => {
  const { admin } = await ws.project()
  const [victim] = await ws.sql<
    { content_key: string }[]
  >`select content_key from artifacts where content_key is not null`
  const archive = await packed(
    forge('data/artifacts.jsonl', (row) => Object.assign(row, { content_key: victim!.content_key })),
  )
  const { data, project } = await importInto(archive)
  expect(data.error).toBeNull()
  const [own] = await ws.sql<
    { content_key: string }[]
  >`select content_key from artifacts where project_id = ${project.id}`
  expect(own!.content_key).toContain(project.id)
  expect(admin).toBeDefined()
})

it('only a new project takes an import, and only an admin may bring or take a whole project', async () => {
  const archive = await packed()
  const project = await ws.project()
  const editor = await project.join('editor')
  expect((await editor.api.post('/exports')).status).toBe(403)
  expect((await editor.api.post('/imports', formOf('a.zip', archive), multipart)).status).toBe(403)
  await createArtifact(
    {
      ...project.operator,
      store: ws.store,
      actor: { ...project.operator.actor, origin: 'user', userId: editor.userId },
    },
    { type: 'folder', name: 'Mine', content: null, markdownContent: null, parentId: null, folderPath: undefined },
  )
  const refused = await project.admin.api.post('/imports', formOf('a.zip', archive), multipart)
  expect(refused).toMatchObject({ status: 409, body: { code: 'project_not_empty' } })
  const started = await project.admin.api.post('/exports')
  const { id } = started.body.data
  expect((await project.admin.api.post('/exports')).body.code).toBe('transfer_running')
  expect((await project.admin.api.get(`/exports/${id}/content`)).body.code).toBe('export_running')
  const stranger = (await ws.project()).admin
  expect((await project.admin.api.get('/transfers')).body.items).toMatchObject([{ id, kind: 'export' }])
  expect((await editor.api.get('/transfers')).body.items).toEqual([])
  expect((await stranger.api.get(`/exports/${id}`)).status).toBe(404)
  await runTransfers(ws, project.id)
  expect((await project.admin.api.get(`/exports/${id}/content`, { range: 'bytes=0-1' })).bytes.toString()).toBe('PK')
  expect((await stranger.api.get(`/exports/${id}/content`)).status).toBe(404)
  expect((await editor.api.get(`/exports/${id}/content`)).status).toBe(403)
})

it('an import that a killed server left behind is taken up again, and given up after three attempts', async () => {
  const project = await ws.project()
  const { api } = project.admin
  const { body } = await api.post('/imports', formOf('project.zip', await packed()), multipart)
  const { id } = body.data
  const leave = (attempts: number) => ws.sql`
    update transfers set state = 'running', attempts = ${attempts}, lease_id = gen_random_uuid(),
      seen_at = now() - interval '2 minutes' where id = ${id}`
  const queued = async () =>
    (await ws.sql`select 1 from graphile_worker._private_jobs where payload->>'id' = ${id}`).length
  await leave(1)
  const before = await queued()
  await ws.deps.wiring.jobs.get('resume_transfers')!.run({}, ws.deps)
  expect(await queued()).toBe(before + 1)
  await leave(3)
  await runTransfers(ws, project.id)
  expect((await api.get(`/imports/${id}`)).body.data).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('server stopped'),
  })
  const again = (await api.post('/imports', formOf('project.zip', await packed()), multipart)).body.data
  await runTransfers(ws, project.id)
  expect((await api.get(`/imports/${again.id}`)).body.data).toMatchObject({ state: 'done', error: null })
  expect((await api.get('/requirements')).body.total).toBe(7)
})

it('people without an account here are named and keep their names, and nobody gets an account', async () => {
  const { data, project, api } = await importInto(await packed())
  expect(data.error).toBeNull()
  expect(data.counts.unknown_people).toBe(1)
  expect(data.problems).toEqual([
    {
      where: 'people.jsonl',
      detail: expect.stringMatching(/^".+" \(.+@.+\) is not in this organization, so only the name comes\.$/),
    },
  ])
  const { items } = (await api.get('/requirements?document_type=FEATURE')).body
  const [version] = (await api.get(`/requirements/${items[0].id}/versions`)).body.items
  expect(JSON.stringify(version)).toContain('Person')
  const names = await ws.sql<{ email: string }[]>`
    select distinct u.email from users u join events e on e.user_id = u.id
    where e.project_id = ${project.id} and u.id not in (select user_id from organization_members)`
  expect(names.length).toBe(1)
  expect(names[0]!.email).toMatch(/@imported\.invalid$/)
})
