import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import {
  feedbackProject,
  itemOf,
  link,
  makeFeature,
  makeTheme,
  NEVER,
  submitItem,
  themeOf,
} from '../feedback.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const found = await feedbackProject(ws)
  const theme = await makeTheme(found.api)
  const item = await submitItem(found.api, found.reporter, 'The total is off by a cent.\nAlways.')
  return { ...found, theme, item, path: `/feedback/themes/${theme.id}` }
}

const themeLink = (resourceId: string) => ({ resourceType: 'theme', resourceId })
const workOrderLink = (resourceId: string) => ({ resourceType: 'work_order', resourceId })

describe('linking a feedback item', () => {
  it('makes a quote, counts it, and processes the item', async () => {
    const { api, theme, item } = await setUp()
    const { status, body } = await link(api, theme.id, item.id, { text_excerpt: 'off by a cent' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        object: 'quote',
        id: expect.any(String),
        feedback_item_id: item.id,
        theme_id: theme.id,
        text_excerpt: 'off by a cent',
        created_at: expect.any(String),
      },
    })
    expect((await themeOf(api, theme.id)).quote_count).toBe(1)
    expect(await itemOf(api, item.id)).toMatchObject({ status: 'processed', connectedContext: [themeLink(theme.id)] })
  })

  it('twice returns the same quote, 201 and then 200, whatever the excerpt', async () => {
    const { api, theme, item } = await setUp()
    const first = await link(api, theme.id, item.id)
    const again = await link(api, theme.id, item.id.toUpperCase(), { text_excerpt: 'other words' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect((await themeOf(api, theme.id)).quote_count).toBe(1)
  })

  it('quotes the first 280 characters when no words are given', async () => {
    const { api, reporter, theme } = await setUp()
    for (const [content, excerpt] of [
      ['Short **text**', 'Short **text**'],
      ['👋'.repeat(300), '👋'.repeat(280)],
      [`${'a'.repeat(279)}bc`, `${'a'.repeat(279)}b`],
    ]) {
      const item = await submitItem(api, reporter, content)
      expect((await link(api, theme.id, item.id)).body.data.text_excerpt).toBe(excerpt)
    }
  })

  it('refuses an item that is none, naming the field', async () => {
    const { api, theme, path } = await setUp()
    const other = await setUp()
    for (const id of [NEVER, other.item.id])
      expect(await link(api, theme.id, id)).toMatchObject({
        status: 404,
        body: { errors: [{ pointer: '/feedback_item_id' }] },
      })
    expect((await link(api, theme.id, theme.id)).status).toBe(422)
    for (const body of [{}, { feedback_item_id: null }, { feedback_item_id: 'FB-1' }])
      expect((await api.post(`${path}/feedback_links`, body)).status).toBe(422)
    for (const text_excerpt of ['', ' ', null, 7, 'a\u0000'])
      expect((await link(api, theme.id, other.item.id, { text_excerpt })).status).toBe(422)
  })

  it('to a theme that is none is 404', async () => {
    const { api, item } = await setUp()
    const other = await setUp()
    for (const id of [NEVER, other.theme.id]) expect((await link(api, id, item.id)).status).toBe(404)
    expect((await link(api, 'TH-1', item.id)).status).toBe(422)
  })
})

it('the quotes of a theme are listed in pages, oldest first', async () => {
  const { api, reporter, theme, item, path } = await setUp()
  const second = await submitItem(api, reporter, 'Also off.')
  for (const id of [item.id, second.id]) await link(api, theme.id, id)
  const { status, body } = await api.get(`${path}/quotes?page_size=1&page=2`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ total: 2, page: 2, total_pages: 2 })
  expect(body.items).toMatchObject([{ object: 'quote', feedback_item_id: second.id, text_excerpt: 'Also off.' }])
  expect((await api.get(`/feedback/themes/${NEVER}/quotes`)).status).toBe(404)
})

describe('unlinking a feedback item', () => {
  it('returns the quote, and the item is to be processed again', async () => {
    const { api, theme, item, path } = await setUp()
    const { data } = (await link(api, theme.id, item.id)).body
    const answer = await api.delete(`${path}/feedback_links/${item.id}`)
    expect([answer.status, answer.body]).toEqual([200, { data }])
    expect((await themeOf(api, theme.id)).quote_count).toBe(0)
    expect(await itemOf(api, item.id)).toMatchObject({ status: 'to_process', connectedContext: [] })
    const again = await link(api, theme.id, item.id)
    expect(again.status).toBe(201)
    expect(again.body.data.id).not.toBe(data.id)
  })

  it('leaves the item processed while another theme has it', async () => {
    const { api, theme, item, path } = await setUp()
    const other = await makeTheme(api)
    await link(api, theme.id, item.id)
    await link(api, other.id, item.id)
    expect((await itemOf(api, item.id)).connectedContext).toEqual([themeLink(theme.id), themeLink(other.id)])
    await api.delete(`${path}/feedback_links/${item.id}`)
    expect(await itemOf(api, item.id)).toMatchObject({ status: 'processed', connectedContext: [themeLink(other.id)] })
    await api.delete(`/feedback/themes/${other.id}/feedback_links/${item.id}`)
    expect((await itemOf(api, item.id)).status).toBe('to_process')
  })

  it('is 404 when it is not linked', async () => {
    const { api, item, path } = await setUp()
    for (const id of [item.id, NEVER]) {
      const { status, body } = await api.delete(`${path}/feedback_links/${id}`)
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(body.detail).toContain(id)
    }
    expect((await api.delete(`/feedback/themes/${NEVER}/feedback_links/${item.id}`)).status).toBe(404)
    expect((await api.delete(`${path}/feedback_links/abc`)).status).toBe(422)
  })
})

describe('deleting a theme', () => {
  it('deletes its quotes and frees its items', async () => {
    const { api, reporter, theme, item, path } = await setUp()
    const second = await submitItem(api, reporter)
    const other = await makeTheme(api)
    for (const id of [item.id, second.id]) await link(api, theme.id, id)
    await link(api, other.id, second.id)
    const answer = await api.delete(path)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await api.get(path)).status).toBe(404)
    expect((await api.delete(path)).status).toBe(404)
    expect(await itemOf(api, item.id)).toMatchObject({ status: 'to_process', connectedContext: [] })
    expect(await itemOf(api, second.id)).toMatchObject({ status: 'processed', connectedContext: [themeLink(other.id)] })
    expect((await api.get('/feedback/items?status=to_process')).body.total).toBe(1)
    expect((await ws.sql`select 1 from quotes where theme_id = ${theme.id}`).length).toBe(0)
  })

  it('leaves its work orders and its feature, without it', async () => {
    const { api, path } = await setUp()
    const workOrder = await createWorkOrder(api)
    const feature = await makeFeature(api)
    await api.post(`${path}/work_orders`, { work_order_id: workOrder.id })
    await api.put(`${path}/feature`, { feature_requirements_document_id: feature })
    await api.delete(path)
    expect((await api.get(`/work_orders/${workOrder.id}`)).body.data.connectedContext).toEqual([])
    expect((await api.get(`/requirements/${feature}`)).body.data.connectedContext).toEqual([])
  })
})

describe('the work orders of a theme', () => {
  it('are linked with 200, also repeatedly, and seen from both sides', async () => {
    const { api, theme, path } = await setUp()
    const { id } = await createWorkOrder(api)
    for (const workOrderId of [id, id, id.toUpperCase()]) {
      const { status, body, headers } = await api.post(`${path}/work_orders`, { work_order_id: workOrderId })
      expect(status).toBe(200)
      expect(headers.etag).toBeDefined()
      expect(body.data).toMatchObject({ linked_work_order_count: 1, connectedContext: [workOrderLink(id)] })
    }
    const shown = await api.get(`/work_orders/${id}?expand_context=true`)
    expect(shown.body.data.connectedContext).toEqual([
      { ...themeLink(theme.id), title: theme.title, markdown_content: theme.markdown_content },
    ])
  })

  it('are unlinked with 200, and 404 when they are not linked', async () => {
    const { api, theme, path } = await setUp()
    const { id } = await createWorkOrder(api)
    await api.post(`${path}/work_orders`, { work_order_id: id })
    const { status, body } = await api.delete(`${path}/work_orders/${id}`)
    expect([status, body.data]).toEqual([200, theme])
    expect((await api.get(`/work_orders/${id}`)).body.data.connectedContext).toEqual([])
    for (const other of [id, NEVER]) expect((await api.delete(`${path}/work_orders/${other}`)).status).toBe(404)
  })

  it('that are none are refused, naming the field', async () => {
    const { api, theme, item, path } = await setUp()
    const foreign = await createWorkOrder((await feedbackProject(ws)).api)
    for (const id of [NEVER, foreign.id])
      expect(await api.post(`${path}/work_orders`, { work_order_id: id })).toMatchObject({
        status: 404,
        body: { errors: [{ pointer: '/work_order_id' }] },
      })
    for (const id of [theme.id, item.id, 'WO-1', null])
      expect((await api.post(`${path}/work_orders`, { work_order_id: id })).status).toBe(422)
    expect((await api.post(`/feedback/themes/${NEVER}/work_orders`, { work_order_id: NEVER })).status).toBe(404)
  })

  it('leave the theme when they are deleted', async () => {
    const { api, theme, path } = await setUp()
    const { id } = await createWorkOrder(api)
    await api.post(`${path}/work_orders`, { work_order_id: id })
    await api.delete(`/work_orders/${id}`)
    expect(await themeOf(api, theme.id)).toEqual(theme)
  })

  it('are the same as those connected from the other side', async () => {
    const { api, theme, item, path } = await setUp()
    const context = [themeLink(theme.id), { resourceType: 'feedback_item', resourceId: item.id }]
    const { id } = await createWorkOrder(api, { connectedContext: context })
    expect(await themeOf(api, theme.id)).toMatchObject({
      linked_work_order_count: 1,
      connectedContext: [workOrderLink(id)],
    })
    await link(api, theme.id, item.id)
    expect((await itemOf(api, item.id)).connectedContext).toEqual([themeLink(theme.id), workOrderLink(id)])
    expect((await api.delete(`${path}/work_orders/${id}`)).status).toBe(200)
    expect((await api.get(`/work_orders/${id}`)).body.data.connectedContext).toEqual([context[1]])
  })
})

describe('the feature of a theme', () => {
  const set = (api: Client, path: string, id: unknown) =>
    api.put(`${path}/feature`, { feature_requirements_document_id: id })

  it('is set, replaced and cleared, seen from both sides', async () => {
    const { api, theme, path } = await setUp()
    const [one, other] = [await makeFeature(api, 'One'), await makeFeature(api, 'Other')]
    const contextOf = async (id: string) => (await api.get(`/requirements/${id}`)).body.data.connectedContext
    for (const id of [one, one.toUpperCase(), other]) {
      const { status, body } = await set(api, path, id)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({
        feature_requirements_document_id: id.toLowerCase(),
        connectedContext: [{ resourceType: 'requirements_document', resourceId: id.toLowerCase() }],
      })
      expect(await contextOf(id)).toEqual([themeLink(theme.id)])
    }
    expect(await contextOf(one)).toEqual([])
    for (let i = 0; i < 2; i++) {
      const { status, body } = await api.delete(`${path}/feature`)
      expect([status, body.data]).toEqual([200, theme])
    }
    expect(await contextOf(other)).toEqual([])
  })

  it('must be a FEATURE document of the project', async () => {
    const { api, theme, path } = await setUp()
    const foreign = await makeFeature((await feedbackProject(ws)).api)
    for (const id of [NEVER, foreign])
      expect(await set(api, path, id)).toMatchObject({
        status: 404,
        body: { errors: [{ pointer: '/feature_requirements_document_id' }] },
      })
    const overview = await makeFeature(api, 'Goals', 'OVERVIEW')
    const blueprint = (await api.post('/blueprints', { title: 'B' })).body.data.id
    for (const id of [overview, blueprint, theme.id, null, 'x', 7]) expect((await set(api, path, id)).status).toBe(422)
    expect((await api.put(`${path}/feature`, {})).status).toBe(422)
    expect((await set(api, `/feedback/themes/${NEVER}`, overview)).status).toBe(404)
    expect((await api.delete(`/feedback/themes/${NEVER}/feature`)).status).toBe(404)
    expect(await themeOf(api, theme.id)).toEqual(theme)
  })

  it('leaves the theme when it is deleted', async () => {
    const { api, theme, path } = await setUp()
    const feature = await makeFeature(api)
    await set(api, path, feature)
    expect((await api.delete(`/requirements/${feature}`)).status).toBe(204)
    expect(await themeOf(api, theme.id)).toEqual(theme)
  })
})

describe('the assignee of a theme', () => {
  it('is set by id or by e-mail, in any case, and cleared', async () => {
    const { api, admin, project, theme, path } = await setUp()
    const other = await project.join('viewer')
    const person = { id: other.userId, name: other.name, email: other.email }
    for (const body of [
      { user_id: other.userId },
      { email: other.email },
      { email: other.email.toUpperCase() },
      { user_id: other.userId.toUpperCase() },
    ]) {
      await api.put(`${path}/assignee`, { user_id: admin.userId })
      const answer = await api.put(`${path}/assignee`, body)
      expect([answer.status, answer.body.data.assignee]).toEqual([200, person])
    }
    for (let i = 0; i < 2; i++) {
      const { status, body } = await api.delete(`${path}/assignee`)
      expect([status, body.data]).toEqual([200, theme])
    }
  })

  it('must be a member of the project', async () => {
    const { api, path } = await setUp()
    const stranger = (await feedbackProject(ws)).admin
    expect(await api.put(`${path}/assignee`, { user_id: stranger.userId })).toMatchObject({
      status: 404,
      body: { errors: [{ pointer: '/user_id' }] },
    })
    expect(await api.put(`${path}/assignee`, { email: stranger.email })).toMatchObject({
      status: 404,
      body: { errors: [{ pointer: '/email' }] },
    })
    expect((await api.put(`/feedback/themes/${NEVER}/assignee`, { user_id: stranger.userId })).status).toBe(404)
  })

  it('must be named in exactly one way', async () => {
    const { api, admin, path } = await setUp()
    const wrong = [
      {},
      { user_id: admin.userId, email: admin.email },
      { user_id: null },
      { user_id: 'ada' },
      { email: 'ada' },
      { email: null },
      { name: 'Ada' },
    ]
    for (const body of wrong) expect((await api.put(`${path}/assignee`, body)).status).toBe(422)
  })
})

it('every link leaves an event, and a repeated one leaves none', async () => {
  const { project, api, admin, item, path, theme } = await setUp()
  const workOrder = await createWorkOrder(api)
  const feature = await makeFeature(api)
  for (let i = 0; i < 2; i++) {
    await link(api, theme.id, item.id)
    await api.post(`${path}/work_orders`, { work_order_id: workOrder.id })
    await api.put(`${path}/feature`, { feature_requirements_document_id: feature })
    await api.put(`${path}/assignee`, { user_id: admin.userId })
  }
  for (let i = 0; i < 2; i++) {
    await api.delete(`${path}/feedback_links/${item.id}`)
    await api.delete(`${path}/work_orders/${workOrder.id}`)
    await api.delete(`${path}/feature`)
    await api.delete(`${path}/assignee`)
  }
  const events = await ws.sql`select kind from events where project_id = ${project.id}
    and subject_type in ('theme', 'feedback_item') order by id`
  expect(events.map((event) => event.kind)).toEqual([
    'theme.created',
    'feedback_item.submitted',
    'theme.feedback_linked',
    'feedback_item.status_changed',
    'theme.work_order_linked',
    'theme.updated',
    'theme.updated',
    'theme.feedback_unlinked',
    'feedback_item.status_changed',
    'theme.work_order_unlinked',
    'theme.updated',
    'theme.updated',
  ])
})
