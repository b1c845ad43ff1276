import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
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

/** Two themes. `shared` is in both, `own` only in the first. */
async function setUp() {
  const { project, api, reporter } = await feedbackProject(ws)
  const ada = await signedInMember(ws, project, 'editor')
  const say = (email: string, content = 'The total is off by a cent.') =>
    submitItem(api, reporter, content, { end_user_email: email })
  const [from, into] = [await makeTheme(api, { title: 'Coupons' }), await makeTheme(api, { title: 'Totals' })]
  const [own, shared, other] = [
    await say('own@example.org'),
    await say('shared@example.org'),
    await say('o@example.org'),
  ]
  for (const { id } of [own, shared]) await link(api, from.id, id)
  for (const { id } of [shared, other]) await link(api, into.id, id)
  const itemsOf = async (themeId: string): Promise<string[]> =>
    (await ada.call('GET', `/feedback/themes/${themeId}/reports`)).body.items?.map(
      (one: { display_id: string }) => one.display_id,
    )
  const rowOf = async (id: string) =>
    (await ada.call('GET', '/feedback/themes/rows')).body.items.find((one: { id: string }) => one.id === id)
  const act = (what: string, body: object) => ada.call('POST', `/feedback/themes/${from.id}/${what}`, body)
  const undo = (id: string) => ada.call('POST', `/feedback/regroupings/${id}/undo`)
  const historyOf = async (id: string) => (await ada.call('GET', `/feedback/themes/${id}/history`)).body.items
  return { project, api, ada, say, from, into, own, shared, other, itemsOf, rowOf, act, undo, historyOf }
}

describe('deleting a theme', () => {
  test('sends its reports back to the inbox, and is undone with its quotes, work orders and feature', async () => {
    const { api, from, into, own, shared, itemsOf, act, undo } = await setUp()
    const order = await createWorkOrder(api)
    await api.post(`/feedback/themes/${from.id}/work_orders`, { work_order_id: order.id })
    const feature = await makeFeature(api)
    await api.put(`/feedback/themes/${from.id}/feature`, { feature_requirements_document_id: feature })
    const before = await themeOf(api, from.id)
    const { status, body } = await act('remove', {})
    expect([status, body.data]).toMatchObject([200, { kind: 'deleted', quote_count: 2 }])
    expect((await api.get(`/feedback/themes/${from.id}`)).status).toBe(404)
    expect((await itemOf(api, own.id)).status).toBe('to_process')
    expect((await itemOf(api, shared.id)).status).toBe('processed')
    expect((await undo(body.data.id)).status).toBe(204)
    expect(await themeOf(api, from.id)).toEqual(before)
    expect([await itemsOf(from.id), await itemsOf(into.id)]).toEqual([
      ['FB-2', 'FB-1'],
      ['FB-3', 'FB-2'],
    ])
    expect((await itemOf(api, own.id)).status).toBe('processed')
  })

  test('by two people at once happens once, and so does its undo', async () => {
    const { project, from, act, undo, ada } = await setUp()
    const grace = await signedInMember(ws, project, 'editor')
    const answers = await Promise.all([act('remove', {}), grace.call('POST', `/feedback/themes/${from.id}/remove`, {})])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const { id } = answers.find(({ status }) => status === 200)!.body.data
    const undone = await Promise.all([undo(id), grace.call('POST', `/feedback/regroupings/${id}/undo`)])
    expect(undone.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await ada.call('GET', `/feedback/themes/${from.id}`)).status).toBe(200)
  })

  test('keeps what somebody did with its reports since, when it is undone', async () => {
    const { api, from, into, own, act, undo, itemsOf } = await setUp()
    const { id } = (await act('remove', {})).body.data
    await link(api, into.id, own.id)
    await undo(id)
    expect([await itemsOf(from.id), await itemsOf(into.id)]).toEqual([
      ['FB-2', 'FB-1'],
      ['FB-3', 'FB-2', 'FB-1'],
    ])
  })

  test('is refused to a viewer', async () => {
    const { project, from } = await setUp()
    const viewer = await signedInMember(ws, project, 'viewer')
    expect((await viewer.call('POST', `/feedback/themes/${from.id}/remove`, {})).status).toBe(403)
  })
})

test('moving a quote that somebody has moved since names the report, and moves nothing', async () => {
  const { api, from, into, own, shared, itemsOf, act } = await setUp()
  await api.delete(`/feedback/themes/${from.id}/feedback_links/${own.id}`)
  const refused = await act('move_quotes', { into_theme_id: into.id, feedback_item_ids: [own.id, shared.id] })
  expect(refused.status).toBe(404)
  expect(refused.body.detail).toContain('FB-1 is not in "Coupons"')
  expect(await itemsOf(from.id)).toEqual(['FB-2'])
})

describe('merging a theme into another', () => {
  test('moves its quotes once per report, its work orders and its feature, and says why', async () => {
    const { api, ada, from, into, itemsOf, rowOf, act, historyOf } = await setUp()
    const order = await createWorkOrder(api)
    await api.post(`/feedback/themes/${from.id}/work_orders`, { work_order_id: order.id })
    const feature = await makeFeature(api)
    await api.put(`/feedback/themes/${from.id}/feature`, { feature_requirements_document_id: feature })
    const { status, body } = await act('merge', { into_theme_id: into.id, reason: 'Both are about coupons.' })
    expect([status, body.data]).toMatchObject([200, { kind: 'merged', quote_count: 2 }])
    expect(await itemsOf(into.id)).toEqual(['FB-3', 'FB-2', 'FB-1'])
    expect(await rowOf(into.id)).toMatchObject({
      quote_count: 3,
      people_count: 3,
      feature: { id: feature },
      work_orders: [{ id: order.id }],
    })
    expect((await ada.call('GET', `/feedback/themes/${from.id}`)).status).toBe(404)
    expect((await historyOf(into.id)).at(-1)).toMatchObject({
      kind: 'merged',
      theme_display_id: 'TH-1',
      theme_title: 'Coupons',
      reason: 'Both are about coupons.',
    })
  })

  test('is undone completely, once', async () => {
    const { api, from, into, itemsOf, act, undo, historyOf } = await setUp()
    const order = await createWorkOrder(api)
    await api.post(`/feedback/themes/${from.id}/work_orders`, { work_order_id: order.id })
    const feature = await makeFeature(api)
    await api.put(`/feedback/themes/${from.id}/feature`, { feature_requirements_document_id: feature })
    const before = [await themeOf(api, from.id), await themeOf(api, into.id)]
    const { id } = (await act('merge', { into_theme_id: into.id })).body.data
    expect((await undo(id)).status).toBe(204)
    expect([await themeOf(api, from.id), await themeOf(api, into.id)]).toEqual(before)
    expect([await itemsOf(from.id), await itemsOf(into.id)]).toEqual([
      ['FB-2', 'FB-1'],
      ['FB-3', 'FB-2'],
    ])
    expect((await undo(id)).status).toBe(404)
    expect((await historyOf(into.id)).map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'merged',
      'merged_undone',
    ])
  })

  test('leaves a quote that somebody moved since where it is when it is undone', async () => {
    const { api, ada, from, into, own, itemsOf, act, undo } = await setUp()
    const third = await makeTheme(api, { title: 'Third' })
    const { id } = (await act('merge', { into_theme_id: into.id })).body.data
    const move = { into_theme_id: third.id, feedback_item_ids: [own.id] }
    await ada.call('POST', `/feedback/themes/${into.id}/move_quotes`, move)
    expect((await undo(id)).status).toBe(204)
    expect([await itemsOf(from.id), await itemsOf(third.id)]).toEqual([['FB-2'], ['FB-1']])
  })

  test('does not bring back a quote that somebody removed since when it is undone', async () => {
    const { api, from, into, own, shared, itemsOf, act, undo } = await setUp()
    const { id } = (await act('merge', { into_theme_id: into.id })).body.data
    for (const one of [own, shared]) await api.delete(`/feedback/themes/${into.id}/feedback_links/${one.id}`)
    expect((await undo(id)).status).toBe(204)
    expect([await itemsOf(from.id), await itemsOf(into.id)]).toEqual([[], ['FB-3']])
  })
})

describe('splitting a theme', () => {
  test('moves the chosen quotes to a new theme of the same kind, and is undone with it', async () => {
    const { ada, from, own, itemsOf, rowOf, act, undo, historyOf } = await setUp()
    const { status, body } = await act('split', {
      title: ' Only coupons ',
      feedback_item_ids: [own.id],
      reason: 'Apart.',
    })
    const { id, into_theme_id: newId } = body.data
    expect([status, await itemsOf(newId), await itemsOf(from.id)]).toEqual([201, ['FB-1'], ['FB-2']])
    expect(await rowOf(newId)).toMatchObject({ title: 'Only coupons', type: 'bug', priority: 'high', people_count: 1 })
    expect((await historyOf(from.id)).at(-1)).toMatchObject({ kind: 'split', theme_id: newId, reason: 'Apart.' })
    expect((await undo(id)).status).toBe(204)
    expect(await itemsOf(from.id)).toEqual(['FB-2', 'FB-1'])
    expect((await ada.call('GET', `/feedback/themes/${newId}`)).status).toBe(404)
  })

  test('is refused for all of its quotes, and for one that is not there', async () => {
    const { own, shared, other, act } = await setUp()
    const split = (...ids: string[]) => act('split', { title: 'New', feedback_item_ids: ids })
    expect((await split(own.id, shared.id)).body.code).toBe('nothing_left')
    expect((await split(other.id)).status).toBe(404)
  })
})

describe('moving quotes', () => {
  test('to another theme keeps the quote that is there, and is undone', async () => {
    const { from, into, own, shared, itemsOf, act, undo } = await setUp()
    const { body } = await act('move_quotes', { into_theme_id: into.id, feedback_item_ids: [own.id, shared.id] })
    expect([await itemsOf(from.id), await itemsOf(into.id)]).toEqual([[], ['FB-3', 'FB-2', 'FB-1']])
    expect((await undo(body.data.id)).status).toBe(204)
    expect([await itemsOf(from.id), await itemsOf(into.id)]).toEqual([
      ['FB-2', 'FB-1'],
      ['FB-3', 'FB-2'],
    ])
  })

  test('is refused to viewers, to strangers, and into itself', async () => {
    const { project, from, into, own, act } = await setUp()
    const viewer = await signedInMember(ws, project, 'viewer')
    const { ada: stranger } = await setUp()
    const { id } = (await act('move_quotes', { into_theme_id: into.id, feedback_item_ids: [own.id] })).body.data
    const body = { into_theme_id: into.id, feedback_item_ids: [own.id], title: 'New' }
    for (const what of ['merge', 'split', 'move_quotes', 'create_work_order', 'create_requirement']) {
      expect((await viewer.call('POST', `/feedback/themes/${from.id}/${what}`, body)).status).toBe(403)
      expect((await stranger.call('POST', `/feedback/themes/${from.id}/${what}`, body)).status).toBe(404)
    }
    expect((await viewer.call('POST', `/feedback/regroupings/${id}/undo`)).status).toBe(403)
    expect((await stranger.call('POST', `/feedback/regroupings/${id}/undo`)).status).toBe(404)
    expect((await act('merge', { into_theme_id: from.id })).status).toBe(422)
    expect((await act('merge', { into_theme_id: NEVER })).status).toBe(404)
  })
})

describe('work from a theme', () => {
  test('is a work order with its text and quotes as plain text, linked in both directions', async () => {
    const { api, ada, say, from } = await setUp()
    const feature = await makeFeature(api)
    await api.put(`/feedback/themes/${from.id}/feature`, { feature_requirements_document_id: feature })
    const item = await say('x@example.org', '# Ignore *this* and <b>pay</b> [me](https://evil.example)')
    await link(api, from.id, item.id)
    const { status, body } = await ada.call('POST', `/feedback/themes/${from.id}/create_work_order`)
    expect(status).toBe(201)
    const order = (await ada.call('GET', `/work_orders/${body.data.id}`)).body.data
    expect(order).toMatchObject({ title: 'Coupons', type: 'fix', priority: 'high' })
    expect(order.markdown_content).toContain('Rounding happens once for each line.')
    expect(order.markdown_content).toContain('3 people reported this, see TH-1.')
    expect(order.markdown_content).toContain(
      '\\# Ignore \\*this\\* and \\<b>pay\\</b> \\[me\\](https\\://evil\\.example)',
    )
    expect(order.connectedContext.map((one: { resourceId: string }) => one.resourceId).sort()).toEqual(
      [from.id, feature].sort(),
    )
    expect((await themeOf(api, from.id)).linked_work_order_count).toBe(1)
  })

  test('is a feature document that becomes the feature of the theme', async () => {
    const { api, ada, from } = await setUp()
    const { status, body } = await ada.call('POST', `/feedback/themes/${from.id}/create_requirement`)
    expect([status, body.data.title]).toEqual([201, 'Coupons'])
    expect((await themeOf(api, from.id)).feature_requirements_document_id).toBe(body.data.id)
    const document = (await ada.call('GET', `/requirements/${body.data.id}`)).body.data
    expect(document.markdown_content).toContain('## What customers said')
  })
})
