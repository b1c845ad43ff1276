import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, createFile, createFolder, namesIn } from './artifact.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
  await createDocument(api, { name: 'zebra.md' })
  await createDocument(api, { name: 'Apple.md', folder_path: 'Research/2026' })
  await createFile(api, { fileName: 'banana_100%.csv', fields: { folder_path: 'research' } })
  await createDocument(api, { name: 'ÄPFEL.md', folder_path: 'Researchers' })
  await createFolder(api, { name: 'empty' })
})
afterAll(() => ws.close())

const everything = ['2026', 'Apple.md', 'banana_100%.csv', 'empty', 'Research', 'Researchers', 'zebra.md', 'ÄPFEL.md']

describe('the list', () => {
  it('has everything by name, whatever the case', async () => {
    expect(await namesIn(api)).toEqual(everything)
  })

  it('shows the summary and nothing more', async () => {
    const { body } = await api.get('/artifacts?name=apple')
    expect(Object.keys(body.items[0])).toEqual([
      'object',
      'id',
      'name',
      'type',
      'content_type',
      'size_bytes',
      's3_uri',
      'folder_path',
      'created_at',
      'updated_at',
      'created_by',
    ])
    expect(body).toMatchObject({ total: 1, page: 1, page_size: 20, total_pages: 1 })
    expect(body.items[0].folder_path).toBe('Research/2026')
  })

  it('comes in pages', async () => {
    const first = await api.get('/artifacts?page_size=3')
    const last = await api.get('/artifacts?page_size=3&page=3')
    expect(first.body).toMatchObject({ total: 8, total_pages: 3 })
    expect(last.body.items.map((one: { name: string }) => one.name)).toEqual(everything.slice(6))
    expect(first.headers.link).toContain('rel="next"')
    expect((await api.get('/artifacts?page=9')).body).toMatchObject({ items: [], total: 8, total_pages: 1 })
    expect((await api.get('/artifacts?name=e&page=9')).body.items).toEqual([])
  })

  it('has the same order when names are the same', async () => {
    const own = (await ws.project()).admin.api
    for (const folder_path of ['a', 'b', 'c']) await createDocument(own, { name: 'same.md', folder_path })
    const ids: string[] = []
    for (const page of [1, 2, 3])
      ids.push((await own.get(`/artifacts?type=document&page_size=1&page=${page}`)).body.items[0].id)
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(3)
  })

  it('of a new project is empty', async () => {
    const { body } = await (await ws.project()).admin.api.get('/artifacts')
    expect(body).toEqual({ items: [], total: 0, page: 1, page_size: 20, total_pages: 0 })
  })
})

describe('a filter', () => {
  it('by folder has everything below, and without recursive only what lies in it', async () => {
    expect(await namesIn(api, '&folder_path=Research')).toEqual(['2026', 'Apple.md', 'banana_100%.csv'])
    expect(await namesIn(api, '&folder_path=Research&recursive=false')).toEqual(['2026', 'banana_100%.csv'])
    expect(await namesIn(api, '&folder_path=Research/2026')).toEqual(['Apple.md'])
    expect(await namesIn(api, '&folder_path=empty')).toEqual([])
  })

  it('by folder does not care about case and outer slashes', async () => {
    for (const path of ['research/2026', '/RESEARCH/2026/', '%2Fresearch%2F2026'])
      expect(await namesIn(api, `&folder_path=${path}`)).toEqual(['Apple.md'])
  })

  it.each(['', '/'])('by the root "%s" has everything, and without recursive what lies in the root', async (root) => {
    expect(await namesIn(api, `&folder_path=${root}`)).toEqual(everything)
    expect(await namesIn(api, `&folder_path=${root}&recursive=false`)).toEqual([
      'empty',
      'Research',
      'Researchers',
      'zebra.md',
    ])
  })

  it('without recursive alone has what lies in the root', async () => {
    expect(await namesIn(api, '&recursive=false')).toEqual(['empty', 'Research', 'Researchers', 'zebra.md'])
  })

  it.each(['nowhere', 'Research/nowhere', 'zebra.md', 'Research//2026', '..', 'Research/2026/Apple.md', '%25'])(
    'by the unknown path %s is an empty list',
    async (path) => {
      const { status, body } = await api.get(`/artifacts?folder_path=${path}`)
      expect([status, body.items, body.total]).toEqual([200, [], 0])
    },
  )

  it('by folder is deprecated and says so, beside the pages', async () => {
    const { headers } = await api.get('/artifacts?folder_path=Research&page_size=1')
    expect(headers.deprecation).toMatch(/^@\d+$/)
    expect(headers.link).toContain('rel="next"')
    expect(headers.link).toContain('rel="deprecation"')
    const plain = await api.get('/artifacts')
    expect(plain.headers.deprecation).toBeUndefined()
    expect(plain.headers.link).not.toContain('deprecation')
  })

  it('by name finds a part in any case, and takes it literally', async () => {
    expect(await namesIn(api, '&name=EARCH')).toEqual(['Research', 'Researchers'])
    expect(await namesIn(api, `&name=${encodeURIComponent('äpf')}`)).toEqual(['ÄPFEL.md'])
    expect(await namesIn(api, '&name=%25')).toEqual(['banana_100%.csv'])
    expect(await namesIn(api, '&name=a_1')).toEqual(['banana_100%.csv'])
    expect(await namesIn(api, '&name=x_y')).toEqual([])
    expect(await namesIn(api, '&name=%5C')).toEqual([])
    expect(await namesIn(api, '&name=')).toEqual(everything)
  })

  it('by type, and together with others', async () => {
    expect(await namesIn(api, '&type=file')).toEqual(['banana_100%.csv'])
    expect(await namesIn(api, '&type=folder')).toEqual(['2026', 'empty', 'Research', 'Researchers'])
    expect(await namesIn(api, '&type=document&folder_path=research&name=APP')).toEqual(['Apple.md'])
    expect((await api.get('/artifacts?type=folder&page_size=1')).body.total).toBe(4)
  })

  it.each([
    ['type=link', '/type'],
    ['type=', '/type'],
    ['recursive=yes', '/recursive'],
    ['page=0', '/page'],
    ['page_size=101', '/page_size'],
    ['name=%00', '/name'],
    [`folder_path=${'x'.repeat(4_001)}`, '/folder_path'],
    ['folder_path=a&folder_path=b', '/folder_path'],
  ])('that says %s is a 422', async (query, pointer) => {
    const { status, body } = await api.get(`/artifacts?${query}`)
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer])
  })

  it('that nobody knows is ignored', async () => {
    expect((await api.get('/artifacts?colour=red')).status).toBe(200)
  })
})

it('the total is right after adding, moving and deleting', async () => {
  const own = (await ws.project()).admin.api
  const total = async () => (await own.get('/artifacts')).body.total
  const folder = await createFolder(own)
  await createDocument(own, { parent_id: folder.id })
  await createFile(own, { fields: { folder_path: 'x/y' } })
  expect(await total()).toBe(5)
  await own.post('/artifacts', { name: folder.name })
  expect(await total()).toBe(5)
  await own.delete(`/artifacts/${folder.id}`)
  expect(await total()).toBe(3)
})
