import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { feedbackProject, itemOf, REPORT, report, submitItem } from '../feedback.factory.ts'
import { TITLE_LENGTH } from './feedback-item.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const file = (more: object = {}) => ({
  file_name: 'shot.png',
  file_key: 'uploads/shot.png',
  file_size: 12,
  mime_type: 'image/png',
  ...more,
})

describe('a report', () => {
  it('is answered with its number alone and appears in the inbox', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const answer = await report(reporter, '# Totals\n\nOff by a **cent**.')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ feedback_number: 1 })
    const [item] = (await api.get('/feedback/items')).body.items
    expect(item).toEqual({
      object: 'feedback_item',
      id: expect.any(String),
      display_id: 'FB-1',
      title: 'Totals',
      status: 'to_process',
      end_user_email: 'customer@example.org',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await itemOf(api, item.id)).toEqual({
      ...item,
      markdown_content: '# Totals\n\nOff by a **cent**.',
      attachments: [],
      connectedContext: [],
    })
  })

  it('takes the key as X-API-Key and as Bearer', async () => {
    const { reporter } = await feedbackProject(ws)
    const body = { end_user_email: 'a@example.org', content: 'x' }
    const bearer = await ws.client(undefined).post(REPORT, body, { authorization: `Bearer ${reporter.key}` })
    expect(bearer.status).toBe(201)
  })

  it('keeps its content byte for byte', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const content = '\n\t Grüße 👋🏽\r\n<script>alert(1)</script>\n\n'
    const item = await submitItem(api, reporter, content)
    expect((await itemOf(api, item.id)).markdown_content).toBe(content)
  })

  it('has up to 20 attachments, each with an address of its own', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const attachments = Array.from({ length: 20 }, (_, index) => file({ file_name: `${index}.png`, file_size: index }))
    const { id } = await submitItem(api, reporter, 'x', { attachments })
    const shown = (await itemOf(api, id)).attachments
    expect(shown.map((one: { file_name: string }) => one.file_name)).toEqual(attachments.map((one) => one.file_name))
    expect(shown[3]).toEqual({
      id: expect.any(String),
      file_name: '3.png',
      file_size: 3,
      mime_type: 'image/png',
      file_url: `http://slipway.test/v2/external-api/feedback/items/${id}/attachments/${shown[3].id}/content`,
    })
    expect(new Set(shown.map((one: { file_url: string }) => one.file_url)).size).toBe(20)
    expect((await report(reporter, 'x', { attachments: [...attachments, file()] })).status).toBe(422)
  })

  it.each(['a', 'a/b.c-d_e'.replace('_', '-'), '/a', 'a..b', '...', 'x'.repeat(512)])(
    'takes the file key %j',
    async (file_key) => {
      const { reporter } = await feedbackProject(ws)
      expect((await report(reporter, 'x', { attachments: [file({ file_key })] })).status).toBe(201)
    },
  )

  it.each(['', '..', '../a', 'a/..', 'a/../b', 'a b', 'a_b?', 'ä', 'a\\b', 'x'.repeat(513), null, 7])(
    'refuses the file key %j',
    async (file_key) => {
      const { reporter } = await feedbackProject(ws)
      const answer = await report(reporter, 'x', { attachments: [file(), file({ file_key })] })
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].pointer).toBe('/attachments/1/file_key')
    },
  )

  it.each(['file_name', 'file_key', 'file_size', 'mime_type'])('refuses an attachment without %s', async (field) => {
    const { reporter } = await feedbackProject(ws)
    const { [field]: _left, ...rest } = file() as Record<string, unknown>
    const answer = await report(reporter, 'x', { attachments: [rest] })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, `/attachments/0/${field}`])
  })

  it.each([
    'a@localhost',
    'a@10.0.0.1',
    "o'neil+tag/x={y}_~!#$%&*?^`|-@a-b.example.org",
    'first.last@example.org',
    'jürgen@bücher.example',
    '用户@例子.广告',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.org`,
  ])('is taken from %j', async (end_user_email) => {
    const { api, reporter } = await feedbackProject(ws)
    expect((await report(reporter, 'x', { end_user_email })).status).toBe(201)
    expect((await api.get('/feedback/items')).body.items[0].end_user_email).toBe(end_user_email)
  })

  it.each([
    ['end_user_email', undefined],
    ['end_user_email', null],
    ['end_user_email', 7],
    ['end_user_email', ''],
    ['end_user_email', 'nobody'],
    ['end_user_email', 'a b@example.org'],
    ['end_user_email', 'a,b@c;d'],
    ['end_user_email', '.a@example.org'],
    ['end_user_email', 'a.@example.org'],
    ['end_user_email', 'a..b@example.org'],
    ['end_user_email', 'a@-'],
    ['end_user_email', 'a@-b.org'],
    ['end_user_email', 'a@b-.org'],
    ['end_user_email', 'a@b..org'],
    ['end_user_email', 'a@b.org.'],
    ['end_user_email', 'a@b@example.org'],
    ['end_user_email', 'Ada <ada@example.org>'],
    ['end_user_email', 'a@example.org\n'],
    ['end_user_email', 'a\u0000@example.org'],
    ['end_user_email', `${'a'.repeat(65)}@example.org`],
    ['end_user_email', `a@${'b'.repeat(64)}.org`],
    ['end_user_email', `${'a'.repeat(400)}@example.org`],
    ['content', undefined],
    ['content', null],
    ['content', ['x']],
    ['content', ''],
    ['content', ' \n '],
    ['content', 'a\u0000b'],
    ['content', '\ud800'],
    ['content', 'x'.repeat(100_001)],
    ['attachments', null],
    ['attachments', {}],
    ['attachments', ['x']],
    ['attachments', [file({ file_size: '12' })]],
    ['attachments', [file({ file_size: -1 })]],
    ['attachments', [file({ file_size: 1.5 })]],
    ['attachments', [file({ file_name: '' })]],
  ])('is refused when %s is %j', async (field, value) => {
    const { api, reporter } = await feedbackProject(ws)
    const answer = await report(reporter, 'x', { [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toMatch(new RegExp(`^/${field}`))
    expect((await api.get('/feedback/items')).body.total).toBe(0)
  })

  it('may be as long as the limit says, counted in characters', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const { id } = await submitItem(api, reporter, '👋'.repeat(100_000))
    expect([...(await itemOf(api, id)).markdown_content]).toHaveLength(100_000)
  })

  it.each(['Mine', '', null])('is refused with the title %j', async (title) => {
    const { api, reporter } = await feedbackProject(ws)
    const answer = await report(reporter, 'x', { title })
    expect(answer).toMatchObject({ status: 422, body: { code: 'title_not_allowed', errors: [{ pointer: '/title' }] } })
    expect((await api.get('/feedback/items')).body.total).toBe(0)
  })

  it('may carry other unknown fields, which are named', async () => {
    const { reporter } = await feedbackProject(ws)
    const answer = await report(reporter, 'x', { page: '/cart', attachments: [file({ width: 3 })] })
    expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([201, 'page, attachments.0.width'])
  })

  it('is refused when it is no JSON object', async () => {
    const { reporter } = await feedbackProject(ws)
    const statuses = []
    for (const body of ['{', '', '[]', '"x"', 'null']) statuses.push((await reporter.api.post(REPORT, body)).status)
    expect(statuses).toEqual([400, 400, 422, 422, 422])
    expect((await reporter.api.post(REPORT, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    const tooMuch = JSON.stringify({ content: 'x'.repeat(1024 * 1024) })
    expect(await reporter.api.post(REPORT, tooMuch)).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', detail: expect.stringContaining('1048576 bytes') },
    })
  })

  it('leaves one event, with the key and the request that it came with', async () => {
    const { project, reporter, api } = await feedbackProject(ws)
    const body = { end_user_email: 'a@example.org', content: 'Slow' }
    await reporter.api.post(REPORT, body, { 'x-request-id': 'from-the-shop' })
    const [item] = (await api.get('/feedback/items')).body.items
    const events = await ws.sql`select * from events where project_id = ${project.id} and kind like 'feedback%'`
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      kind: 'feedback_item.submitted',
      subject_type: 'feedback_item',
      subject_id: item.id,
      key_id: reporter.keyId,
      user_id: reporter.userId,
      request_id: 'from-the-shop',
      payload: { feedback_number: 1, title: 'Slow' },
    })
  })

  it('with an Idempotency-Key is taken once', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const send = (content: string) =>
      reporter.api.post(REPORT, { end_user_email: 'a@example.org', content }, { 'idempotency-key': 'k' })
    const [first, again, other] = [await send('x'), await send('x'), await send('y')]
    expect([first.status, again.status, other.status]).toEqual([201, 201, 422])
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await api.get('/feedback/items')).body.total).toBe(1)
  })
})

describe('its title', () => {
  it.each([
    ['Plain words', 'Plain words'],
    ['First line\nsecond line', 'First line'],
    ['First line\r\nsecond line', 'First line'],
    ['\n\n  \nAfter empty lines', 'After empty lines'],
    ['## A **bold** [link](https://example.org) and `code`', 'A bold link and code'],
    ['> - quoted item', 'quoted item'],
    ['---\nUnder a rule', 'Under a rule'],
    ['```js\nlet a\n```', 'let a'],
    ['![The cart](cart.png)', 'The cart'],
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    ['<div>The total is off</div>\nMore', 'The total is off'],
    ['<p align="center">Tom &amp; <b>Jer</b>ry</p>', 'Tom & Jerry'],
    ['<table><tr><td title="a > b">one</td><td>two</td></tr></table>', 'one two'],
    ['One<br>two and th<i>r</i>ee', 'One two and three'],
    ['<div>\nBelow a tag', 'Below a tag'],
    ['<!-- a note --> <script>let a</script>\nBelow what nobody sees', 'Below what nobody sees'],
    ['<script>let a</script>', '<script>let a</script>'],
    ['<p>5 < 6, and 7 > 6</p>', '5 < 6, and 7 > 6'],
    ['***', '***'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
    ['👋'.repeat(81), `${'👋'.repeat(79)}…`],
  ])('of %j is %j', async (content, title) => {
    const { api, reporter } = await feedbackProject(ws)
    const item = await submitItem(api, reporter, content)
    expect(item.title).toBe(title)
    expect([...item.title].length).toBeLessThanOrEqual(TITLE_LENGTH)
  })
})

describe('who may report', () => {
  const body = { end_user_email: 'a@example.org', content: 'x' }

  it('is nobody without a valid reporting key', async () => {
    const { project, admin } = await feedbackProject(ws)
    const revoked = await project.join('editor', 'reporting')
    await ws.sql`update api_keys set revoked_at = now() where id = ${revoked.keyId}`
    const expired = await project.join('editor', 'reporting')
    await ws.sql`update api_keys set expires_at = now() where id = ${expired.keyId}`
    const gone = await project.join('editor', 'reporting')
    await ws.sql`delete from project_members where user_id = ${gone.userId}`
    const fresh = await ws.node()
    const keys = [undefined, `sf-rpt-${'x'.repeat(43)}`, admin.key, revoked.key, expired.key, gone.key]
    const answers = await Promise.all(keys.map((key) => ws.client(key, fresh).post(REPORT, body)))
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toBeDefined()
      expect({ ...body, request_id: '' }).toEqual({ ...answers[0]!.body, request_id: '' })
    }
  })

  it('is not a viewer', async () => {
    const { project } = await feedbackProject(ws)
    const viewer = await project.join('viewer', 'reporting')
    expect((await viewer.api.post(REPORT, body)).status).toBe(403)
  })

  it('does not open anything else', async () => {
    const { reporter } = await feedbackProject(ws)
    expect((await reporter.api.get('/feedback/items')).status).toBe(401)
    expect((await reporter.api.get(REPORT)).status).toBe(405)
    expect((await reporter.api.get(REPORT)).headers.allow).toBe('POST')
    expect((await reporter.api.post('/v2/reporting-api/nothing', body)).status).toBe(404)
  })
})

describe('the rate limit of reporting', () => {
  it('is its own, and says when to come back', async () => {
    const { reporter } = await feedbackProject(ws)
    const node = await ws.node({ rateLimitReporting: 3 })
    const api = ws.client(reporter.key, node)
    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await api.post(REPORT, { end_user_email: 'a@example.org', content: 'x' }))
    expect(answers.map((one) => one.status)).toEqual([201, 201, 201, 429])
    expect(answers[0]!.headers['ratelimit-limit']).toBe('3')
    expect(Number(answers[3]!.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('the retired endpoint', () => {
  const OLD = '/v1/integration/validator/feedback'

  it.each([
    [{}, { title: 'x', description: 'y' }],
    [{ 'x-app-key': 'old' }, { title: 'x' }],
    [{ 'x-app-key': 'old', 'content-type': 'text/plain' }, 'x'],
    [{ 'content-type': 'application/json' }, '{broken'],
    [{}, undefined],
  ])('is gone whatever is sent (%j, %j)', async (headers, body) => {
    const answer = await ws.client(undefined).post(OLD, body, headers as Record<string, string>)
    expect(answer.status).toBe(410)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.headers.link).toBe('<http://slipway.test/v2/reporting-api/feedback>; rel="successor-version"')
    expect(answer.body).toMatchObject({ status: 410, code: 'endpoint_retired', request_id: expect.any(String) })
    expect(answer.body.message).toBe(answer.body.detail)
    expect(answer.body.message).toContain('/v2/reporting-api/feedback')
  })
})
