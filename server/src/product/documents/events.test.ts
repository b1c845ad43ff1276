import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from './document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

interface EventRow {
  kind: string
  subject_id: string
  subject_type: string
  user_id: string
  key_id: string
  origin: string
  request_id: string
  payload: Record<string, unknown>
}

describe.each(KIND_OF_TEXTS)('events of %s', (_, kind) => {
  const { path, object } = kind
  const setUp = async () => {
    const { api } = project.admin
    const { id } = await createDocument(api, kind, { title: 'Old', markdown_content: 'a b\n' })
    const one = `${path}/${id}`
    const eventsAfter = async (act: () => Promise<unknown>) => {
      await ws.sql`delete from events where project_id = ${project.id}`
      await act()
      return ws.sql<EventRow[]>`select * from events where project_id = ${project.id} order by id`
    }
    return { api, id, one, eventsAfter }
  }
  type Setting = Awaited<ReturnType<typeof setUp>>

  it('contain the user, the key and the request', async () => {
    const { api, id, one, eventsAfter } = await setUp()
    const headers = { 'x-request-id': 'abc.123' }
    const [event] = await eventsAfter(() => api.patch(one, { markdown_content: 'x' }, headers))
    expect(event).toMatchObject({
      kind: `${object}.updated`,
      subject_type: object,
      subject_id: id,
      user_id: project.admin.userId,
      key_id: project.admin.keyId,
      origin: 'external_api',
      request_id: 'abc.123',
    })
    const { data } = (await api.get(one)).body
    expect(event!.payload).toMatchObject({ version_id: data.version_id, version_number: 2 })
  })

  const thread = async ({ api, one }: Setting) => (await api.post(`${one}/comments`, { message: 'x' })).body.data.id
  const DONE: [string, string, (setting: Setting) => Promise<() => Promise<unknown>>][] = [
    [
      'a rename',
      'renamed',
      async ({ api, one }) =>
        () =>
          api.patch(`${one}/rename`, { title: 'New' }),
    ],
    [
      'a move',
      'moved',
      async ({ api, one }) =>
        () =>
          api.put(`${one}/move`, { position: 0 }),
    ],
    [
      'a deletion',
      'deleted',
      async ({ api, one }) =>
        () =>
          api.delete(one),
    ],
    [
      'a forced version',
      'updated',
      async ({ api, one }) =>
        () =>
          api.patch(one, { markdown_content: 'a b\n', force_new_version: true }),
    ],
    [
      'a suggestion',
      'updated',
      async ({ api, one }) =>
        () =>
          api.post(`${one}/apply_suggestion`, { old_text: 'a', new_text: 'c' }),
    ],
    [
      'an accepted suggestion',
      'updated',
      async ({ api, one }) => {
        await api.patch(one, { markdown_content: 'a {++b++}' })
        return () => api.post(`${one}/suggestions/accept_all`)
      },
    ],
    [
      'a restored version',
      'updated',
      async ({ api, one }) => {
        const { items } = (await api.get(`${one}/versions`)).body
        return () => api.post(`${one}/versions/${items[0].version_id}/restore`)
      },
    ],
    [
      'a comment',
      'commented',
      async ({ api, one }) =>
        () =>
          api.post(`${one}/comments`, { message: 'x' }),
    ],
    [
      'a reply',
      'commented',
      async (setting) => {
        const id = await thread(setting)
        return () => setting.api.post(`${setting.one}/comments/${id}/messages`, { message: 'y' })
      },
    ],
    [
      'a resolved thread',
      'comment_changed',
      async (setting) => {
        const id = await thread(setting)
        return () => setting.api.patch(`${setting.one}/comments/${id}`, { is_resolved: true })
      },
    ],
  ]

  it.each(DONE)('record %s once', async (_, word, prepare) => {
    const setting = await setUp()
    const act = await prepare(setting)
    const events = await setting.eventsAfter(act)
    expect(events.map((event) => [event.kind, event.subject_id])).toEqual([[`${object}.${word}`, setting.id]])
  })

  it('record a new document', async () => {
    const { api, eventsAfter } = await setUp()
    const events = await eventsAfter(() => createDocument(api, kind, { title: 'Made' }))
    expect(events.map((event) => event.kind)).toEqual([`${object}.created`])
    expect(events[0]!.payload).toMatchObject({ title: 'Made' })
  })

  it('are not recorded for a request that changes nothing or is refused', async () => {
    const { api, one, eventsAfter } = await setUp()
    const viewer = await project.join('viewer')
    const events = await eventsAfter(async () => {
      await api.patch(one, { markdown_content: 'a b\n' })
      await api.patch(`${one}/rename`, { title: 'Old' })
      await api.put(`${one}/move`, {})
      await api.post(`${one}/suggestions/accept_all`)
      await api.patch(one, { markdown_content: '```' })
      await api.patch(one, { markdown_content: 'x' }, { 'if-match': '"old"' })
      await api.post(`${one}/apply_suggestion`, { old_text: 'zzz', new_text: 'x' })
      await api.put(`${one}/move`, { parent_id: NEVER })
      await api.post(`${one}/comments`, { message: '' })
      await viewer.api.delete(one)
    })
    expect(events).toEqual([])
  })

  it('undo the change if they cannot be recorded', async () => {
    const refuse = async () => {
      throw new Error('no')
    }
    const words = ['updated', 'renamed', 'moved', 'deleted', 'commented']
    const during = Object.fromEntries(words.map((word) => [`${object}.${word}`, refuse]))
    const failing = await openWorkspace({ slices: [...slices, { name: 'failing', during }] })
    onTestFinished(failing.close)
    const { api }: { api: Client } = (await failing.project()).admin
    const { id } = await createDocument(api, kind, { title: 'Old', markdown_content: 'a' })
    const one = `${path}/${id}`
    const before = await api.get(one)
    const answers = [
      await api.patch(one, { markdown_content: 'x' }),
      await api.patch(`${one}/rename`, { title: 'New' }),
      await api.put(`${one}/move`, { position: 0 }),
      await api.delete(one),
      await api.post(`${one}/comments`, { message: 'x' }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([500, 500, 500, 500, 500])
    expect((await api.get(one)).body).toEqual(before.body)
    expect((await api.get(`${one}/comments`)).body.items).toEqual([])
  })
})
