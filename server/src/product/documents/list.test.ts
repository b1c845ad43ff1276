import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS, times } from './document.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const TITLES = ['100% sure', '100 sure', 'size_of', 'sizeXof', 'back\\slash', 'ÄRGER Größe', 'Итоги', 'a, b & c', "d'e"]

describe.each(KINDS)('the list of %s', (_, kind) => {
  const { path, total } = kind
  let api: Client
  beforeAll(async () => {
    api = (await ws.project()).admin.api
    for (const title of TITLES) await createDocument(api, kind, { title })
  })

  const titles = async (query: string, client = api) => {
    const { status, body } = await client.get(`${path}?page_size=100&${query}`)
    expect(status).toBe(200)
    expect(body.total).toBe(body.items.length)
    return body.items.map((item: { title: string }) => item.title)
  }

  it.each([
    ['%', ['100% sure']],
    ['_', ['size_of']],
    ['\\', ['back\\slash']],
    ['100', ['100% sure', '100 sure']],
    ['SIZE', ['size_of', 'sizeXof']],
    ['ärger', ['ÄRGER Größe']],
    ['GRÖSSE', []],
    ['ИТОГ', ['Итоги']],
    ['a, B &', ['a, b & c']],
    ["'", ["d'e"]],
    ['nothing like it', []],
  ])('filtered by the title %j contains exactly the titles that include it, in any case', async (title, expected) => {
    expect(await titles(`title=${encodeURIComponent(title)}`)).toEqual(expected)
  })

  it('is not filtered by an empty title', async () => {
    expect(await titles('title=')).toHaveLength(TITLES.length + total)
  })

  it('refuses a title filter of 501 characters', async () => {
    expect((await api.get(`${path}?title=${'x'.repeat(501)}`)).status).toBe(422)
  })

  it('ignores unknown parameters', async () => {
    expect(await titles('color=red&sort=title')).toHaveLength(TITLES.length + total)
  })

  it('is in the order of creation, even after moves and changes', async () => {
    const { admin } = await ws.project()
    const made = []
    for (const title of ['c', 'a', 'b']) made.push(await createDocument(admin.api, kind, { title }))
    await admin.api.put(`${path}/${made[2]!.id}/move`, { position: 0 })
    await admin.api.put(`${path}/${made[0]!.id}/move`, { parent_id: made[1]!.id })
    await admin.api.patch(`${path}/${made[0]!.id}`, { markdown_content: 'New' })
    expect((await titles('', admin.api)).slice(total)).toEqual(['c', 'a', 'b'])
  })

  it('has pages that together contain every document once', async () => {
    const seen: string[] = []
    const pages = Math.ceil((TITLES.length + total) / 4)
    for (const page of times(pages, (index) => index + 1)) {
      const { body } = await api.get(`${path}?page=${page}&page_size=4`)
      expect(body).toMatchObject({ page, page_size: 4, total: TITLES.length + total, total_pages: pages })
      seen.push(...body.items.map((item: { id: string }) => item.id))
    }
    expect(seen).toHaveLength(TITLES.length + total)
    expect(new Set(seen).size).toBe(seen.length)
    expect([...seen].sort()).toEqual(seen)
  })

  it('has 20 documents a page by default, and links to the other pages', async () => {
    const { body, headers } = await api.get(`${path}?page_size=5&page=2`)
    expect(body.items).toHaveLength(Math.min(5, TITLES.length + total - 5))
    for (const rel of ['first', 'prev', 'last']) expect(headers.link).toContain(`rel="${rel}"`)
    expect((await api.get(path)).body).toMatchObject({ page: 1, page_size: 20 })
  })

  it('is empty past its end, with the correct total, with or without filters', async () => {
    const past = (await api.get(`${path}?page=9`)).body
    expect(past).toMatchObject({ items: [], total: TITLES.length + total, page: 9, total_pages: 1 })
    const filtered = (await api.get(`${path}?page=9&title=size`)).body
    expect(filtered).toMatchObject({ items: [], total: 2, page: 9, total_pages: 1 })
    const nothing = (await api.get(`${path}?title=zzz`)).body
    expect(nothing).toMatchObject({ items: [], total: 0, page: 1, total_pages: 0 })
  })

  it.each(['page=0', 'page=x', 'page=1.5', 'page_size=0', 'page_size=101', 'page_size=x'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await api.get(`${path}?${query}`)
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe(`/${query.split('=')[0]}`)
    },
  )

  it('has the correct total after creates and deletes, with or without filters', async () => {
    const { admin } = await ws.project()
    const counts = async () => [
      (await admin.api.get(path)).body.total,
      (await admin.api.get(`${path}?title=kept`)).body.total,
    ]
    const made = []
    for (const title of ['kept 1', 'kept 2', 'kept 3']) made.push(await createDocument(admin.api, kind, { title }))
    await createDocument(admin.api, kind, { title: 'below', parent_id: made[0]!.id })
    expect(await counts()).toEqual([total + 4, 3])
    await admin.api.delete(`${path}/${made[0]!.id}`)
    expect(await counts()).toEqual([total + 3, 2])
    await admin.api.post(path, { ...kind.needs, title: '' })
    await admin.api.delete(`${path}/${made[0]!.id}`)
    expect(await counts()).toEqual([total + 3, 2])
  })

  it('contains no documents of another project', async () => {
    const { admin } = await ws.project()
    expect(await titles('title=size', admin.api)).toEqual([])
    expect((await admin.api.get(path)).body.total).toBe(total)
  })
})
