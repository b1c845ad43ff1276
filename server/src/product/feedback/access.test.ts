import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { feedbackProject, link, makeTheme, NEVER, submitItem, themeValues } from './feedback.factory.ts'

type Call = (api: Client, ids: { theme: string; item: string }, body?: unknown) => Promise<Answer>

const READS: [string, Call][] = [
  ['list items', (api) => api.get('/feedback/items')],
  ['read an item', (api, { item }) => api.get(`/feedback/items/${item}`)],
  ['list themes', (api) => api.get('/feedback/themes')],
  ['read a theme', (api, { theme }) => api.get(`/feedback/themes/${theme}`)],
]
const id = (name: string) => ({ [name]: NEVER })
const WRITES: [string, Call][] = [
  ['set the status of an item', (api, { item }, body = {}) => api.patch(`/feedback/items/${item}`, body)],
  ['create a theme', (api, _ids, body = themeValues()) => api.post('/feedback/themes', body)],
  ['change a theme', (api, { theme }, body = {}) => api.patch(`/feedback/themes/${theme}`, body)],
  ['delete a theme', (api, { theme }) => api.delete(`/feedback/themes/${theme}`)],
  [
    'link an item',
    (api, { theme, item }, body = { feedback_item_id: item }) =>
      api.post(`/feedback/themes/${theme}/feedback_links`, body),
  ],
  ['unlink an item', (api, { theme, item }) => api.delete(`/feedback/themes/${theme}/feedback_links/${item}`)],
  [
    'link a work order',
    (api, { theme }, body = id('work_order_id')) => api.post(`/feedback/themes/${theme}/work_orders`, body),
  ],
  ['unlink a work order', (api, { theme }) => api.delete(`/feedback/themes/${theme}/work_orders/${NEVER}`)],
  [
    'set the feature',
    (api, { theme }, body = id('feature_requirements_document_id')) =>
      api.put(`/feedback/themes/${theme}/feature`, body),
  ],
  ['clear the feature', (api, { theme }) => api.delete(`/feedback/themes/${theme}/feature`)],
  ['assign', (api, { theme }, body = id('user_id')) => api.put(`/feedback/themes/${theme}/assignee`, body)],
  ['unassign', (api, { theme }) => api.delete(`/feedback/themes/${theme}/assignee`)],
]

let ws: Workspace
let admin: Client
let viewer: Client
let stranger: Client
let ids: { theme: string; item: string }
beforeAll(async () => {
  ws = await openWorkspace()
  const { project, api, reporter } = await feedbackProject(ws)
  admin = api
  viewer = (await project.join('viewer')).api
  stranger = (await feedbackProject(ws)).api
  ids = { theme: (await makeTheme(api)).id, item: (await submitItem(api, reporter)).id }
  await link(api, ids.theme, ids.item)
})
afterAll(() => ws.close())

describe('without a valid key', () => {
  it.each([...READS, ...WRITES])('nobody may %s', async (_, call) => {
    for (const key of [undefined, `sofa-ext-${'x'.repeat(43)}`]) {
      const { status, body } = await call(ws.client(key), ids)
      expect([status, body.code]).toEqual([401, 'unauthorized'])
    }
  })
})

describe('a viewer', () => {
  it.each(READS)('may %s', async (_, call) => {
    expect((await call(viewer, ids)).status).toBe(200)
  })

  it.each(WRITES)('may not %s, whatever the ids and the body', async (_, call) => {
    const before = await admin.get(`/feedback/themes/${ids.theme}`)
    for (const body of [undefined, '{"broken', '[]', { nonsense: true }])
      for (const target of [ids, { theme: NEVER, item: NEVER }, { theme: 'x', item: 'x' }])
        expect((await call(viewer, target, body)).status).toBe(403)
    expect((await admin.get(`/feedback/themes/${ids.theme}`)).body).toEqual(before.body)
    expect((await admin.get('/feedback/themes')).body.items).toHaveLength(1)
  })
})

describe('a member of another project', () => {
  const TARGETED = [...READS, ...WRITES].filter(([name]) => !/list|create/.test(name))
  it.each(TARGETED)('finds nothing to %s', async (_, call) => {
    const [foreign, never] = [await call(stranger, ids), await call(stranger, { theme: NEVER, item: NEVER })]
    expect([foreign.status, never.status]).toEqual([404, 404])
    expect(foreign.body.code).toBe(never.body.code)
  })
})
