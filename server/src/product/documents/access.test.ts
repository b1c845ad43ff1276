import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS, NEVER, type Shown, type TestedKind } from './document.factory.ts'

type Call = (api: Client, one: string, tested: TestedKind, body?: unknown) => ReturnType<Client['get']>

let ws: Workspace
let mine: Awaited<ReturnType<Workspace['project']>>
let stranger: Client
let viewer: Client
beforeAll(async () => {
  ws = await openWorkspace()
  mine = await ws.project()
  viewer = (await mine.join('viewer')).api
  stranger = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const LISTS: [string, Call][] = [
  ['list', (api, _, { path }) => api.get(path)],
  ['search', (api, _, { path }, body = { query: 'a' }) => api.post(`${path}/search`, body)],
]
const READS: [string, Call][] = [
  ['read', (api, one) => api.get(one)],
  ['list versions', (api, one) => api.get(`${one}/versions`)],
  ['list comments', (api, one) => api.get(`${one}/comments`)],
  ['list suggestions', (api, one) => api.get(`${one}/suggestions`)],
]
const PARTS: [string, Call][] = [
  ['read a version', (api, one) => api.get(`${one}/versions/${NEVER}`)],
  ['compare versions', (api, one) => api.get(`${one}/versions/${NEVER}/diff/${NEVER}`)],
  ['read a thread', (api, one) => api.get(`${one}/comments/${NEVER}`)],
]
const WRITES: [string, Call][] = [
  ['change', (api, one, _, body = { markdown_content: 'x' }) => api.patch(one, body)],
  ['rename', (api, one, _, body = { title: 'x' }) => api.patch(`${one}/rename`, body)],
  ['move', (api, one, _, body = { position: 0 }) => api.put(`${one}/move`, body)],
  ['delete', (api, one) => api.delete(one)],
  ['suggest', (api, one, _, body = { old_text: 'a', new_text: 'b' }) => api.post(`${one}/apply_suggestion`, body)],
  ['accept a suggestion', (api, one) => api.post(`${one}/suggestions/${NEVER}/accept`)],
  ['reject a suggestion', (api, one) => api.post(`${one}/suggestions/${NEVER}/reject`)],
  ['accept all suggestions', (api, one) => api.post(`${one}/suggestions/accept_all`)],
  ['reject all suggestions', (api, one) => api.post(`${one}/suggestions/reject_all`)],
  ['restore a version', (api, one) => api.post(`${one}/versions/${NEVER}/restore`)],
  ['comment', (api, one, _, body = { message: 'x' }) => api.post(`${one}/comments`, body)],
  ['reply', (api, one, _, body = { message: 'x' }) => api.post(`${one}/comments/${NEVER}/messages`, body)],
  ['resolve a thread', (api, one, _, body = { is_resolved: true }) => api.patch(`${one}/comments/${NEVER}`, body)],
]
const CREATE: [string, Call] = [
  'create',
  (api, _, { path, needs }, body = { ...needs, title: 'x' }) => api.post(path, body),
]

describe.each(KINDS)('access to %s', (_, tested) => {
  const { path } = tested
  let made: Shown
  let one: string
  beforeAll(async () => {
    made = await createDocument(mine.admin.api, tested, { markdown_content: 'a {++b++}\n' })
    one = `${path}/${made.id}`
  })
  const state = async () => [
    (await mine.admin.api.get(one)).body,
    (await mine.admin.api.get(`${one}/comments`)).body,
    (await mine.admin.api.get(path)).body.total,
  ]

  it('is refused without a valid key', async () => {
    for (const [, call] of [...LISTS, ...READS, ...PARTS, ...WRITES, CREATE])
      for (const key of [undefined, `sofa-ext-${'x'.repeat(43)}`]) {
        const { status, headers, body } = await call(ws.client(key), one, tested)
        expect([status, body.code]).toEqual([401, 'unauthorized'])
        expect(headers['www-authenticate']).toBeDefined()
      }
  })

  it.each([...LISTS, ...READS])('lets a viewer %s', async (_, call) => {
    const { status, body } = await call(viewer, one, tested)
    expect(status).toBe(200)
    expect(body).toEqual((await call(mine.admin.api, one, tested)).body)
  })

  it('lets a viewer read a version', async () => {
    expect((await viewer.get(`${one}/versions/${made.version_id}`)).status).toBe(200)
  })

  it.each([...WRITES, CREATE])('does not let a viewer %s', async (_, call) => {
    const before = await state()
    const { status, body } = await call(viewer, one, tested)
    expect([status, body.status]).toEqual([403, 403])
    expect(await state()).toEqual(before)
  })

  it.each([...WRITES, CREATE])('refuses to let a viewer %s before it checks body and id', async (_, call) => {
    for (const body of ['{"broken', { nonsense: true }])
      for (const target of [NEVER, 'abc'])
        expect((await call(viewer, `${path}/${target}`, tested, body)).status).toBe(403)
  })

  it.each([...READS, ...PARTS, ...WRITES])('answers 404 to a stranger who tries to %s', async (_, call) => {
    const before = await state()
    const [foreign, never] = [await call(stranger, one, tested), await call(stranger, `${path}/${NEVER}`, tested)]
    expect(foreign.status).toBe(404)
    const anonymous = ({ body }: typeof foreign) => ({
      ...body,
      request_id: '',
      detail: body.detail.replace(made.id, '').replace(NEVER, ''),
    })
    expect(anonymous(foreign)).toEqual(anonymous(never))
    expect(await state()).toEqual(before)
  })

  it('lets an editor use every operation', async () => {
    const { api } = await mine.join('editor')
    const { id } = await createDocument(api, tested, { markdown_content: 'a\n' })
    const answers = [
      await api.patch(`${path}/${id}`, { markdown_content: 'a b\n' }),
      await api.patch(`${path}/${id}/rename`, { title: 'x' }),
      await api.put(`${path}/${id}/move`, { position: 0 }),
      await api.post(`${path}/${id}/apply_suggestion`, { old_text: 'b', new_text: 'c' }),
      await api.post(`${path}/${id}/suggestions/accept_all`),
      await api.post(`${path}/${id}/comments`, { message: 'x' }),
      await api.delete(`${path}/${id}`),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 201, 204])
  })
})
