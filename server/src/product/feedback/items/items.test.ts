import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { feedbackProject, itemOf, link, makeTheme, NEVER, report, submitItem } from '../feedback.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const display = (items: { display_id: string }[]) => items.map((one) => one.display_id)

describe('the list of feedback items', () => {
  it('is paged, newest first, with links to the other pages', async () => {
    const { api, reporter } = await feedbackProject(ws)
    expect((await api.get('/feedback/items')).body).toEqual({
      items: [],
      total: 0,
      page: 1,
      page_size: 20,
      total_pages: 0,
    })
    for (let i = 0; i < 25; i++) await report(reporter, `Report ${i}`)
    const first = await api.get('/feedback/items')
    expect(first.body).toMatchObject({ total: 25, page: 1, page_size: 20, total_pages: 2 })
    expect(display(first.body.items)).toEqual(Array.from({ length: 20 }, (_, i) => `FB-${25 - i}`))
    expect(first.headers.link).toContain('page=2&page_size=20>; rel="next"')
    expect(display((await api.get('/feedback/items?page=2')).body.items)).toEqual(
      [1, 2, 3, 4, 5].reverse().map((n) => `FB-${n}`),
    )
    expect((await api.get('/feedback/items?page=9')).body).toMatchObject({ items: [], total: 25, page: 9 })
    for (const query of ['page=0', 'page_size=0', 'page_size=101', 'page_size=x', 'page=1.5', 'status=done'])
      expect((await api.get(`/feedback/items?${query}`)).status).toBe(422)
  })

  it('filters by status with the right total, on every page', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const theme = await makeTheme(api)
    const items = []
    for (let i = 0; i < 5; i++) items.push(await submitItem(api, reporter))
    for (const item of items.slice(0, 2)) await link(api, theme.id, item.id)
    const processed = (await api.get('/feedback/items?status=processed')).body
    expect([processed.total, display(processed.items)]).toEqual([2, ['FB-2', 'FB-1']])
    const open = (await api.get('/feedback/items?status=to_process&page_size=2')).body
    expect([open.total, open.total_pages, display(open.items)]).toEqual([3, 2, ['FB-5', 'FB-4']])
    expect((await api.get('/feedback/items?status=to_process&page_size=2&page=7')).body).toMatchObject({
      items: [],
      total: 3,
    })
    for (const query of ['status=', 'status=null', ''])
      expect((await api.get(`/feedback/items?${query}`)).body.total).toBe(5)
  })

  it('shows nothing of other projects', async () => {
    const [one, other] = [await feedbackProject(ws), await feedbackProject(ws)]
    const item = await submitItem(one.api, one.reporter)
    expect((await other.api.get('/feedback/items')).body.total).toBe(0)
    const foreign = await other.api.get(`/feedback/items/${item.id}`)
    const never = await other.api.get(`/feedback/items/${NEVER}`)
    expect([foreign.status, never.status]).toEqual([404, 404])
    const said = (answer: typeof foreign, id: string) =>
      JSON.stringify({ ...answer.body, request_id: '' }).replaceAll(id, 'ID')
    expect(said(foreign, item.id)).toBe(said(never, NEVER))
    expect((await other.api.get('/feedback/items/FB-1')).status).toBe(422)
  })
})

describe('an item', () => {
  it('has an ETag that changes with what is shown', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const { id } = await submitItem(api, reporter)
    const { etag } = (await api.get(`/feedback/items/${id}`)).headers
    expect((await api.get(`/feedback/items/${id}`, { 'if-none-match': etag! })).status).toBe(304)
    await link(api, (await makeTheme(api)).id, id)
    expect((await api.get(`/feedback/items/${id}`, { 'if-none-match': etag! })).status).toBe(200)
    expect((await api.patch(`/feedback/items/${id}`, { status: 'processed' }, { 'if-match': etag! })).status).toBe(412)
    expect((await api.head(`/feedback/items/${id}`)).status).toBe(200)
  })

  it('can be processed by hand; the next link or unlink sets it again', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const item = await submitItem(api, reporter)
    const theme = await makeTheme(api)
    const set = (status: string) => api.patch(`/feedback/items/${item.id}`, { status })
    const status = async () => (await itemOf(api, item.id)).status
    const totals = async () =>
      Promise.all(
        ['to_process', 'processed'].map(async (one) => (await api.get(`/feedback/items?status=${one}`)).body.total),
      )
    const answer = await set('processed')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({ ...(await itemOf(api, item.id)), status: 'processed' })
    expect(await totals()).toEqual([0, 1])
    await set('processed')
    expect(await totals()).toEqual([0, 1])
    await link(api, theme.id, item.id)
    expect([await status(), await totals()]).toEqual(['processed', [0, 1]])
    await set('to_process')
    expect([await status(), await totals()]).toEqual(['to_process', [1, 0]])
    await link(api, theme.id, item.id)
    expect([await status(), await totals()]).toEqual(['processed', [0, 1]])
    await api.delete(`/feedback/themes/${theme.id}/feedback_links/${item.id}`)
    expect([await status(), await totals()]).toEqual(['to_process', [1, 0]])
    const events = await ws.sql`select payload from events
      where project_id = ${project.id} and kind = 'feedback_item.status_changed' order by id`
    expect(events.map(({ payload }) => payload.to)).toEqual(['processed', 'to_process', 'processed', 'to_process'])
  })

  it('refuses other statuses and unknown items', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const { id } = await submitItem(api, reporter)
    for (const status of ['done', null, 7]) {
      const answer = await api.patch(`/feedback/items/${id}`, { status })
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/status'])
    }
    expect((await api.patch(`/feedback/items/${id}`, { title: 'x' })).body.code).toBe('unknown_fields')
    expect((await api.patch(`/feedback/items/${id}`, {})).status).toBe(200)
    expect((await api.patch(`/feedback/items/${NEVER}`, { status: 'processed' })).status).toBe(404)
    const stranger = (await feedbackProject(ws)).api
    expect((await stranger.patch(`/feedback/items/${id}`, { status: 'processed' })).status).toBe(404)
    expect((await api.post('/feedback/items', {})).status).toBe(405)
  })
})
