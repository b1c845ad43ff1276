import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, NEVER, TIME, times, UUID } from '../document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  admin = project.admin
})
afterAll(() => ws.close())

interface Entry {
  version_id: string
  version_number: number
  version_name: string
  created_at: string
  attribution: Record<string, unknown>
}

describe.each(KIND_OF_TEXTS)('versions of %s', (_, kind) => {
  const { path } = kind
  const setUp = async (...contents: string[]) => {
    const { api } = admin
    const { id } = await createDocument(api, kind, { markdown_content: contents[0] ?? '' })
    const one = `${path}/${id}`
    for (const markdown_content of contents.slice(1)) await api.patch(one, { markdown_content })
    const entries = async () => (await api.get(`${one}/versions`)).body.items as Entry[]
    /** Indexed by version number: `ids[1]` is the first version. */
    const ids = ['', ...(await entries()).map((entry) => entry.version_id).reverse()]
    return { api, id, one, entries, ids }
  }

  it('are listed newest first with their number, name, time and author', async () => {
    const { api, one, ids } = await setUp('a', 'b')
    const editor = await project.join('editor')
    await editor.api.patch(one, { markdown_content: 'c' })
    const { status, body } = await api.get(`${one}/versions`)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['items', 'total_count'])
    expect(body.total_count).toBe(3)
    expect(body.items.map((item: Entry) => item.version_number)).toEqual([3, 2, 1])
    expect(body.items.slice(1).map((item: Entry) => item.version_id)).toEqual([ids[2], ids[1]])
    for (const [index, item] of body.items.entries()) {
      const { created_at, version_id, ...rest } = item
      const by = index === 0 ? editor : admin
      const [first, last] = by.name.split(' ')
      const attribution = {
        origin_type: 'external_api',
        user_id: by.userId,
        user_email: by.email,
        user_first_name: first,
        user_last_name: last,
        origin_name: expect.stringMatching(/\w/),
      }
      expect(rest).toEqual({
        object: 'version',
        version_number: 3 - index,
        version_name: `Version ${3 - index}`,
        attribution,
        authors: [attribution],
      })
      expect(created_at).toMatch(TIME)
      expect(version_id).toMatch(UUID)
    }
  })

  it('are listed without a limit', async () => {
    const { api, one } = await setUp(...times(121, (index) => `v${index}`))
    const { body } = await api.get(`${one}/versions?page_size=5&page=3`)
    expect([body.items.length, body.total_count]).toEqual([121, 121])
    expect(body.items.map((item: Entry) => item.version_number)).toEqual(times(121, (index) => 121 - index))
  })

  it('are read by id as a document with their content', async () => {
    const { api, one, ids } = await setUp('one\r\n', 'two', '')
    const now = (await api.get(one)).body.data
    for (const [index, content] of ['one\r\n', 'two', ''].entries()) {
      const { status, body } = await api.get(`${one}/versions/${ids[index + 1]!}`)
      expect(status).toBe(200)
      expect(body.data).toEqual({
        ...now,
        version_id: ids[index + 1],
        version_number: index + 1,
        markdown_content: content,
      })
    }
    const upper = await api.get(`${one}/versions/${ids[1]!.toUpperCase()}`)
    expect(upper.body.data.version_id).toBe(ids[1])
  })

  it('of another document or project are 404, like unknown ones', async () => {
    const { api, one } = await setUp('a')
    const near = await setUp('b')
    const foreign = await createDocument((await ws.project()).admin.api, kind)
    const own = (await api.get(one)).body.data.version_id
    const details = []
    for (const id of [NEVER, near.ids[1]!, foreign.version_id as string])
      for (const call of [
        () => api.get(`${one}/versions/${id}`),
        () => api.post(`${one}/versions/${id}/restore`),
        () => api.get(`${one}/versions/${own}/diff/${id}`),
        () => api.get(`${one}/versions/${id}/diff/${own}`),
      ]) {
        const { status, body } = await call()
        expect([status, body.code]).toEqual([404, 'not_found'])
        details.push(body.detail.replace(id, ''))
      }
    expect(new Set(details).size).toBe(1)
    expect((await api.get(`${one}/versions`)).body.total_count).toBe(1)
    expect((await api.get(`${path}/${NEVER}/versions`)).status).toBe(404)
    expect((await api.get(`${path}/${NEVER}/versions/${own}`)).status).toBe(404)
  })

  it('refuse an id that is not a UUID', async () => {
    const { api, one } = await setUp()
    const { status, body } = await api.get(`${one}/versions/1`)
    expect([status, body.errors[0].pointer]).toEqual([422, '/version_id'])
  })

  it('are restored as a new version by the user who restores them', async () => {
    const { api, one, ids, entries } = await setUp('first\r\n', 'second')
    const editor = await project.join('editor')
    const { status, body, headers } = await editor.api.post(`${one}/versions/${ids[1]}/restore`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ version_number: 3, markdown_content: 'first\r\n' })
    expect(ids).not.toContain(body.data.version_id)
    const now = await api.get(one)
    expect(now.body).toEqual(body)
    expect(headers.etag).toBe(now.headers.etag)
    const [newest] = await entries()
    expect(newest).toMatchObject({ version_number: 3, attribution: { user_id: editor.userId } })
    expect((await api.get(`${one}/versions/${ids[2]}`)).body.data.markdown_content).toBe('second')
  })

  it('are restored even if their content is the current one', async () => {
    const { api, one, ids } = await setUp('a')
    expect((await api.post(`${one}/versions/${ids[1]}/restore`)).body.data.version_number).toBe(2)
  })

  it('are restored only if If-Match names the current state', async () => {
    const { api, one, ids } = await setUp('a', 'b')
    const { headers } = await api.get(one)
    const restore = (tag: string) => api.post(`${one}/versions/${ids[1]}/restore`, undefined, { 'if-match': tag })
    expect((await restore('"old"')).status).toBe(412)
    expect((await restore(headers.etag!)).status).toBe(200)
  })

  it('restore their pending changes', async () => {
    const { api, one, ids } = await setUp('a {++b++}', 'c')
    expect((await api.get(`${one}/suggestions`)).body.items).toEqual([])
    await api.post(`${one}/versions/${ids[1]}/restore`)
    expect((await api.get(`${one}/suggestions`)).body.items).toMatchObject([{ kind: 'insertion', text: 'b' }])
  })

  describe('as a diff', () => {
    const diffOf = async (from: string, to: string) => {
      const { api, one, ids } = await setUp(from, to)
      const { status, body } = await api.get(`${one}/versions/${ids[1]}/diff/${ids[2]}`)
      expect(status).toBe(200)
      expect(Object.keys(body.data).sort()).toEqual(['diff', 'from_version_id', 'object', 'to_version_id'])
      expect(body.data).toMatchObject({ object: 'version_diff', from_version_id: ids[1], to_version_id: ids[2] })
      return { diff: body.data.diff as string, api, one, ids }
    }

    it('show removed and added lines', async () => {
      const { diff, api, one, ids } = await diffOf('a\nb\nc\n', 'a\nB\nc\nd\n')
      expect(diff).toMatch(/^--- .*\n\+\+\+ .*\n@@ -1,3 \+1,4 @@\n a\n-b\n\+B\n c\n\+d\n$/m)
      const back = await api.get(`${one}/versions/${ids[2]}/diff/${ids[1]}`)
      expect(back.body.data.diff).toMatch(/^@@ -1,4 \+1,3 @@\n a\n-B\n\+b\n c\n-d\n$/m)
    })

    it('have no hunk if nothing differs', async () => {
      const { api, one, ids } = await setUp('a\n')
      const { body } = await api.get(`${one}/versions/${ids[1]}/diff/${ids[1]}`)
      expect(body.data.diff).not.toContain('@@')
    })

    it('show a missing final newline and a changed line end', async () => {
      expect((await diffOf('a\n', 'a')).diff).toContain('\\ No newline at end of file')
      expect((await diffOf('a\r\n', 'a\n')).diff).toContain('-a\r\n+a\n')
    })

    it('have one header, whatever the title', async () => {
      const { api, one, ids } = await setUp('a\n', 'b\n')
      await api.patch(`${one}/rename`, { title: 'x\n@@ -9,9 +9,9 @@\n-y' })
      const { diff } = (await api.get(`${one}/versions/${ids[1]}/diff/${ids[2]}`)).body.data
      expect(diff.match(/^@@/gm)).toHaveLength(1)
      expect(diff.match(/^---/gm)).toHaveLength(1)
    })

    it('are fast for long texts with nothing in common', async () => {
      const text = (word: string) => times(6_000, (index) => `${word} ${index}\n`).join('')
      const { diff } = await diffOf(text('old'), text('new'))
      expect(diff.match(/^-old/gm)).toHaveLength(6_000)
      expect(diff.match(/^\+new/gm)).toHaveLength(6_000)
    }, 10_000)
  })
})

it('the documents of a new project have versions by the system', async () => {
  const { items } = (await admin.api.get('/requirements')).body
  const { body } = await admin.api.get(`/requirements/${items[0].id}/versions`)
  expect(body.items).toMatchObject([
    {
      version_number: 1,
      attribution: {
        origin_type: 'system',
        user_id: null,
        user_email: null,
        user_first_name: null,
        user_last_name: null,
      },
    },
  ])
})
