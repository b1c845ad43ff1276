import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../../test/harness.ts'
import { signedInMember } from '../../../../faces/app-api/visitor.factory.ts'
import { createWorkOrder } from '../../../work-orders/work-order.factory.ts'
import { feedbackProject, link, makeFeature, makeTheme, NEVER, submitItem } from '../../feedback.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const { project, api, reporter } = await feedbackProject(ws)
  const ada = await signedInMember(ws, project, 'editor')
  const say = (email: string, content = 'The total is off by a cent.') =>
    submitItem(api, reporter, content, { end_user_email: email })
  const rows = async (query = '') => (await ada.call('GET', `/feedback/themes/rows${query}`)).body
  return { project, api, reporter, ada, say, rows }
}

describe('the list of themes', () => {
  test('ranks by distinct people, whatever the case of their addresses, and follows every link', async () => {
    const { api, say, rows } = await setUp()
    const [loud, wide] = [await makeTheme(api, { title: 'Loud' }), await makeTheme(api, { title: 'Wide' })]
    for (const email of ['one@example.org', 'ONE@example.org', 'one@Example.org'])
      await link(api, loud.id, (await say(email)).id)
    const items = [await say('a@example.org'), await say('b@example.org')]
    for (const { id } of items) await link(api, wide.id, id)
    const counts = async () =>
      (await rows()).items.map((one: Record<string, unknown>) => [one.title, one.people_count, one.quote_count])
    expect(await counts()).toEqual([
      ['Wide', 2, 2],
      ['Loud', 1, 3],
    ])
    await api.delete(`/feedback/themes/${wide.id}/feedback_links/${items[0].id}`)
    expect(await counts()).toEqual([
      ['Loud', 1, 3],
      ['Wide', 1, 1],
    ])
  })

  test('shows trend, last quotes, feature and work orders with their titles', async () => {
    const { api, say, rows } = await setUp()
    const theme = await makeTheme(api)
    const feature = await makeFeature(api, 'Pay by card')
    await api.put(`/feedback/themes/${theme.id}/feature`, { feature_requirements_document_id: feature })
    const order = await createWorkOrder(api, { title: 'Round once' })
    await api.post(`/feedback/themes/${theme.id}/work_orders`, { work_order_id: order.id })
    const old = await say('old@example.org', 'Long ago.')
    await ws.sql`update feedback_items set created_at = now() - interval '15 days' where id = ${old.id}`
    await link(api, theme.id, old.id)
    for (const number of [1, 2, 3]) await link(api, theme.id, (await say(`${number}@example.org`, `Now ${number}.`)).id)
    const { items, total } = await rows()
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({
      people_count: 4,
      trend: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3],
      feature: { id: feature, title: 'Pay by card' },
      work_orders: [{ id: order.id, display_id: 'WO-1', title: 'Round once', status: 'backlog', assignee: null }],
      last_quotes: [{ text_excerpt: 'Now 3.', end_user_email: '3@example.org' }, {}, {}],
    })
    expect(Date.parse(items[0].first_reported_at)).toBeLessThan(Date.now() - 14 * 86_400_000)
    expect((await rows('?number=1')).items).toEqual(items)
    expect((await rows('?number=2')).items).toEqual([])
  })

  test('is filtered, sorted and cut into pages', async () => {
    const { api, ada, rows } = await setUp()
    const feature = await makeFeature(api)
    const made = []
    for (const more of [
      { title: 'Alpha', type: 'bug', priority: 'high' },
      { title: 'Beta', type: 'question', status: 'resolved' },
      { title: 'Gamma', description: 'about coupons', feature_requirements_document_id: feature },
    ])
      made.push(await makeTheme(api, more))
    await api.put(`/feedback/themes/${made[0].id}/assignee`, { user_id: ada.user.id })
    const titles = async (query: string) => (await rows(query)).items.map(({ title }: { title: string }) => title)
    expect(await titles('?sort=newest')).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await titles('?sort=newest&page=2&page_size=2')).toEqual(['Alpha'])
    expect((await rows('?page=9&page_size=2')).total).toBe(3)
    expect(await titles('?status=resolved,dismissed')).toEqual(['Beta'])
    expect(await titles('?type=question')).toEqual(['Beta'])
    expect(await titles(`?assignee=${ada.user.id}`)).toEqual(['Alpha'])
    expect(await titles('?assignee=none&sort=newest')).toEqual(['Gamma', 'Beta'])
    expect(await titles(`?feature=${feature}`)).toEqual(['Gamma'])
    expect(await titles('?search=COUPONS gam')).toEqual(['Gamma'])
    expect((await ada.call('GET', '/feedback/themes/rows?sort=loudness')).status).toBe(422)
    expect((await ada.call('GET', '/feedback/themes/counts')).body.data).toEqual({
      statuses: { unresolved: 2, in_progress: 0, resolved: 1, dismissed: 0 },
      assigned_to_me: 1,
      features: [
        { id: feature, title: 'Checkout', count: 1 },
        { id: null, title: null, count: 1 },
      ],
    })
  })
})

describe('the quotes of a theme', () => {
  test('come with their reports, newest first, in pages', async () => {
    const { api, ada, say } = await setUp()
    const theme = await makeTheme(api)
    for (const number of [1, 2, 3]) {
      const item = await say(`${number}@example.org`, `Report ${number}. It goes on.`)
      await link(api, theme.id, item.id, { text_excerpt: `Report ${number}.` })
    }
    const page = async (query = '') => (await ada.call('GET', `/feedback/themes/${theme.id}/reports${query}`)).body
    const first = await page('?limit=2')
    expect(first.items).toMatchObject([
      {
        text_excerpt: 'Report 3.',
        content: 'Report 3. It goes on.',
        is_by_person: true,
        attachment_count: 0,
        source: expect.stringMatching(/./),
        is_by_hand: false,
      },
      { text_excerpt: 'Report 2.' },
    ])
    expect(await page(`?limit=2&before=${first.next_before}`)).toMatchObject({
      items: [{ text_excerpt: 'Report 1.', display_id: 'FB-1' }],
      next_before: null,
    })
  })

  test('and the theme are a 404 for strangers', async () => {
    const { api } = await setUp()
    const { ada: stranger } = await setUp()
    const theme = await makeTheme(api)
    for (const id of [theme.id, NEVER])
      expect((await stranger.call('GET', `/feedback/themes/${id}/reports`)).status).toBe(404)
    expect((await stranger.call('GET', '/feedback/themes/rows')).body.total).toBe(0)
  })
})
