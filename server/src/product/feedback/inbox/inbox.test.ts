import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { feedbackProject, link, makeTheme, NEVER, report, submitItem } from '../feedback.factory.ts'
import { suggestThemes } from './suggestions.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp(role: 'editor' | 'viewer' = 'editor') {
  const made = await feedbackProject(ws)
  const person = await signedInMember(ws, made.project, role)
  const get = async (path: string) => (await person.call('GET', path)).body
  const numbers = async (query: string) =>
    (await get(`/feedback/inbox${query}`)).items.map((one: { number: number }) => one.number)
  const sort = (action: string, ...ids: string[]) =>
    person.call('POST', '/feedback/inbox/sort', { action, feedback_item_ids: ids })
  return { ...made, person, get, numbers, sort }
}

describe('the list', () => {
  test('shows each report with its source, attachments and themes, in one answer', async () => {
    const { api, reporter, get } = await setUp()
    const attachment = { file_name: 'a.png', file_key: 'a', file_size: 3, mime_type: 'image/png' }
    const item = await submitItem(api, reporter, 'The total is off.', { attachments: [attachment] })
    const theme = await makeTheme(api)
    await link(api, theme.id, item.id)
    const { items, total, next } = await get('/feedback/inbox')
    expect({ total, next }).toEqual({ total: 1, next: null })
    expect(items[0]).toMatchObject({
      id: item.id,
      number: 1,
      attachment_count: 1,
      is_by_hand: false,
      themes: [{ id: theme.id, display_id: 'TH-1' }],
      suggested_theme: null,
    })
    expect((await get('/feedback/sources')).items).toEqual([
      { name: items[0].source, is_by_hand: false, to_process_count: 0 },
    ])
  })

  test('comes in pages, from the newest or the oldest', async () => {
    const { reporter, get, numbers } = await setUp()
    for (const text of ['One thing', 'Two things', 'Three things']) await report(reporter, text)
    const first = await get('/feedback/inbox?limit=2')
    expect(first).toMatchObject({ total: 3, next: 2 })
    expect(await numbers('?limit=2&after=2')).toEqual([1])
    expect(await numbers('?sort=number&limit=2')).toEqual([1, 2])
    expect(await numbers('?sort=number&after=2')).toEqual([3])
  })

  test('of one theme comes in pages in the order of time, with the other filters', async () => {
    const { api, reporter, numbers, get } = await setUp()
    const theme = await makeTheme(api)
    for (const text of ['Cards are late', 'Coupons hide', 'Cards are refused', 'Cards again'])
      await link(api, theme.id, (await submitItem(api, reporter, text)).id)
    await report(reporter, 'Cards of nobody')
    const theirs = '?theme_number=1'
    expect(await numbers(`${theirs}&limit=2`)).toEqual([4, 3])
    expect(await numbers(`${theirs}&limit=2&after=3`)).toEqual([2, 1])
    expect(await numbers(`${theirs}&sort=number&limit=2&after=2`)).toEqual([3, 4])
    expect(await numbers(`${theirs}&words=cards&status=processed`)).toEqual([4, 3, 1])
    expect(await get(`/feedback/inbox${theirs}&words=cards`)).toMatchObject({ total: 3 })
    expect(await get('/feedback/inbox?theme_number=2')).toEqual({ items: [], total: 0, next: null })
  })

  test('has single reports read again by their ids: those that still match, with the total of all', async () => {
    const { api, reporter, get, sort, project } = await setUp()
    const [first, second] = [await submitItem(api, reporter, 'One thing'), await submitItem(api, reporter, 'Another')]
    await submitItem(api, reporter, 'A third')
    const query = `/feedback/inbox?status=to_process&id=${first.id}&id=${second.id}`
    expect((await get(query)).items.map((one: { number: number }) => one.number)).toEqual([2, 1])
    await sort('dismiss', first.id)
    expect(await get(query)).toMatchObject({ items: [{ number: 2 }], total: 2, next: null })
    const other = await setUp()
    expect((await other.get(`/feedback/inbox?id=${first.id}`)).items).toEqual([])
    expect(project.id).not.toBe(other.project.id)
  })

  test('has suggestions computed for its first page and for what is read by id, not for what is scrolled past', async () => {
    const { api, reporter, get, project } = await setUp()
    const [first] = [await submitItem(api, reporter, 'One thing'), await submitItem(api, reporter, 'Another')]
    const asked = async () =>
      (
        await ws.sql<{ id: string }[]>`select feedback_item_id as id from feedback_suggestions
        where project_id = ${project.id} order by feedback_item_id`
      ).map((one) => one.id)
    await get('/feedback/inbox?limit=1&after=2')
    expect(await asked()).toEqual([])
    await get(`/feedback/inbox?id=${first.id}`)
    expect(await asked()).toEqual([first.id])
    await get('/feedback/inbox?limit=1')
    expect((await asked()).length).toBe(2)
  })

  test('is filtered by status, source, theme, person, time and words', async () => {
    const { api, reporter, person, numbers } = await setUp()
    const first = await submitItem(api, reporter, 'The total is off by 100% of a cent.')
    await report(reporter, 'Refunds take a week.', { end_user_email: 'Noor@example.org' })
    await person.call('POST', '/feedback/inbox', { end_user_email: 'a@example.org', content: 'Hi', source: 'Call' })
    const theme = await makeTheme(api)
    await link(api, theme.id, first.id)
    expect(await numbers('?status=to_process')).toEqual([3, 2])
    expect(await numbers('?status=processed')).toEqual([1])
    expect(await numbers('?source=Call')).toEqual([3])
    expect(await numbers('?theme_number=1')).toEqual([1])
    expect(await numbers('?end_user_email=noor@EXAMPLE.org')).toEqual([2])
    expect(await numbers('?words=WEEK%20refund')).toEqual([2])
    expect(await numbers('?words=100%25')).toEqual([1])
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    expect(await numbers(`?from=${tomorrow}`)).toEqual([])
    expect(await numbers(`?before=${tomorrow}&status=processed`)).toEqual([1])
    expect(await numbers(`?before=${tomorrow}&limit=2`)).toEqual([3, 2])
    expect(await numbers(`?before=${tomorrow}&after=2`)).toEqual([1])
    expect(await numbers(`?before=${tomorrow}&after=2&sort=number`)).toEqual([3])
  })
})

describe('a report', () => {
  test('has the nearest themes with score and shared words, and the reports that are like it', async () => {
    const { project, api, reporter, get } = await setUp()
    const theme = await makeTheme(api, { title: 'Cards that do not arrive' })
    const other = await makeTheme(api, { title: 'Empty exports' })
    const texts = ['My card has not arrived yet', 'I am still waiting for my card to arrive']
    for (const text of texts) await link(api, theme.id, (await submitItem(api, reporter, text)).id)
    await link(api, other.id, (await submitItem(api, reporter, 'The export to Excel is empty')).id)
    const item = await submitItem(api, reporter, 'My new card has not arrived')
    for (const _again of [1, 2]) expect((await get('/feedback/inbox/4')).data.is_suggestion_due).toBe(true)
    const jobs = await ws.sql`select 1 from graphile_worker.jobs where task_identifier = 'suggest_themes'
      and key like ${`%${item.id}`}`
    expect(jobs).toHaveLength(1)
    await suggestThemes({ projectId: project.id, itemIds: [item.id] }, ws.deps)
    const { data } = await get('/feedback/inbox/4')
    expect(data).toMatchObject({ is_suggestion_due: false, suggested_theme: { id: theme.id } })
    expect(data.candidates[0]).toMatchObject({
      id: theme.id,
      is_suggested: true,
      quote_count: 2,
      people_count: 1,
      text_excerpt: 'My new card has not arrived',
    })
    expect(data.candidates[0].score).toBeGreaterThan(0.3)
    expect(data.candidates[0].shared_words).toContain('card')
    expect(data.similar_items.map((one: { number: number }) => one.number).sort()).toEqual([1, 2])
    await makeTheme(api, { title: 'A newer theme' })
    expect((await get('/feedback/inbox/4')).data.is_suggestion_due).toBe(true)
  })

  test('says what else its reporter sent, and where it stands among that', async () => {
    const { reporter, get } = await setUp()
    await report(reporter, 'One thing')
    await report(reporter, 'Another', { end_user_email: 'someone@example.org' })
    await report(reporter, 'Two things', { end_user_email: 'Customer@example.org' })
    const { data } = await get('/feedback/inbox/3')
    expect(data.reporter).toMatchObject({ report_count: 2, place: 2, is_first_of_month: false, member: null })
    expect(data.reporter.other_reports.map((one: { number: number }) => one.number)).toEqual([1])
  })

  test('is not found in another project', async () => {
    const { reporter } = await setUp()
    await report(reporter)
    const stranger = await setUp()
    expect((await stranger.person.call('GET', '/feedback/inbox/1')).status).toBe(404)
  })
})

describe('sorting', () => {
  test('puts many reports into a new theme, and takes them back with it without teaching triage', async () => {
    const { api, reporter, person, get, numbers } = await setUp()
    const ids = [(await submitItem(api, reporter, 'One')).id, (await submitItem(api, reporter, 'Two')).id]
    const new_theme = { title: 'Counting', type: 'bug', priority: 'low' }
    const { body } = await person.call('POST', '/feedback/inbox/link', { feedback_item_ids: ids, new_theme })
    expect(body.data).toMatchObject({ theme: { display_id: 'TH-1' }, changed_ids: [...ids].sort() })
    expect(await numbers('?status=processed')).toEqual([2, 1])
    const theme_id = body.data.theme.id
    await person.call('POST', '/feedback/inbox/take_back', { feedback_item_ids: ids, theme_id, ends_theme: true })
    expect(await numbers('?status=to_process')).toEqual([2, 1])
    expect((await get('/feedback/themes')).items).toEqual([])
    expect(await ws.sql`select 1 from triage_lessons where feedback_item_id = any(${ids}::uuid[])`).toEqual([])
  })

  test('keeps a theme that somebody else has put a report into', async () => {
    const { api, reporter, person, get } = await setUp()
    const first = await submitItem(api, reporter, 'One')
    const second = await submitItem(api, reporter, 'Two')
    const new_theme = { title: 'Counting', type: 'bug', priority: 'low' }
    const { body } = await person.call('POST', '/feedback/inbox/link', { feedback_item_ids: [first.id], new_theme })
    const theme_id = body.data.theme.id
    await link(api, theme_id, second.id)
    await person.call('POST', '/feedback/inbox/take_back', {
      feedback_item_ids: [first.id],
      theme_id,
      ends_theme: true,
    })
    expect((await get('/feedback/themes')).items).toMatchObject([{ quote_count: 1 }])
  })

  test('dismisses without a lesson; "not feedback" is one, until it is reopened', async () => {
    const { api, reporter, sort, get } = await setUp()
    const { id } = await submitItem(api, reporter)
    expect((await sort('dismiss', id)).body.data.changed_ids).toEqual([id])
    expect((await get('/feedback/inbox/1')).data).toMatchObject({ status: 'processed', is_not_feedback: false })
    expect((await sort('dismiss', id)).body.data.changed_ids).toEqual([])
    await sort('reopen', id)
    await sort('not_feedback', id)
    expect((await get('/feedback/inbox/1')).data).toMatchObject({ status: 'processed', is_not_feedback: true })
    await sort('reopen', id)
    expect((await get('/feedback/inbox/1')).data).toMatchObject({ status: 'to_process', is_not_feedback: false })
  })

  test('a dismissal that is taken back leaves alone what somebody has put into a theme since', async () => {
    const { api, reporter, person, sort, numbers } = await setUp()
    const [first, second] = [await submitItem(api, reporter, 'One'), await submitItem(api, reporter, 'Two')]
    const ids = [first.id, second.id]
    await sort('dismiss', ...ids)
    await link(api, (await makeTheme(api)).id, first.id)
    const takeBack = { action: 'reopen', feedback_item_ids: ids, unless_linked: true }
    const { body } = await person.call('POST', '/feedback/inbox/sort', takeBack)
    expect(body.data.changed_ids).toEqual([second.id])
    expect([await numbers('?status=processed'), await numbers('?status=to_process')]).toEqual([[1], [2]])
  })

  test('changes nothing if one of the reports does not exist', async () => {
    const { api, reporter, sort, numbers } = await setUp()
    const { id } = await submitItem(api, reporter)
    expect((await sort('dismiss', id, NEVER)).status).toBe(404)
    expect(await numbers('?status=to_process')).toEqual([1])
  })

  test('needs a theme or a new one, not both', async () => {
    const { api, reporter, person } = await setUp()
    const { id } = await submitItem(api, reporter)
    const { status, body } = await person.call('POST', '/feedback/inbox/link', { feedback_item_ids: [id] })
    expect({ status, pointer: body.errors[0].pointer }).toEqual({ status: 422, pointer: '/theme_id' })
  })

  test('is refused to viewers, who may read', async () => {
    const { api, reporter, sort, person, numbers } = await setUp('viewer')
    const { id } = await submitItem(api, reporter)
    expect(await numbers('')).toEqual([1])
    expect((await sort('dismiss', id)).status).toBe(403)
    const theme = await makeTheme(api)
    const body = { feedback_item_ids: [id], theme_id: theme.id }
    expect((await person.call('POST', '/feedback/inbox/link', body)).status).toBe(403)
    expect((await person.call('POST', '/feedback/inbox/take_back', body)).status).toBe(403)
    const said = { end_user_email: 'a@example.org', content: 'Hi', source: 'Call' }
    expect((await person.call('POST', '/feedback/inbox', said)).status).toBe(403)
  })
})

test('a report that a member adds by hand names the member', async () => {
  const { person, get } = await setUp()
  const said = { end_user_email: 'a@example.org', content: 'They want invoices.', source: 'Call' }
  const { status, body } = await person.call('POST', '/feedback/inbox', said)
  expect({ status, number: body.data.number }).toEqual({ status: 201, number: 1 })
  const { data } = await get('/feedback/inbox/1')
  expect(data).toMatchObject({ source: 'Call', is_by_hand: true, added_by: { id: person.user.id } })
})

test('the number beside the name of the module is of what is to be processed', async () => {
  const { api, reporter, sort, get } = await setUp()
  const { id } = await submitItem(api, reporter)
  await report(reporter)
  await sort('dismiss', id)
  expect(await get('/counts')).toMatchObject({ feedback_items: 2, feedback_to_process: 1 })
})

describe('several people at once', () => {
  test('undoing a link leaves out what somebody has taken out of the theme since, and says which', async () => {
    const { api, reporter, person } = await setUp()
    const [one, two] = [await submitItem(api, reporter, 'One thing'), await submitItem(api, reporter, 'Another')]
    const theme = await makeTheme(api)
    const ids = [one.id, two.id]
    await person.call('POST', '/feedback/inbox/link', { theme_id: theme.id, feedback_item_ids: ids })
    await api.delete(`/feedback/themes/${theme.id}/feedback_links/${one.id}`)
    const back = await person.call('POST', '/feedback/inbox/take_back', { theme_id: theme.id, feedback_item_ids: ids })
    expect([back.status, back.body.data]).toEqual([200, { changed_ids: [two.id] }])
  })
})

describe('a report that is added by hand', () => {
  const form = (bytes: number) =>
    Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="call.txt"\r\n\r\n'),
      Buffer.alloc(bytes, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ])
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' }

  test('has files, with the limit of a file of a report', async () => {
    const made = await feedbackProject(ws)
    const node = await ws.node({ reportingUploadLimitBytes: 1_000 })
    const person = await signedInMember(ws, made.project, 'editor', node)
    const send = (bytes: number) => person.call('POST', '/feedback/inbox/uploads', form(bytes), multipart)
    expect((await send(1_001)).status).toBe(413)
    const { status, body: file } = await send(12)
    expect(status).toBe(201)
    const report = { end_user_email: 'a@example.org', content: 'Hi', source: 'Call', attachments: [file] }
    expect((await person.call('POST', '/feedback/inbox', report)).status).toBe(201)
    const { attachments, id } = (await person.call('GET', '/feedback/inbox/1')).body.data
    expect(attachments).toMatchObject([{ file_name: 'call.txt', file_size: 12 }])
    const content = await person.call('GET', `/feedback/items/${id}/attachments/${attachments[0].id}/content`)
    expect(content.status).toBe(200)
  })

  test('takes no files of a viewer', async () => {
    const { person } = await setUp('viewer')
    expect((await person.call('POST', '/feedback/inbox/uploads', form(3), multipart)).status).toBe(403)
  })
})

test('reports are counted for each source over 30 days, with the time of the last one', async () => {
  const { reporter, person, get, project } = await setUp()
  await report(reporter, 'One thing')
  await report(reporter, 'Another')
  const [{ name }] = (await get('/feedback/sources')).items
  await ws.sql`update feedback_items set created_at = now() - interval '31 days'
    where project_id = ${project.id} and feedback_number = 1`
  const query = `/feedback/sources/reports?name=${encodeURIComponent(name)}&name=Nothing`
  expect((await get(query)).items).toEqual([{ name, recent_count: 1, last_report_at: expect.any(String) }])
  expect((await person.call('GET', '/feedback/sources/reports')).status).toBe(422)
})
