import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS } from './document.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

describe.each(KINDS)('a text of %s', (_, kind) => {
  const setUp = async (markdown_content: string) => {
    const { admin } = await ws.project()
    const { id } = await createDocument(admin.api, kind, { markdown_content })
    return { api: admin.api, one: `${kind.path}/${id}`, id }
  }

  test('is written, compared and restored in versions', async () => {
    const { api, one } = await setUp('one\ntwo\n')
    const first = (await api.get(one)).headers.etag!
    const written = await api.patch(one, { markdown_content: 'one\n2\n' })
    expect(written.body.data).toMatchObject({ markdown_content: 'one\n2\n', version_number: 2 })
    expect((await api.patch(one, { markdown_content: 'lost' }, { 'if-match': first })).status).toBe(412)
    const [second, start] = (await api.get(`${one}/versions`)).body.items
    const { diff } = (await api.get(`${one}/versions/${start.version_id}/diff/${second.version_id}`)).body.data
    expect(diff).toContain('-two\n+2\n')
    const restored = await api.post(`${one}/versions/${start.version_id}/restore`)
    expect(restored.body.data).toMatchObject({ markdown_content: 'one\ntwo\n', version_number: 3 })
  })

  test('keeps suggestions until they are decided', async () => {
    const { api, one } = await setUp('one two\n')
    const applied = await api.post(`${one}/apply_suggestion`, { old_text: 'two', new_text: '2' })
    expect(applied.body.data).toMatchObject({ status: 'applied' })
    expect((await api.get(one)).body.data.markdown_content).toBe('one {--two--}{++2++}\n')
    expect((await api.post(`${one}/apply_suggestion`, { old_text: 'three', new_text: '3' })).body.code).toBe(
      'text_not_found',
    )
    expect((await api.post(`${one}/suggestions/accept_all`)).body.data.markdown_content).toBe('one 2\n')
  })

  test('has comments with replies, which are resolved', async () => {
    const { api, one } = await setUp('one\n')
    const thread = (await api.post(`${one}/comments`, { message: 'Why one?' })).body.data
    const replied = await api.post(`${one}/comments/${thread.id}/messages`, { message: 'Because.' })
    expect(replied.body.data.messages).toHaveLength(2)
    const resolved = await api.patch(`${one}/comments/${thread.id}`, { is_resolved: true })
    expect(resolved.body.data.is_resolved).toBe(true)
  })

  test('is found by an expression, and refused when it is not markdown', async () => {
    const { api, one, id } = await setUp('The *quick* fox\n')
    const found = (await api.post(`${kind.path}/search`, { query: 'qu[a-z]+k' })).body
    expect(JSON.stringify(found)).toContain(id)
    const refused = await api.patch(one, { markdown_content: '```\nnever closed\n' })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_markdown'])
  })
})
