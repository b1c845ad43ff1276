import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { openVisitor, signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { openMailServer, readMail } from '../../../kernel/mail.factory.ts'
import { DEFAULT_SETTINGS, sliceSettingsFrom } from '../../../kernel/settings.ts'
import { exported, formOf, multipart, runTransfers } from '../../transfers/transfer.factory.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { feedbackProject, link, makeTheme, NEVER, submitItem, themeOf } from '../feedback.factory.ts'
import { continueMailings, sendMails } from './sending.ts'

let server: Awaited<ReturnType<typeof openMailServer>>
let ws: Workspace
beforeAll(async () => {
  server = await openMailServer()
  ws = await openWorkspace({ settings: settingsWith({}) })
})
afterAll(async () => {
  await ws.close()
  await server.close()
})
beforeEach(() => {
  server.mails.length = 0
  server.judge(() => undefined)
})

const settingsWith = (more: Record<string, string>) => ({
  ...DEFAULT_SETTINGS,
  of: sliceSettingsFrom({ ...server.env, ...more }),
})
const depsWith = (more: Record<string, string>) => ({
  ...ws.deps,
  wiring: { ...ws.deps.wiring, settings: settingsWith(more) },
})

const ENGLISH = 'The page said that my card was declined, and it did not say why it was declined.'
const GERMAN = 'Meine Karte wurde abgelehnt, und auf der Seite stand leider überhaupt kein Grund dafür.'
const TEXTS = [
  { language: 'en', subject: 'You asked why', text: 'Hello,\n\non {date} you wrote: “{quote}”' },
  { language: 'de', subject: 'Sie fragten, warum', text: 'Guten Tag,\n\nam {date} schrieben Sie: „{quote}“' },
]

/** A theme with reports of these people. Its work order is completed. */
async function setUp(people: Record<string, string> = { 'Ann@example.org': ENGLISH, 'bernd@example.org': GERMAN }) {
  const made = await feedbackProject(ws)
  const { project, api, reporter } = made
  const ada = await signedInMember(ws, project, 'editor')
  const theme = await makeTheme(api)
  const say = async (address: string, words: string, themeId = theme.id) => {
    const item = await submitItem(api, reporter, words, { end_user_email: address })
    await link(api, themeId, item.id)
    return item
  }
  for (const [address, words] of Object.entries(people)) await say(address, words)
  const complete = async (themeId: string) => {
    const order = await createWorkOrder(api, { title: 'Say why' })
    await api.post(`/feedback/themes/${themeId}/work_orders`, { work_order_id: order.id })
    const done = { operation_type: 'UpdateStatus', target: { work_order_id: order.id }, patch: { status: 'completed' } }
    const { body } = await api.post('/work_orders/batch_update', {
      request_id: 'done',
      operations: [{ operation_id: 'a', ...done }],
    })
    if (body.status !== 'Succeeded') throw new Error(JSON.stringify(body))
    return order
  }
  await complete(theme.id)
  const at = `/feedback/themes/${theme.id}`
  const draft = async (query = '') => (await ada.call('GET', `${at}/mailing_draft${query}`)).body.data
  const tell = async (more: object = {}, headers: Record<string, string> = {}) => {
    const told = await ada.call('POST', `${at}/mailings`, { texts: TEXTS, ...more }, headers)
    if (told.status >= 500) throw new Error(JSON.stringify(told.body))
    return told
  }
  const list = async () => (await ada.call('GET', `${at}/mailings`)).body.items
  const send = async (mailingId: string, deps = ws.deps) => sendMails({ projectId: project.id, mailingId }, deps)
  return { ...made, ada, theme, say, complete, at, draft, tell, list, send }
}

const sentTo = () => server.mails.map(({ to }) => to).sort()
const linkIn = (source: string) =>
  new URL(/<(http[^>]+)>/.exec(readMail(source).headers['list-unsubscribe']!)![1]!).pathname

describe('a draft', () => {
  test('is there for each language once a work order is completed, and says how many get it', async () => {
    const { project, theme, ada, draft } = await setUp()
    expect(await draft()).toMatchObject({
      from: 'Harbor <shop@harbor.example>',
      people_count: 2,
      told_count: 0,
      unsubscribed_count: 0,
      completed_work_orders: [{ display_id: 'WO-1', title: 'Say why' }],
    })
    const { drafts } = await draft()
    expect(drafts.map(({ language, people_count }: Draft) => [language, people_count]).sort()).toEqual([
      ['de', 1],
      ['en', 1],
    ])
    const german = drafts.find(({ language }: Draft) => language === 'de')
    expect(german).toMatchObject({ example: { end_user_email: 'bernd@example.org', quote: GERMAN } })
    expect(german.text).toContain('am {date} schrieben Sie: „{quote}“')
    await ws.sql`update work_orders set status = 'ready' where project_id = ${project.id}`
    expect((await draft()).drafts).toEqual([])
    const { status, body } = await ada.call('POST', `/feedback/themes/${theme.id}/mailings`, { texts: TEXTS })
    expect([status, body.code]).toEqual([409, 'nothing_completed'])
  })

  test('in a language that is not clear or not known is the English one', async () => {
    const { draft } = await setUp({
      'a@example.org': 'Karte',
      'b@example.org': 'Kortet mitt ble avvist, og jeg vet ikke hvorfor.',
    })
    expect((await draft()).drafts).toMatchObject([{ language: 'en', people_count: 2 }])
  })
})

const eventsOf = (project: { id: string }, kind: string) => ws.sql`
  select user_id as "userId", payload from events where project_id = ${project.id} and kind = ${kind} order by id`

interface Draft {
  language: string
  people_count: number
}

describe('a mailing', () => {
  test('sends each person one mail in their language, with their words and a link to unsubscribe', async () => {
    const { project, theme, api, ada, tell, send, list } = await setUp()
    const { status, body } = await tell({ resolves_theme: true })
    expect([status, body.data.counts]).toMatchObject([201, { waiting: 2, sent: 0 }])
    await send(body.data.id)
    expect(sentTo()).toEqual(['Ann@example.org', 'bernd@example.org'])
    const { headers, body: text } = readMail(server.mails.find(({ to }) => to.startsWith('bernd'))!.source)
    expect(headers).toMatchObject({
      from: 'Harbor <shop@harbor.example>',
      to: 'bernd@example.org',
      subject: 'Sie fragten, warum',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    const day = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())
    expect(text).toContain(`am ${day} schrieben Sie: „${GERMAN}“`)
    expect(text).toMatch(/nicht mehr zu meinen Rückmeldungen:\nhttp:\/\/slipway\.test\/unsubscribe\/[0-9a-f-]{36}\n$/)
    expect(await list()).toMatchObject([{ counts: { sent: 2, waiting: 0 }, created_by: { id: ada.user.id } }])
    expect((await themeOf(api, theme.id)).status).toBe('resolved')
    const told = await eventsOf(project, 'theme.people_told')
    expect(told).toMatchObject([{ userId: ada.user.id, payload: { people_count: 2, is_by_hand: false } }])
    expect(await eventsOf(project, 'theme.mails_sent')).toMatchObject([{ payload: { sent_count: 2 } }])
    expect(
      JSON.stringify(
        await ws.sql`select payload from events where project_id = ${project.id}
      and kind like 'theme.%'`,
      ),
    ).not.toContain('example.org')
  })

  test('tells nobody twice, unless a person says so', async () => {
    const { tell, send, draft, say } = await setUp()
    const [one, two] = await Promise.all([tell(), tell()])
    expect([one.status, two.status].sort()).toEqual([201, 409])
    expect(two.status === 409 ? two.body.code : one.body.code).toBe('nobody_to_tell')
    await send((one.status === 201 ? one : two).body.data.id)
    expect(await draft()).toMatchObject({ told_count: 2, drafts: [] })
    await say('ann@EXAMPLE.org', `${ENGLISH} Again.`)
    await say('cleo@example.org', ENGLISH)
    const later = (await tell()).body.data
    await send(later.id)
    expect(sentTo()).toEqual(['Ann@example.org', 'bernd@example.org', 'cleo@example.org'])
    expect((await draft('?again=true')).drafts.length).toBe(2)
    expect((await tell({ again: true })).body.data.counts.waiting).toBe(3)
  })

  test('is made once for an Idempotency-Key', async () => {
    const { tell, list } = await setUp()
    const headers = { 'idempotency-key': 'one click' }
    const [first, second] = [await tell({ again: true }, headers), await tell({ again: true }, headers)]
    expect([first.status, second.body.data]).toEqual([201, first.body.data])
    expect((await list()).length).toBe(1)
  })

  test('sends nothing twice after a crash, and names what may have arrived', async () => {
    const { project, tell, send, list, ada } = await setUp({ 'a@example.org': ENGLISH, 'b@example.org': ENGLISH })
    const { id } = (await tell()).body.data
    let letGo: (err: Error) => void = () => undefined
    let crashed: Promise<void> | undefined
    await new Promise<void>((reached) => {
      server.judge(() => {
        reached()
        return new Promise((resolve) => {
          letGo = resolve
        })
      })
      crashed = send(id)
    })
    server.judge(() => undefined)
    await ws.sql`update theme_mails set claimed_at = claimed_at - interval '11 minutes' where project_id = ${project.id}`
    await continueMailings({}, ws.deps)
    await send(id)
    expect(sentTo()).toEqual(['b@example.org'])
    expect((await list())[0]).toMatchObject({
      counts: { sent: 1, failed: 1 },
      failures: [{ end_user_email: 'a@example.org', is_uncertain: true }],
    })
    await ada.call('POST', `/feedback/mailings/${id}/retry`)
    await send(id)
    expect(sentTo()).toEqual(['b@example.org'])
    await ada.call('POST', `/feedback/mailings/${id}/retry`, { includes_uncertain: true })
    await send(id)
    expect(sentTo()).toEqual(['a@example.org', 'b@example.org'])
    letGo(new Error('too late'))
    await crashed
  })

  test('names what the mail server refused, and retries only that', async () => {
    const { tell, send, list, ada } = await setUp()
    server.judge((to) =>
      to.startsWith('bernd') ? Object.assign(new Error('No such user'), { responseCode: 550 }) : undefined,
    )
    const { id } = (await tell()).body.data
    await send(id)
    expect((await list())[0]).toMatchObject({
      counts: { sent: 1, failed: 1 },
      failures: [
        {
          end_user_email: 'bernd@example.org',
          reason: 'The mail server answered: 550 No such user',
          is_uncertain: false,
        },
      ],
    })
    server.judge(() => undefined)
    expect((await ada.call('POST', `/feedback/mailings/${id}/retry`)).body.data.counts).toMatchObject({ waiting: 1 })
    await send(id)
    expect(sentTo()).toEqual(['Ann@example.org', 'bernd@example.org'])
  })

  test('fails as a whole while the mail server is away', async () => {
    const { tell, send, list } = await setUp()
    const { id } = (await tell()).body.data
    await send(id, depsWith({ SMTP_URL: 'smtp://127.0.0.1:1' }))
    expect((await list())[0]).toMatchObject({ counts: { failed: 2, sent: 0 } })
    expect((await list())[0].failures[0].reason).toContain('ECONNREFUSED')
  })

  test('waits when the project has sent as many mails as an hour allows', async () => {
    const { project, tell, send, list } = await setUp()
    const { id } = (await tell()).body.data
    await send(id, depsWith({ MAILS_PER_HOUR: '1' }))
    expect((await list())[0].counts).toMatchObject({ sent: 1, waiting: 1 })
    await ws.sql`update theme_mails set claimed_at = claimed_at - interval '1 hour' where project_id = ${project.id}`
    await continueMailings({}, ws.deps)
    await send(id, depsWith({ MAILS_PER_HOUR: '1' }))
    expect((await list())[0].counts).toMatchObject({ sent: 2, waiting: 0 })
  })

  test('goes with a merge, so those who were told are not told of the other theme', async () => {
    const { api, ada, theme, tell, draft, say, complete } = await setUp({ 'a@example.org': ENGLISH })
    await tell()
    const other = await makeTheme(api, { title: 'Cards' })
    await say('z@example.org', ENGLISH, other.id)
    await complete(other.id)
    const merged = await ada.call('POST', `/feedback/themes/${theme.id}/merge`, { into_theme_id: other.id })
    const of = async () => (await ada.call('GET', `/feedback/themes/${other.id}/mailing_draft`)).body.data
    expect(await of()).toMatchObject({ told_count: 1, drafts: [{ people_count: 1 }] })
    await ada.call('POST', `/feedback/regroupings/${merged.body.data.id}/undo`)
    expect(await draft()).toMatchObject({ told_count: 1, drafts: [] })
    expect(await of()).toMatchObject({ told_count: 0 })
  })

  test('without a mail server is written for a person to send, and counts as told', async () => {
    const { project, at, ada, draft } = await setUp()
    const plainApp = await ws.node({ settings: DEFAULT_SETTINGS })
    const person = openVisitor(plainApp)
    await person.signIn(ada.user.email)
    person.at(project)
    expect((await person.call('GET', `${at}/mailing_draft`)).body.data.from).toBeNull()
    const refused = await person.call('POST', `${at}/mailings`, { texts: TEXTS })
    expect([refused.status, refused.body.code]).toEqual([409, 'mail_not_configured'])
    const plain = await person.call('POST', `${at}/mailings`, { texts: [TEXTS[0]], by_hand: true })
    expect(plain.body.data).toMatchObject({ is_by_hand: true, counts: { copied: 2 } })
    const { items } = (await ada.call('GET', `/feedback/mailings/${plain.body.data.id}/mails`)).body
    expect(items.map(({ to, subject }: { to: string; subject: string }) => [to, subject]).sort()).toEqual([
      ['Ann@example.org', 'You asked why'],
      ['bernd@example.org', 'You asked why'],
    ])
    expect(items[0].text).toContain('http://slipway.test/unsubscribe/')
    expect(await draft()).toMatchObject({ told_count: 2 })
    expect(server.mails).toEqual([])
  })

  test('is written by editors, read by viewers, and a 404 for strangers', async () => {
    const { project, at, tell } = await setUp()
    const { id } = (await tell()).body.data
    const viewer = await signedInMember(ws, project, 'viewer')
    expect((await viewer.call('GET', `${at}/mailing_draft`)).status).toBe(200)
    expect((await viewer.call('GET', `${at}/mailings`)).body.items.length).toBe(1)
    expect((await viewer.call('POST', `${at}/mailings`, { texts: TEXTS })).status).toBe(403)
    expect((await viewer.call('POST', `/feedback/mailings/${id}/retry`)).status).toBe(403)
    expect((await viewer.call('GET', `/feedback/mailings/${id}/mails`)).status).toBe(403)
    const { ada: stranger } = await setUp({})
    for (const path of [`${at}/mailing_draft`, `${at}/mailings`, `/feedback/mailings/${id}/mails`])
      expect((await stranger.call('GET', path)).status).toBe(404)
    expect((await stranger.call('POST', `${at}/mailings`, { texts: TEXTS })).status).toBe(404)
    expect((await stranger.call('POST', `/feedback/mailings/${NEVER}/retry`)).status).toBe(404)
  })

  test('with a subject of two lines, no text or two texts for a language is refused', async () => {
    const { tell } = await setUp()
    for (const texts of [
      [],
      [{ ...TEXTS[0], subject: 'a\r\nBcc: x@example.org' }],
      [{ ...TEXTS[0], text: ' ' }],
      [TEXTS[0], TEXTS[0]],
    ])
      expect((await tell({ texts })).status).toBe(422)
    expect(server.mails).toEqual([])
  })
})

describe('the link to unsubscribe', () => {
  test('works without signing in, by page and by one click, and holds for every theme', async () => {
    const { project, api, theme, tell, send, draft, say, complete, ada } = await setUp({ 'a@example.org': GERMAN })
    const { id } = (await tell()).body.data
    await send(id)
    const url = linkIn(server.mails[0]!.source)
    const opened = await ws.app.inject({ url })
    expect([opened.statusCode, opened.payload]).toEqual([200, expect.stringContaining('Schreiben Sie mir nicht mehr')])
    expect(await draft()).toMatchObject({ unsubscribed_count: 0 })
    const payload = 'List-Unsubscribe=One-Click'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const clicked = await ws.app.inject({ method: 'POST', url, payload, headers })
    expect([clicked.statusCode, clicked.payload]).toEqual([200, expect.stringContaining('Erledigt')])
    expect((await ws.app.inject({ method: 'POST', url })).statusCode).toBe(200)
    expect(await draft('?again=true')).toMatchObject({ unsubscribed_count: 1, drafts: [] })
    const other = await makeTheme(api, { title: 'Another matter' })
    await say('A@example.org', ENGLISH, other.id)
    await complete(other.id)
    const told = await ada.call('POST', `/feedback/themes/${other.id}/mailings`, { texts: TEXTS, again: true })
    expect(told.body.code).toBe('nobody_to_tell')
    expect(await eventsOf(project, 'project.customer_unsubscribed')).toMatchObject([{ payload: {} }])
    expect(theme.id).not.toBe(other.id)
  })

  test('takes back what waits', async () => {
    const { tell, send, list, say } = await setUp({ 'a@example.org': ENGLISH })
    await send((await tell()).body.data.id)
    await say('b@example.org', ENGLISH)
    const again = (await tell({ again: true })).body.data
    await ws.app.inject({ method: 'POST', url: linkIn(server.mails[0]!.source) })
    await send(again.id)
    expect(sentTo()).toEqual(['a@example.org', 'b@example.org'])
    expect((await list())[0].counts).toMatchObject({ sent: 1, unsubscribed: 1 })
  })

  test('holds in an export and an import, which sends nothing', async () => {
    const { api, theme, tell, send, say } = await setUp({ 'a@example.org': ENGLISH })
    await send((await tell()).body.data.id)
    await ws.app.inject({ method: 'POST', url: linkIn(server.mails[0]!.source) })
    await say('b@example.org', ENGLISH)
    await tell()
    const archive = await exported(ws, api)
    const there = await ws.project()
    const imported = await there.admin.api.post('/imports', formOf('project.zip', archive), multipart)
    await runTransfers(ws, there.id)
    expect((await there.admin.api.get(`/imports/${imported.body.data.id}`)).body.data).toMatchObject({ state: 'done' })
    const grace = await signedInMember(ws, there, 'editor')
    const [copy] = (await grace.call('GET', '/feedback/themes')).body.items
    expect([copy.title, copy.id === theme.id]).toEqual([theme.title, false])
    const { data } = (await grace.call('GET', `/feedback/themes/${copy.id}/mailing_draft?again=true`)).body
    expect(data).toMatchObject({ unsubscribed_count: 1, told_count: 1, drafts: [{ people_count: 1 }] })
    await continueMailings({}, ws.deps)
    const { items } = (await grace.call('GET', `/feedback/themes/${copy.id}/mailings`)).body
    expect(items[0]).toMatchObject({ counts: { failed: 1, waiting: 0 }, failures: [{ is_uncertain: true }] })
  })

  test('that nobody was sent is a 404', async () => {
    for (const token of [NEVER, 'nonsense']) {
      expect((await ws.app.inject({ url: `/unsubscribe/${token}` })).statusCode).toBe(404)
      expect((await ws.app.inject({ method: 'POST', url: `/unsubscribe/${token}` })).statusCode).toBe(404)
    }
  })
})
