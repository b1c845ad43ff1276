import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import {
  feedbackProject,
  link,
  makeFeature,
  makeTheme,
  NEVER,
  submitItem,
  themeOf,
  themeValues,
} from '../feedback.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const eventsOf = async (project: { id: string }) =>
  (
    await ws.sql`select kind, payload from events where project_id = ${project.id} and subject_type = 'theme' order by id`
  ).map(({ kind, payload }) => ({ kind, payload }))

describe('creating a theme', () => {
  it('with the four fields answers 201 with every field', async () => {
    const { api } = await feedbackProject(ws)
    const { status, body, headers } = await api.post('/feedback/themes', themeValues())
    expect(status).toBe(201)
    expect(headers.etag).toMatch(/^".+"$/)
    expect(body).toEqual({
      data: {
        object: 'theme',
        id: expect.any(String),
        display_id: 'TH-1',
        title: 'Totals are off by a cent',
        status: 'unresolved',
        type: 'bug',
        priority: 'high',
        quote_count: 0,
        linked_work_order_count: 0,
        feature_requirements_document_id: null,
        assignee: null,
        description: 'Rounding happens once for each line.',
        markdown_content: '',
        connectedContext: [],
      },
    })
    expect((await api.get(`/feedback/themes/${body.data.id}`)).body).toEqual(body)
  })

  it('takes the optional fields', async () => {
    const { api } = await feedbackProject(ws)
    const feature = await makeFeature(api)
    const theme = await makeTheme(api, {
      status: 'in_progress',
      markdown_content: '# Notes\n',
      feature_requirements_document_id: feature,
      description: '',
    })
    expect(theme).toMatchObject({
      status: 'in_progress',
      markdown_content: '# Notes\n',
      description: '',
      feature_requirements_document_id: feature,
      connectedContext: [{ resourceType: 'requirements_document', resourceId: feature }],
    })
    expect(
      (await makeTheme(api, { feature_requirements_document_id: null })).feature_requirements_document_id,
    ).toBeNull()
  })

  it.each([
    ['title', undefined],
    ['title', ''],
    ['title', '  '],
    ['title', 'x'.repeat(501)],
    ['title', 'a\u0007'],
    ['title', null],
    ['type', undefined],
    ['type', 'crash'],
    ['type', null],
    ['priority', undefined],
    ['priority', 'p1'],
    ['description', undefined],
    ['description', null],
    ['description', 7],
    ['description', 'x'.repeat(100_001)],
    ['status', 'open'],
    ['status', null],
    ['markdown_content', null],
    ['markdown_content', 'x'.repeat(2_000_001)],
    ['feature_requirements_document_id', 'abc'],
  ])('is refused when %s is %j', async (field, value) => {
    const { api } = await feedbackProject(ws)
    const { status, body } = await api.post('/feedback/themes', themeValues({ [field]: value }))
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe(`/${field}`)
    expect((await api.get('/feedback/themes')).body.items).toEqual([])
  })

  it('names the allowed values', async () => {
    const { api } = await feedbackProject(ws)
    const { body } = await api.post('/feedback/themes', themeValues({ type: 'crash' }))
    for (const type of ['bug', 'feature_request', 'improvement', 'performance', 'question', 'other'])
      expect(body.detail).toContain(type)
  })

  it('numbers up per project and never gives a number again', async () => {
    const { api } = await feedbackProject(ws)
    const first = await makeTheme(api)
    expect(first.display_id).toBe('TH-1')
    expect((await makeTheme(api)).display_id).toBe('TH-2')
    await api.delete(`/feedback/themes/${first.id}`)
    expect((await makeTheme(api)).display_id).toBe('TH-3')
    expect((await makeTheme((await feedbackProject(ws)).api)).display_id).toBe('TH-1')
    const many = await Promise.all(Array.from({ length: 30 }, () => makeTheme(api)))
    expect(new Set(many.map((one) => one.display_id)).size).toBe(30)
  })

  it('with an Idempotency-Key happens once and answers alike', async () => {
    const { api } = await feedbackProject(ws)
    const send = () => api.post('/feedback/themes', themeValues(), { 'idempotency-key': 'k' })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(first.body.data.display_id).toBe('TH-1')
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await api.get('/feedback/themes')).body.items).toHaveLength(1)
  })

  it('refuses a feature that is none of this project, naming the field, and creates nothing', async () => {
    const { api } = await feedbackProject(ws)
    const foreign = await makeFeature((await feedbackProject(ws)).api)
    for (const id of [NEVER, foreign]) {
      const answer = await api.post('/feedback/themes', themeValues({ feature_requirements_document_id: id }))
      expect(answer).toMatchObject({
        status: 404,
        body: { errors: [{ pointer: '/feature_requirements_document_id' }] },
      })
    }
    const overview = await makeFeature(api, 'Goals', 'OVERVIEW')
    const workOrder = await createWorkOrder(api)
    for (const id of [overview, workOrder.id])
      expect((await api.post('/feedback/themes', themeValues({ feature_requirements_document_id: id }))).status).toBe(
        422,
      )
    expect((await api.get('/feedback/themes')).body.items).toEqual([])
  })
})

describe('changing a theme', () => {
  it('changes what is sent and nothing else', async () => {
    const { api } = await feedbackProject(ws)
    const theme = await makeTheme(api)
    const change = {
      title: 'New',
      description: 'Other',
      markdown_content: 'More',
      status: 'resolved',
      type: 'question',
      priority: 'low',
    }
    for (const [field, value] of Object.entries(change)) {
      const before = await themeOf(api, theme.id)
      const { status, body } = await api.patch(`/feedback/themes/${theme.id}`, { [field]: value })
      expect(status).toBe(200)
      expect(body.data).toEqual({ ...before, [field]: value })
    }
    expect(await themeOf(api, theme.id)).toEqual({ ...theme, ...change })
  })

  it.each(['title', 'description'])('replaces only the %s that was seen', async (field) => {
    const { api } = await feedbackProject(ws)
    const theme = await makeTheme(api, { [field]: 'Seen' })
    const change = (next: string, seen: string) =>
      api.patch(`/feedback/themes/${theme.id}`, { [field]: next, [`expected_${field}`]: seen })
    expect((await change('Theirs', 'Seen')).body.data[field]).toBe('Theirs')
    const refused = await change('Mine', 'Seen')
    expect(refused).toMatchObject({ status: 412, body: { detail: expect.stringContaining('"Theirs" now') } })
    expect((await change('Mine', 'Theirs')).body.data[field]).toBe('Mine')
  })

  it('with nothing is 200 and changes nothing; with only unknown fields it is 422', async () => {
    const { project, api } = await feedbackProject(ws)
    const theme = await makeTheme(api)
    const path = `/feedback/themes/${theme.id}`
    expect((await api.patch(path, {})).body.data).toEqual(theme)
    expect((await api.patch(path, { title: theme.title })).body.data).toEqual(theme)
    const unknown = await api.patch(path, { colour: 'red' })
    expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_fields'])
    expect(unknown.body.detail).toContain('markdown_content')
    const some = await api.patch(path, { colour: 'red', type: 'bug' })
    expect([some.status, some.headers['x-ignored-fields']]).toEqual([200, 'colour'])
    expect((await eventsOf(project)).map((one) => one.kind)).toEqual(['theme.created'])
  })

  it.each([
    ['title', null],
    ['title', ''],
    ['status', 'done'],
    ['type', 1],
    ['priority', null],
    ['description', []],
    ['markdown_content', 'a\u0000'],
  ])('is refused when %s is %j', async (field, value) => {
    const { api } = await feedbackProject(ws)
    const theme = await makeTheme(api)
    const { status, body } = await api.patch(`/feedback/themes/${theme.id}`, {
      [field]: value,
      title: 'X',
      [field]: value,
    })
    expect([status, body.errors[0].pointer]).toEqual([422, `/${field}`])
    expect(await themeOf(api, theme.id)).toEqual(theme)
  })

  it('leaves events that say what, and from which status to which', async () => {
    const { project, api } = await feedbackProject(ws)
    const theme = await makeTheme(api)
    await api.patch(`/feedback/themes/${theme.id}`, { markdown_content: 'x', status: 'dismissed' })
    await api.delete(`/feedback/themes/${theme.id}`)
    expect(await eventsOf(project)).toEqual([
      { kind: 'theme.created', payload: { theme_number: 1, title: theme.title } },
      { kind: 'theme.updated', payload: { fields: ['status', 'markdown_content'] } },
      { kind: 'theme.status_changed', payload: { from: 'unresolved', to: 'dismissed' } },
      { kind: 'theme.deleted', payload: { theme_number: 1, title: theme.title } },
    ])
  })
})

describe('the ETag of a theme', () => {
  it('answers 304 until something that is shown changes', async () => {
    const { api, admin, reporter } = await feedbackProject(ws)
    const { id } = await makeTheme(api)
    const item = await submitItem(api, reporter)
    const feature = await makeFeature(api)
    const workOrder = await createWorkOrder(api)
    const path = `/feedback/themes/${id}`
    const changes = [
      () => api.patch(path, { title: 'Other' }),
      () => link(api, id, item.id),
      () => api.post(`${path}/work_orders`, { work_order_id: workOrder.id }),
      () => api.put(`${path}/feature`, { feature_requirements_document_id: feature }),
      () => api.put(`${path}/assignee`, { user_id: admin.userId }),
      () => api.delete(`/work_orders/${workOrder.id}`),
    ]
    for (const change of changes) {
      const { etag } = (await api.get(path)).headers
      expect((await api.get(path, { 'if-none-match': etag! })).status).toBe(304)
      await change()
      expect((await api.get(path, { 'if-none-match': etag! })).status).toBe(200)
    }
  })

  it('in If-Match refuses every write to an older state', async () => {
    const { api, admin, reporter } = await feedbackProject(ws)
    const { id } = await makeTheme(api)
    const item = await submitItem(api, reporter)
    const workOrder = await createWorkOrder(api)
    const path = `/feedback/themes/${id}`
    await link(api, id, item.id)
    await api.post(`${path}/work_orders`, { work_order_id: workOrder.id })
    const feature = { feature_requirements_document_id: await makeFeature(api) }
    const current = await api.get(path)
    const old = { 'if-match': '"old"' }
    const answers = [
      await api.patch(path, { title: 'x' }, old),
      await api.put(`${path}/feature`, feature, old),
      await api.delete(`${path}/feature`, old),
      await api.put(`${path}/assignee`, { user_id: admin.userId }, old),
      await api.delete(`${path}/assignee`, old),
      await api.delete(`${path}/work_orders/${workOrder.id}`, old),
      await api.delete(`${path}/feedback_links/${item.id}`, old),
      await api.delete(path, old),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(412)
      expect(answer.body.current_etag).toBe(current.headers.etag)
    }
    expect((await api.get(path)).body).toEqual(current.body)
    expect((await api.patch(path, { title: 'x' }, { 'if-match': current.headers.etag! })).status).toBe(200)
    expect((await api.delete(path, { 'if-match': '*' })).status).toBe(204)
  })

  it('is judged after everything that is named: 404 and 422, then 412', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const { id } = await makeTheme(api)
    const item = await submitItem(api, reporter)
    const workOrder = await createWorkOrder(api)
    const overview = await makeFeature(api, 'Goals', 'OVERVIEW')
    const path = `/feedback/themes/${id}`
    const old = { 'if-match': '"old"' }
    const pathOnly = [
      await api.delete(`${path}/work_orders/${workOrder.id}`, old),
      await api.delete(`${path}/feedback_links/${item.id}`, old),
    ]
    expect(pathOnly.map(({ status }) => status)).toEqual([404, 404])
    const missing: [Answer, string][] = [
      [await api.post(`${path}/work_orders`, { work_order_id: NEVER }, old), '/work_order_id'],
      [await api.post(`${path}/feedback_links`, { feedback_item_id: NEVER }, old), '/feedback_item_id'],
      [
        await api.put(`${path}/feature`, { feature_requirements_document_id: NEVER }, old),
        '/feature_requirements_document_id',
      ],
      [await api.put(`${path}/assignee`, { user_id: NEVER }, old), '/user_id'],
      [await api.put(`${path}/assignee`, { email: 'nobody@example.org' }, old), '/email'],
    ]
    for (const [answer, pointer] of missing)
      expect(answer).toMatchObject({ status: 404, body: { errors: [{ pointer }] } })
    const wrong = [
      await api.post(`${path}/work_orders`, { work_order_id: item.id }, old),
      await api.post(`${path}/feedback_links`, { feedback_item_id: workOrder.id }, old),
      await api.put(`${path}/feature`, { feature_requirements_document_id: overview }, old),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422])
    expect((await api.post(`${path}/work_orders`, { work_order_id: workOrder.id }, old)).status).toBe(412)
    expect((await api.post(`${path}/feedback_links`, { feedback_item_id: item.id }, old)).status).toBe(412)
  })
})

describe('the list of themes', () => {
  it('is complete, newest first, and filters by status', async () => {
    const { api } = await feedbackProject(ws)
    expect((await api.get('/feedback/themes')).body).toEqual({ items: [] })
    for (let i = 0; i < 25; i++) await makeTheme(api, { title: `T${i}`, status: i % 2 ? 'resolved' : 'unresolved' })
    const { items, ...rest } = (await api.get('/feedback/themes')).body
    expect(rest).toEqual({})
    expect(items.map((one: { title: string }) => one.title)).toEqual(Array.from({ length: 25 }, (_, i) => `T${24 - i}`))
    const { description: _d, markdown_content: _m, connectedContext: _c, ...summary } = await themeOf(api, items[0].id)
    expect(items[0]).toEqual(summary)
    expect((await api.get('/feedback/themes?status=resolved')).body.items).toHaveLength(12)
    for (const query of ['?status=', '?status=null', '?page_size=abc&other=1'])
      expect((await api.get(`/feedback/themes${query}`)).body.items).toHaveLength(25)
    const wrong = await api.get('/feedback/themes?status=open')
    expect(wrong.status).toBe(422)
    expect(wrong.body.detail).toContain('dismissed')
  })

  it('shows the counts, the feature and the assignee of each', async () => {
    const { api, admin, reporter } = await feedbackProject(ws)
    const one = await makeTheme(api)
    await makeTheme(api)
    const feature = await makeFeature(api)
    for (let i = 0; i < 3; i++) await link(api, one.id, (await submitItem(api, reporter)).id)
    for (let i = 0; i < 2; i++)
      await api.post(`/feedback/themes/${one.id}/work_orders`, { work_order_id: (await createWorkOrder(api)).id })
    await api.put(`/feedback/themes/${one.id}/feature`, { feature_requirements_document_id: feature })
    await api.put(`/feedback/themes/${one.id}/assignee`, { email: admin.email })
    const { items } = (await api.get('/feedback/themes')).body
    expect(items[1]).toMatchObject({
      quote_count: 3,
      linked_work_order_count: 2,
      feature_requirements_document_id: feature,
      assignee: { id: admin.userId, name: admin.name, email: admin.email },
    })
    expect(items[0]).toMatchObject({ quote_count: 0, linked_work_order_count: 0, assignee: null })
  })
})
