import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, createFile, createFolder, namesIn, upload } from './artifact.factory.ts'

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  admin = project.admin
  api = admin.api
})
afterAll(() => ws.close())

const textAt = async (uri: string) => {
  const key = /^s3:\/\/slipway\/(.+)$/.exec(uri)![1]!
  const pieces: Buffer[] = []
  for await (const piece of (await ws.store.read(key))!) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('a new document', () => {
  it('has every documented field, its bytes at its s3_uri', async () => {
    const { status, body, headers } = await api.post('/artifacts', { name: 'Größe.md', markdown_content: '# Größe\n' })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(['data'])
    expect(Object.keys(body.data).sort()).toEqual([
      'connectedContext',
      'content_type',
      'created_at',
      'created_by',
      'folder_path',
      'id',
      'markdown_content',
      'name',
      'object',
      's3_uri',
      'size_bytes',
      'type',
      'updated_at',
    ])
    expect(body.data).toMatchObject({
      object: 'artifact',
      name: 'Größe.md',
      type: 'document',
      content_type: 'text/markdown',
      size_bytes: Buffer.byteLength('# Größe\n'),
      folder_path: '',
      created_by: admin.name,
      markdown_content: '# Größe\n',
      connectedContext: [],
    })
    expect(body.data.created_at).toMatch(ISO)
    expect(body.data.updated_at).toBe(body.data.created_at)
    expect(await textAt(body.data.s3_uri)).toBe('# Größe\n')
    const read = await api.get(`/artifacts/${body.data.id}`)
    expect(read.body).toEqual(body)
    expect(read.headers.etag).toBe(headers.etag)
  })

  it('without markdown is empty', async () => {
    const { body } = await api.post('/artifacts', { name: 'empty.md' })
    expect(body.data).toMatchObject({ type: 'document', markdown_content: '', size_bytes: 0 })
    expect(await textAt(body.data.s3_uri)).toBe('')
  })

  it('leaves an event', async () => {
    const { id } = await createDocument(api, { name: 'event.md', folder_path: 'events' })
    const [event] = await ws.sql`select kind, subject_type, user_id, payload from events where subject_id = ${id}`
    expect(event).toMatchObject({
      kind: 'artifact.created',
      subject_type: 'artifact',
      user_id: admin.userId,
      payload: { type: 'document', name: 'event.md', folder_path: 'events' },
    })
  })
})

describe('a new folder', () => {
  it('has no content', async () => {
    expect(await createFolder(api, { name: 'plain' })).toMatchObject({
      type: 'folder',
      content_type: null,
      size_bytes: null,
      s3_uri: null,
      markdown_content: null,
      folder_path: '',
    })
  })

  it('with markdown is a 422', async () => {
    const answer = await api.post('/artifacts', { name: 'f', type: 'folder', markdown_content: 'x' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/markdown_content' }] } })
  })
})

describe('a new file', () => {
  it('keeps its bytes, its content type and its name', async () => {
    const content = Buffer.from([0, 255, 13, 10, 45, 45, 200])
    const file = await createFile(api, { content, fileName: 'größe ✓.bin', contentType: 'application/x-thing' })
    expect(file).toMatchObject({
      type: 'file',
      name: 'größe ✓.bin',
      content_type: 'application/x-thing',
      size_bytes: 7,
      markdown_content: null,
      folder_path: '',
    })
    const answer = await api.get(`/artifacts/${file.id}/content`)
    expect(answer.bytes.equals(content)).toBe(true)
    expect(answer.headers.etag).toBe(`"${createHash('sha256').update(content).digest('hex')}"`)
  })

  it('of markdown is a file all the same', async () => {
    const file = await createFile(api, { fileName: 'readme.md', contentType: 'text/markdown', content: '# Hi' })
    expect(file).toMatchObject({ type: 'file', content_type: 'text/markdown', markdown_content: null })
  })

  it('takes the name that is sent beside it', async () => {
    expect((await createFile(api, { fileName: 'x.bin', fields: { name: 'Chosen.bin' } })).name).toBe('Chosen.bin')
    expect((await createFile(api, { fileName: null, fields: { name: 'Nameless' } })).name).toBe('Nameless')
  })

  it('without any name is a 422, and nothing is stored', async () => {
    for (const fileName of [null, '', '..', '/etc/'])
      expect(await upload(api, { fileName })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name' }] } })
  })

  it('never keeps a path as its name', async () => {
    expect((await createFile(api, { fileName: '../../../etc/shadow' })).name).toBe('shadow')
    expect((await createFile(api, { fileName: 'C:\\\\Users\\\\ada\\\\plan.docx' })).name).toBe('plan.docx')
  })

  it('ignores and names fields that are only of documents', async () => {
    const { status, headers } = await upload(api, { fields: { markdown_content: 'x', colour: 'red' } })
    expect(status).toBe(201)
    expect(headers['x-ignored-fields']).toBe('markdown_content, colour')
  })

  it('of zero bytes is a file', async () => {
    const file = await createFile(api, { content: '' })
    expect(file.size_bytes).toBe(0)
    const { status, bytes } = await api.get(`/artifacts/${file.id}/content`)
    expect([status, bytes.length]).toEqual([200, 0])
  })
})

describe('a name', () => {
  const refused: [string, unknown][] = [
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['empty', ''],
    ['blank', ' \t '],
    ['with a slash', 'a/b'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['too long', 'x'.repeat(501)],
    ['with a NUL', 'a\u0000b'],
    ['with a control character', 'a\u001bb'],
    ['with a lone surrogate', 'a\ud800b'],
  ]
  it.each(refused)('that is %s is a 422', async (_title, name) => {
    const answer = await api.post('/artifacts', { name, markdown_content: 'x' })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe('/name')
  })

  const refusedOfFiles: [string, string, Record<string, string>?][] = [
    ['a NUL', 'a\0b.txt'],
    ['an encoded NUL', `x"; filename*="UTF-8''a%00b.txt`],
    ['a control character', 'a\u001bb.txt'],
    ['an encoded control character', `x"; filename*="UTF-8''a%C2%9Bb.txt`],
    ['a control character in the field beside it', 'a.txt', { name: 'a\u001bb' }],
  ]
  it.each(refusedOfFiles)('of a file with %s is a 422', async (_title, fileName, fields = {}) => {
    expect(await upload(api, { fileName, fields })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/name' }] },
    })
  })

  it('may be long and strange', async () => {
    for (const name of ['x'.repeat(500), '漢字'.repeat(250), '%2e%2e', '~', 'a\\b', '<script>', "'; drop table", 'CON'])
      expect((await createDocument(api, { name, folder_path: 'strange' })).name).toBe(name)
  })

  it('is unique in its folder, whatever the case or the way an accent is written: 409', async () => {
    await createDocument(api, { name: 'Résumé.MD', folder_path: 'unique' })
    for (const name of ['Résumé.MD', 'RÉSUMÉ.md', 're\u0301sume\u0301.md']) {
      const answer = await api.post('/artifacts', { name, folder_path: 'UNIQUE' })
      expect(answer).toMatchObject({ status: 409, body: { code: 'name_taken' } })
      expect(answer.body.detail).toContain(name)
    }
    const inFile = await upload(api, { fileName: 'résumé.md', fields: { folder_path: 'unique' } })
    expect(inFile.status).toBe(409)
    expect((await api.post('/artifacts', { name: 'résumé.md', type: 'folder', folder_path: 'unique' })).status).toBe(
      409,
    )
    expect(await namesIn(api, '&folder_path=unique')).toEqual(['Résumé.MD'])
  })

  it('may be the same in another folder and in another project', async () => {
    const other = (await ws.project()).admin.api
    const places = [
      await createDocument(api, { name: 'same.md', folder_path: 'one' }),
      await createDocument(api, { name: 'same.md', folder_path: 'two' }),
      await createDocument(api, { name: 'same.md' }),
      await createDocument(other, { name: 'same.md' }),
    ].map(({ name, folder_path }) => [name, folder_path])
    expect(places).toEqual(['one', 'two', '', ''].map((folder) => ['same.md', folder]))
    for (const folder of ['one', 'two']) expect(await namesIn(api, `&folder_path=${folder}`)).toEqual(['same.md'])
    expect(await namesIn(other)).toEqual(['same.md'])
  })
})

describe('the folder of a new artifact', () => {
  it('is the one that parent_id names', async () => {
    const outer = await createFolder(api, { name: 'Outer' })
    const inner = await createFolder(api, { name: 'Inner', parent_id: outer.id })
    expect(inner.folder_path).toBe('Outer')
    expect((await createDocument(api, { parent_id: inner.id })).folder_path).toBe('Outer/Inner')
    expect((await createFile(api, { fields: { parent_id: inner.id.toUpperCase() } })).folder_path).toBe('Outer/Inner')
    expect((await createDocument(api, { parent_id: null })).folder_path).toBe('')
  })

  it('is made with all that is missing on a path', async () => {
    const file = await createFile(api, { fields: { folder_path: '/deep/ly/nested/' } })
    expect(file.folder_path).toBe('deep/ly/nested')
    expect((await createDocument(api, { folder_path: 'DEEP/Ly' })).folder_path).toBe('deep/ly')
    expect(await namesIn(api, '&folder_path=deep&type=folder')).toEqual(['ly', 'nested'])
    const [count] = await ws.sql`select count(*)::int as n from events where kind = 'artifact.created'
      and payload->>'type' = 'folder' and payload->>'name' in ('deep', 'ly', 'nested')`
    expect(count!.n).toBe(3)
  })

  it('by path is deprecated, and says so', async () => {
    const byPath = await api.post('/artifacts', { name: 'dep.md', folder_path: 'dep' })
    expect(byPath.headers.deprecation).toMatch(/^@\d+$/)
    expect(byPath.headers.link).toContain('rel="deprecation"')
    expect(byPath.headers.sunset).toBeUndefined()
    const inRoot = await api.post('/artifacts', { name: 'not-dep.md' })
    expect([inRoot.headers.deprecation, inRoot.headers.link]).toEqual([undefined, undefined])
  })

  it.each(['', '/', '//'])('is the root for the path "%s"', async (folder_path) => {
    expect((await createDocument(api, { folder_path })).folder_path).toBe('')
  })

  it('cannot be a path through a file: 409', async () => {
    await createDocument(api, { name: 'leaf.md' })
    for (const folder_path of ['leaf.md', 'LEAF.md/below'])
      expect(await api.post('/artifacts', { name: 'x', folder_path })).toMatchObject({
        status: 409,
        body: { code: 'not_a_folder' },
      })
  })

  it.each(['a//b', 'a/./b', '../up', 'a/ /b', `${'x'.repeat(501)}`, 'x/'.repeat(2_001), 'a\u0000b'])(
    'cannot be the path %j: 422',
    async (folder_path) => {
      const answer = await api.post('/artifacts', { name: 'x', folder_path })
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].pointer).toBe('/folder_path')
    },
  )

  it('cannot be named twice: 422', async () => {
    const { id } = await createFolder(api)
    const answer = await api.post('/artifacts', { name: 'x', parent_id: id, folder_path: '' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/folder_path' }] } })
  })

  it('that nobody knows here is a 404 that names the field', async () => {
    const elsewhere = await createFolder((await ws.project()).admin.api)
    for (const parent_id of [NEVER, elsewhere.id]) {
      const answer = await api.post('/artifacts', { name: 'x', parent_id })
      expect(answer).toMatchObject({ status: 404, body: { errors: [{ pointer: '/parent_id' }] } })
      expect((await upload(api, { fields: { parent_id } })).status).toBe(404)
    }
  })

  it('that is no folder is a 422', async () => {
    const { id: document } = await createDocument(api)
    const { id: workOrder } = await createWorkOrder(api)
    for (const parent_id of [document, workOrder, 'abc', 7])
      expect(await api.post('/artifacts', { name: 'x', parent_id })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/parent_id' }] },
      })
  })

  it.each(['x', '😀'])(
    'cannot be so deep that its path is longer than 4000 characters, such as %s: 422',
    async (character) => {
      const folder_path = Array.from({ length: 8 }, (_, i) => `${i}${character.repeat(450)}`).join('/')
      const { id } = await createFolder(api, { name: 'bottom', folder_path })
      expect((await api.post('/artifacts', { name: 'y'.repeat(400), parent_id: id })).status).toBe(422)
      expect((await api.post('/artifacts', { name: 'y', parent_id: id })).status).toBe(201)
    },
  )
})

describe('a body', () => {
  it.each([
    ['type', 'file'],
    ['type', null],
    ['markdown_content', 7],
    ['markdown_content', null],
    ['markdown_content', 'a\u0000'],
    ['folder_path', null],
    ['folder_path', ['a']],
  ])('with %s %j is a 422', async (field, value) => {
    const answer = await api.post('/artifacts', { name: 'x', [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${field}` }] } })
  })

  it('with unknown fields is taken, and they are named', async () => {
    const answer = await api.post('/artifacts', { name: 'unknown.md', colour: 'red', file: { key: 'x' } })
    expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([201, 'colour, file'])
  })

  it('that cannot be read is a 400, that is something else a 415', async () => {
    expect((await api.post('/artifacts', '{"name"')).status).toBe(400)
    expect((await api.post('/artifacts')).status).toBe(400)
    expect((await api.post('/artifacts', '[]')).status).toBe(422)
    expect((await api.post('/artifacts', 'name=x', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('may be 2,000,000 characters of markdown, not more', async () => {
    const markdown_content = '漢'.repeat(2_000_000)
    expect((await createDocument(api, { markdown_content })).size_bytes).toBe(6_000_000)
    expect((await api.post('/artifacts', { name: 'x', markdown_content: `${markdown_content}x` })).status).toBe(422)
  })
})

describe('an Idempotency-Key', () => {
  it('makes a document once, and keeps one copy of its bytes', async () => {
    const one = (await ws.project()).admin.api
    const send = (markdown_content: string) =>
      one.post('/artifacts', { name: 'once.md', markdown_content }, { 'idempotency-key': 'k' })
    const first = await send('a')
    const again = await send('a')
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true'])
    expect(again.body).toEqual(first.body)
    expect(again.headers.etag).toBe(first.headers.etag)
    expect((await send('b')).status).toBe(422)
    expect(await namesIn(one)).toEqual(['once.md'])
  })

  it('remembers that a name was taken', async () => {
    await createDocument(api, { name: 'taken.md' })
    const headers = { 'idempotency-key': 'taken' }
    const first = await upload(api, { fileName: 'taken.md', headers })
    const again = await upload(api, { fileName: 'taken.md', headers })
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([409, 409, 'true'])
  })
})
