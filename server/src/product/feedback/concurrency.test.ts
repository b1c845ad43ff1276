import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrders } from '../work-orders/work-order.factory.ts'
import { feedbackProject, itemOf, link, makeFeature, makeTheme, report, themeOf } from './feedback.factory.ts'
import { moveQuote } from './index.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

async function setUp(themeCount: number, itemCount: number) {
  const found = await feedbackProject(ws)
  const themes: { id: string }[] = []
  for (let i = 0; i < themeCount; i++) themes.push(await makeTheme(found.api))
  await Promise.all(times(itemCount, () => report(found.reporter)))
  const { items } = (await found.api.get('/feedback/items?page_size=100')).body
  return {
    ...found,
    themes: themes.map((one) => one.id),
    items: items.map((one: { id: string }) => one.id) as string[],
  }
}

const unlink = (api: Client, theme: string, item: string) =>
  api.delete(`/feedback/themes/${theme}/feedback_links/${item}`)

/** Holds every count against what it counts. */
async function expectRightCounts(api: Client, projectId: string, themes: string[], items: string[]) {
  const linked = new Map<string, number>()
  for (const id of items) {
    const item = await itemOf(api, id)
    expect(item.status).toBe(item.connectedContext.length > 0 ? 'processed' : 'to_process')
    for (const { resourceId } of item.connectedContext) linked.set(resourceId, (linked.get(resourceId) ?? 0) + 1)
  }
  const listed = (await api.get('/feedback/themes')).body.items as { id: string; quote_count: number }[]
  expect(listed.map((one) => one.id).sort()).toEqual([...themes].sort())
  for (const theme of listed) expect(theme.quote_count).toBe(linked.get(theme.id) ?? 0)
  const [counted] = await ws.sql`
    select (select count(*)::int from feedback_items where project_id = ${projectId} and status = 'processed') as processed,
      (select count(*)::int from quotes where project_id = ${projectId}) as quotes`
  expect(counted!.quotes).toBe([...linked.values()].reduce((sum, one) => sum + one, 0))
  expect((await api.get('/feedback/items?status=processed')).body.total).toBe(counted!.processed)
  expect((await api.get('/feedback/items?status=to_process')).body.total).toBe(items.length - counted!.processed)
}

describe('at the same time', () => {
  it('linking the same item many times makes one quote', async () => {
    const { project, api, themes, items } = await setUp(1, 1)
    const answers = await Promise.all(times(20, () => link(api, themes[0]!, items[0]!)))
    expect(answers.map((one) => one.status).sort()).toEqual([...times(19, () => 200), 201])
    expect(new Set(answers.map((one) => one.body.data.id)).size).toBe(1)
    await expectRightCounts(api, project.id, themes, items)
  })

  it('linking, unlinking and processing by hand keeps every count right', async () => {
    const { project, api, themes, items } = await setUp(4, 10)
    const pairs = themes.flatMap((theme) => items.map((item) => [theme, item] as const))
    const answers = await Promise.all([
      ...pairs.map(([theme, item]) => link(api, theme, item)),
      ...pairs.map(([theme, item]) => unlink(api, theme, item)),
      ...pairs.map(([theme, item]) => link(api, theme, item)),
    ])
    for (const { status } of answers) expect([200, 201, 404]).toContain(status)
    await expectRightCounts(api, project.id, themes, items)
  })

  it('deleting themes while their items are linked and unlinked keeps every count right', async () => {
    const { project, api, themes, items } = await setUp(6, 10)
    for (const theme of themes) await Promise.all(items.slice(0, 5).map((item) => link(api, theme, item)))
    const gone = themes.slice(0, 3)
    const answers = await Promise.all([
      ...themes.flatMap((theme) => items.map((item) => link(api, theme, item))),
      ...gone.map((theme) => api.delete(`/feedback/themes/${theme}`)),
      ...themes.flatMap((theme) => items.slice(3, 6).map((item) => unlink(api, theme, item))),
    ])
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
    await expectRightCounts(api, project.id, themes.slice(3), items)
  })

  it('moving quotes back and forth loses none', async () => {
    const { project, api, themes, items } = await setUp(2, 8)
    const [a, b] = themes as [string, string]
    await Promise.all(items.map((item) => link(api, a, item)))
    const moves = await Promise.allSettled(
      items.flatMap((item) => [
        moveQuote(project.operator, a, b, item),
        moveQuote(project.operator, b, a, item),
        moveQuote(project.operator, a, b, item),
      ]),
    )
    for (const move of moves) if (move.status === 'rejected') expect(move.reason).toMatchObject({ status: 404 })
    await expectRightCounts(api, project.id, themes, items)
    expect((await themeOf(api, a)).quote_count + (await themeOf(api, b)).quote_count).toBe(items.length)
  })

  it('linking work orders and a feature while those are deleted leaves no dead link', async () => {
    const { api, themes } = await setUp(4, 0)
    const workOrders = (await createWorkOrders(api, ...times(6, () => ({})))).map((one) => one.id)
    const features = [await makeFeature(api, 'A'), await makeFeature(api, 'B')]
    const answers = await Promise.all([
      ...themes.flatMap((theme) =>
        workOrders.map((id) => api.post(`/feedback/themes/${theme}/work_orders`, { work_order_id: id })),
      ),
      ...workOrders.slice(0, 3).map((id) => api.delete(`/work_orders/${id}`)),
      ...themes.flatMap((theme) =>
        features.map((id) => api.put(`/feedback/themes/${theme}/feature`, { feature_requirements_document_id: id })),
      ),
      api.delete(`/requirements/${features[0]}`),
      api.delete(`/feedback/themes/${themes[0]}`),
    ])
    for (const { status } of answers) expect([200, 204, 404]).toContain(status)
    const left = new Set([...workOrders.slice(3), features[1]!])
    for (const theme of (await api.get('/feedback/themes')).body.items) {
      const { connectedContext } = await themeOf(api, theme.id)
      for (const { resourceId } of connectedContext) expect(left).toContain(resourceId)
      expect(theme.linked_work_order_count).toBe(3)
      expect(theme.feature_requirements_document_id).toBe(features[1])
      expect(connectedContext).toHaveLength(4)
    }
  })

  it('lets exactly one of two writers with the same If-Match through', async () => {
    const { api, themes } = await setUp(1, 0)
    const path = `/feedback/themes/${themes[0]}`
    for (let round = 0; round < 10; round++) {
      const { etag } = (await api.get(path)).headers
      const write = (title: string) => api.patch(path, { title: `${round} ${title}` }, { 'if-match': etag! })
      const answers = await Promise.all([write('a'), write('b')])
      expect(answers.map((one) => one.status).sort()).toEqual([200, 412])
    }
  })
})
