import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, NEVER, TIME, times, UUID } from '../document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
let editor: Member
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  admin = project.admin
  editor = await project.join('editor')
})
afterAll(() => ws.close())

const FIELDS = ['id', 'is_flagged', 'is_resolved', 'messages', 'object', 'thread_id']

describe.each(KIND_OF_TEXTS)('comments on %s', (_, kind) => {
  const { path } = kind
  const setUp = async () => {
    const { id } = await createDocument(admin.api, kind)
    const comments = `${path}/${id}/comments`
    const start = async (message = 'Why?', more = {}) => {
      const { status, body } = await admin.api.post(comments, { message, ...more })
      expect(status).toBe(201)
      return body.data
    }
    return { id, one: `${path}/${id}`, comments, start }
  }

  it('start a thread with its first message', async () => {
    const { start, comments } = await setUp()
    const thread = await start('Why *this*?\n')
    expect(Object.keys(thread).sort()).toEqual(FIELDS)
    expect(thread).toMatchObject({ object: 'document_comment_thread', is_resolved: false, is_flagged: false })
    expect(thread.id).toMatch(UUID)
    expect(thread.thread_id).toBe(thread.id)
    expect(thread.messages).toEqual([
      {
        id: expect.stringMatching(UUID),
        message: 'Why *this*?\n',
        created_at: expect.stringMatching(TIME),
        created_by_name: admin.name,
      },
    ])
    expect((await admin.api.get(`${comments}/${thread.id}`)).body.data).toEqual(thread)
    expect((await admin.api.get(comments)).body).toEqual({ items: [thread] })
  })

  it('are listed oldest thread first', async () => {
    const { start, comments } = await setUp()
    expect((await admin.api.get(comments)).body).toEqual({ items: [] })
    const ids = []
    for (const message of ['1', '2', '3']) ids.push((await start(message)).id)
    await admin.api.post(`${comments}/${ids[0]}/messages`, { message: 'late' })
    const { items } = (await admin.api.get(comments)).body
    expect(items.map((item: { id: string }) => item.id)).toEqual(ids)
  })

  it('have replies, oldest first, with their authors', async () => {
    const { start, comments } = await setUp()
    const { id } = await start('Why?')
    const { status, body } = await editor.api.post(`${comments}/${id}/messages`, { message: 'Because.' })
    expect(status).toBe(201)
    expect(body.data.id).toBe(id)
    await admin.api.post(`${comments}/${id}/messages`, { message: 'I see.' })
    const { messages } = (await admin.api.get(`${comments}/${id}`)).body.data
    expect(messages.map((one: Record<string, string>) => [one.message, one.created_by_name])).toEqual([
      ['Why?', admin.name],
      ['Because.', editor.name],
      ['I see.', admin.name],
    ])
  })

  it('can be flagged on creation', async () => {
    const { start } = await setUp()
    expect((await start('!', { is_flagged: true })).is_flagged).toBe(true)
    expect((await start('!', { is_flagged: false })).is_flagged).toBe(false)
  })

  it('are resolved, reopened, flagged and unflagged independently', async () => {
    const { start, comments } = await setUp()
    const { id } = await start()
    const steps: [Record<string, boolean>, boolean, boolean][] = [
      [{ is_resolved: true }, true, false],
      [{ is_flagged: true }, true, true],
      [{ is_resolved: false }, false, true],
      [{}, false, true],
      [{ is_resolved: true, is_flagged: false }, true, false],
    ]
    for (const [body, is_resolved, is_flagged] of steps) {
      const answer = await admin.api.patch(`${comments}/${id}`, body)
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({ id, is_resolved, is_flagged })
      expect((await admin.api.get(`${comments}/${id}`)).body).toEqual(answer.body)
    }
  })

  it('keep both of two concurrent changes', async () => {
    const { start, comments } = await setUp()
    for (const { id } of await Promise.all(times(10, () => start()))) {
      await Promise.all([
        admin.api.patch(`${comments}/${id}`, { is_resolved: true }),
        editor.api.patch(`${comments}/${id}`, { is_flagged: true }),
      ])
      const { data } = (await admin.api.get(`${comments}/${id}`)).body
      expect(data).toMatchObject({ is_resolved: true, is_flagged: true })
    }
  })

  it.each([
    ['no message', {}, '/message'],
    ['an empty one', { message: '' }, '/message'],
    ['a blank one', { message: ' \n\t' }, '/message'],
    ['null', { message: null }, '/message'],
    ['a number', { message: 1 }, '/message'],
    ['NUL', { message: 'a\u0000' }, '/message'],
    ['a lone surrogate', { message: '\ud800' }, '/message'],
  ])('refuse %s, in a new thread and in a reply', async (_, body, pointer) => {
    const { start, comments } = await setUp()
    const { id } = await start()
    for (const where of [comments, `${comments}/${id}/messages`]) {
      const answer = await admin.api.post(where, body)
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].pointer).toBe(pointer)
    }
    const { items } = (await admin.api.get(comments)).body
    expect(items.map((item: { messages: unknown[] }) => item.messages.length)).toEqual([1])
  })

  it.each([{ is_resolved: 'yes' }, { is_flagged: null }, { is_flagged: 1 }, { resolved: true }])(
    'refuse the change %j',
    async (body) => {
      const { start, comments } = await setUp()
      const { id } = await start()
      expect((await admin.api.patch(`${comments}/${id}`, body)).status).toBe(422)
      expect((await admin.api.get(`${comments}/${id}`)).body.data).toMatchObject({
        is_resolved: false,
        is_flagged: false,
      })
    },
  )

  it('refuse is_flagged in a new thread if it is not a boolean', async () => {
    const { comments } = await setUp()
    expect((await admin.api.post(comments, { message: 'a', is_flagged: 'yes' })).status).toBe(422)
    expect((await admin.api.get(comments)).body.items).toEqual([])
  })

  it('of another document are 404, like unknown ones', async () => {
    const [here, there] = [await setUp(), await setUp()]
    const { id } = await there.start()
    for (const thread of [id, NEVER]) {
      const answers = [
        await admin.api.get(`${here.comments}/${thread}`),
        await admin.api.patch(`${here.comments}/${thread}`, { is_resolved: true }),
        await admin.api.post(`${here.comments}/${thread}/messages`, { message: 'a' }),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404])
    }
    expect((await admin.api.get(`${there.comments}/${id}`)).body.data).toMatchObject({ is_resolved: false })
  })

  it('on an unknown document are 404', async () => {
    expect((await admin.api.get(`${path}/${NEVER}/comments`)).status).toBe(404)
    expect((await admin.api.post(`${path}/${NEVER}/comments`, { message: 'a' })).status).toBe(404)
  })

  it('change neither the version nor the ETag of the document', async () => {
    const { one, start } = await setUp()
    const before = await admin.api.get(one)
    await start()
    const after = await admin.api.get(one)
    expect(after.body).toEqual(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
  })

  it('on a document that is being deleted are stored or 404', async () => {
    const made = await Promise.all(times(8, () => setUp()))
    const threads = await Promise.all(made.map(({ start }) => start()))
    const answers = await Promise.all(
      made.flatMap(({ one, comments }, index) => [
        admin.api.post(comments, { message: 'a' }),
        admin.api.delete(one),
        admin.api.post(`${comments}/${threads[index]!.id}/messages`, { message: 'a' }),
        admin.api.patch(`${comments}/${threads[index]!.id}`, { is_resolved: true }),
      ]),
    )
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
  })
})
