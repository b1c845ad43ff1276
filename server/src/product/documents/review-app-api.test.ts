import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { signedInMember } from '../../faces/app-api/visitor.factory.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from './document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let person: Awaited<ReturnType<typeof signedInMember>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  person = await signedInMember(ws, project, 'editor')
})
afterAll(() => ws.close())

const ANCHOR = { quote: 'ten days', prefix: 'It takes ', suffix: '.', position: '{"start":1}' }

describe.each(KIND_OF_TEXTS)('the review of %s', (_, kind) => {
  const setUp = async () => {
    const { id } = await createDocument(project.admin.api, kind)
    return { id, one: `${kind.path}/${id}` }
  }

  it('has the passage that a thread is about, which the external API does not show', async () => {
    const { one } = await setUp()
    const { status, body } = await person.call('POST', `${one}/threads`, { message: 'Why ten?', anchor: ANCHOR })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ anchor: ANCHOR, is_flagged: false, is_resolved: false })
    expect(body.data.messages).toMatchObject([{ message: 'Why ten?', created_by_id: person.user.id, origin: 'user' }])
    const { items } = (await project.admin.api.get(`${one}/comments`)).body
    expect(items.map((item: object) => Object.keys(item).sort())).toEqual([
      ['id', 'is_flagged', 'is_resolved', 'messages', 'object', 'thread_id'],
    ])
    expect(Object.keys(items[0].messages[0]).sort()).toEqual(['created_at', 'created_by_name', 'id', 'message'])
    await project.admin.api.post(`${one}/comments`, { message: 'About everything.' })
    await person.call('PATCH', `${one}/comments/${body.data.id}`, { is_resolved: true })
    const { threads } = (await person.call('GET', `${one}/review`)).body.data
    expect(threads).toMatchObject([
      { id: body.data.id, anchor: ANCHOR, is_resolved: true },
      { anchor: null, messages: [{ created_by_name: project.admin.name, origin: 'external_api' }] },
    ])
  })

  it('says who suggested what, and through which door', async () => {
    const { one } = await setUp()
    await project.admin.api.patch(one, { markdown_content: 'ten and two\n' })
    await project.admin.api.post(`${one}/apply_suggestion`, { old_text: 'ten', new_text: 'five' })
    await person.call('POST', `${one}/apply_suggestion`, { old_text: 'two', new_text: '2' })
    const { suggestions } = (await person.call('GET', `${one}/review`)).body.data
    const list = (await person.call('GET', `${one}/suggestions`)).body.items
    expect(suggestions.map(({ created_by_id: _, origin: __, ...rest }: Record<string, unknown>) => rest)).toEqual(list)
    expect(suggestions.map((all: Record<string, unknown>) => [all.text, all.origin, all.created_by_name])).toEqual([
      ['ten', 'external_api', project.admin.name],
      ['five', 'external_api', project.admin.name],
      ['two', 'user', person.user.name],
      ['2', 'user', person.user.name],
    ])
    expect(suggestions[2].created_by_id).toBe(person.user.id)
  })

  it('refuses an empty quote, a stranger and a viewer', async () => {
    const { one } = await setUp()
    const anchor = { ...ANCHOR, quote: '' }
    expect((await person.call('POST', `${one}/threads`, { message: 'Why?', anchor })).status).toBe(422)
    expect((await person.call('POST', `${one}/threads`, { message: '' })).status).toBe(422)
    expect((await person.call('GET', `${kind.path}/${NEVER}/review`)).status).toBe(404)
    const other = await signedInMember(ws, await ws.project(), 'editor')
    expect((await other.call('GET', `${one}/review`)).status).toBe(404)
    expect((await other.call('POST', `${one}/threads`, { message: 'Why?' })).status).toBe(404)
    const viewer = await signedInMember(ws, project, 'viewer')
    expect((await viewer.call('GET', `${one}/review`)).status).toBe(200)
    expect((await viewer.call('POST', `${one}/threads`, { message: 'Why?' })).status).toBe(403)
  })
})
