import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from '../document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let ada: Awaited<ReturnType<typeof signedInMember>>
let grace: typeof ada
let admin: typeof ada
let viewer: typeof ada
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  ada = await signedInMember(ws, project, 'editor')
  grace = await signedInMember(ws, project, 'editor')
  admin = await signedInMember(ws, project, 'admin')
  viewer = await signedInMember(ws, project, 'viewer')
})
afterAll(() => ws.close())

describe.each(KIND_OF_TEXTS)('comments of %s', (_, kind) => {
  const setUp = async () => {
    const { id } = await createDocument(project.admin.api, kind)
    const one = `${kind.path}/${id}`
    const { data: thread } = (await ada.call('POST', `${one}/threads`, { message: 'Why ten?' })).body
    const messages = `${one}/threads/${thread.id}/messages`
    const threads = async () => (await ada.call('GET', `${one}/review`)).body.data.threads
    return { id, one, thread, messages, first: `${messages}/${thread.messages[0].id}`, threads }
  }

  it('are edited by their author only, and say so', async () => {
    const { first, threads, thread } = await setUp()
    const { status, body } = await ada.call('PATCH', first, { message: 'Why not five?' })
    expect(status).toBe(200)
    expect(body.data.messages).toMatchObject([{ message: 'Why not five?', is_edited: true }])
    expect(await threads()).toMatchObject([{ messages: [{ message: 'Why not five?' }] }])
    for (const other of [grace, admin]) {
      const refused = await other.call('PATCH', first, { message: 'No.' })
      expect([refused.status, refused.body.type]).toEqual([403, expect.stringContaining('not_author')])
    }
    expect((await viewer.call('PATCH', first, { message: 'No.' })).status).toBe(403)
    expect((await ada.call('PATCH', first, { message: ' ' })).status).toBe(422)
    expect((await ada.call('PATCH', first.replace(thread.messages[0].id, NEVER), { message: 'x' })).status).toBe(404)
  })

  it('are deleted by their author or an admin, and come back', async () => {
    const { one, first, messages, thread, threads } = await setUp()
    const reply = await grace.call('POST', `${one}/comments/${thread.id}/messages`, { message: 'Because.' })
    const second = `${messages}/${reply.body.data.messages[1].id}`
    expect((await grace.call('DELETE', first)).status).toBe(403)
    expect((await viewer.call('DELETE', first)).status).toBe(403)
    expect((await ada.call('DELETE', first)).status).toBe(204)
    expect(await threads()).toMatchObject([{ messages: [{ message: 'Because.' }] }])
    expect((await ada.call('DELETE', first)).status).toBe(404)
    expect((await ada.call('PATCH', first, { message: 'x' })).status).toBe(404)
    expect((await grace.call('POST', `${first}/restore`)).status).toBe(403)
    expect((await ada.call('POST', `${first}/restore`)).status).toBe(200)
    expect((await ada.call('POST', `${first}/restore`)).status).toBe(404)
    expect((await admin.call('DELETE', second)).status).toBe(204)
    expect(await threads()).toMatchObject([{ messages: [{ message: 'Why ten?' }] }])
  })

  it('take their thread along with the last of them, everywhere', async () => {
    const { id, one, first, thread, threads } = await setUp()
    const openComments = async () =>
      (await ada.call('GET', `${kind.path}/tree`)).body.data.nodes.find((node: { id: string }) => node.id === id)
        .open_comment_count
    expect(await openComments()).toBe(1)
    await ada.call('DELETE', first)
    expect(await threads()).toEqual([])
    expect(await openComments()).toBe(0)
    expect((await project.admin.api.get(`${one}/comments`)).body.items).toEqual([])
    expect((await project.admin.api.get(`${one}/comments/${thread.id}`)).status).toBe(404)
    const reply = { message: 'Late.' }
    expect((await grace.call('POST', `${one}/comments/${thread.id}/messages`, reply)).status).toBe(404)
    await ada.call('POST', `${first}/restore`)
    expect(await threads()).toMatchObject([{ id: thread.id, messages: [{ message: 'Why ten?' }] }])
    expect(await openComments()).toBe(1)
  })

  it('are gone for good after a day', async () => {
    const { one, first, thread } = await setUp()
    await ada.call('DELETE', first)
    await ws.sql`update document_messages set deleted_at = now() - interval '25 hours' where thread_id = ${thread.id}`
    await ws.sql`update document_threads set deleted_at = now() - interval '25 hours' where id = ${thread.id}`
    const other = (await ada.call('POST', `${one}/threads`, { message: 'Another.' })).body.data
    await ada.call('DELETE', `${one}/threads/${other.id}/messages/${other.messages[0].id}`)
    expect((await ada.call('POST', `${first}/restore`)).status).toBe(404)
    expect(await ws.sql`select 1 from document_threads where id = ${thread.id}`).toHaveLength(0)
  })

  it('record who edited, deleted and restored them', async () => {
    const { id, first, thread } = await setUp()
    await ada.call('PATCH', first, { message: 'Edited.' })
    await ada.call('DELETE', first)
    await ada.call('POST', `${first}/restore`)
    const events = await ws.sql<{ kind: string; payload: object }[]>`
      select kind, payload from events where project_id = ${project.id} and subject_id = ${id} and kind like '%.comment\\_%'
      order by id`
    expect(events.map((event) => event.kind.split('.')[1])).toEqual([
      'comment_updated',
      'comment_deleted',
      'comment_restored',
    ])
    for (const { payload } of events)
      expect(payload).toMatchObject({ thread_id: thread.id, message_id: thread.messages[0].id })
  })
})
