import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNode } from '../server/src/product/automations/automation.factory.ts'
import { executeRun } from '../server/src/product/automations/dispatcher/execute.ts'
import { type Asked, startModel } from '../server/src/product/conversations/scripted-model.factory.ts'
import { settingsWith } from '../server/src/product/conversations/turns/agent.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

/** As a variable, so that the types of the web, which are checked on their own, are not checked here too. */
const templates = '../web/src/automations/templates.ts'
const { TEMPLATES } = (await import(templates)) as { TEMPLATES: { id: string; name: string; values: object }[] }

const call = (name: string, input: object) => ({ name, input })
const resultsOf = ({ messages }: Asked) =>
  messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))

describe.runIf(hasBrowser)('automations', () => {
  let app: OpenApp
  let model: Awaited<ReturnType<typeof startModel>>
  let node: ReturnType<typeof startNode>
  beforeAll(async () => {
    model = await startModel()
    // Conversations are driven by the protocol of OpenAI.
    const prices = { 'claude-scripted': { input: 100, output: 400 } }
    app = await openApp({ settings: settingsWith({ model: { ...model.settings({}, 'anthropic'), prices } }) })
    node = startNode(app.workspace, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
  })
  afterAll(async () => {
    await node.stop(0)
    await app.close()
    model.close()
  })

  async function setUp(titles: string[] = []) {
    const team = await app.team()
    await team.create(titles)
    const { items } = (await team.project.admin.api.get('/work_orders?page_size=100')).body
    const workOrders = (items as { id: string; title: string }[]).toSorted((a, b) => a.title.localeCompare(b.title))
    const open = (page: Page, path = '') => page.goto(`${app.origin}/p/${team.project.id}/automations${path}`)
    /** As the person at this page. */
    const send = async (page: Page, method: 'post' | 'patch', path: string, data: object) => {
      const headers = { 'x-project-id': team.project.id }
      const answer = await page.context().request[method](`${app.origin}/v2/app-api${path}`, { data, headers })
      expect(await answer.text()).not.toContain('urn:slipway:problem')
      return (await answer.json()).data
    }
    return { ...team, api: team.project.admin.api, workOrders, open, send }
  }
  const block = (id: string) => ({
    request_id: `block ${id}`,
    operations: [
      {
        operation_id: 'a',
        operation_type: 'UpdateStatus',
        target: { work_order_id: id },
        patch: { status: 'blocked' },
      },
    ],
  })
  const proposal = (page: Page, title: string) =>
    page.getByRole('region', { name: 'Proposals' }).getByRole('listitem').filter({ hasText: title })

  test('from a template to a dry run; a second person accepts three of five, one is outdated, and one is undone', async () => {
    const { email, join, open, api, send, workOrders } = await setUp(['Capture', 'Intents', 'Refunds'])
    const [capture, intents, refunds] = workOrders.map(({ id }) => id)
    model.script(
      () => ({
        calls: [
          call('create_work_order', {
            title: 'Keep stock as long as the intent',
            markdown_content: 'Stock is kept for **12** minutes.',
          }),
          call('update_work_order', { work_order_id: intents, values: { status: 'completed' } }),
          call('update_work_order', { work_order_id: refunds, values: { status: 'in_review' } }),
        ],
        text: 'I look at the work first.',
      }),
      (asked) => ({
        calls: [
          call('comment_work_order', { work_order_id: resultsOf(asked)[0].id, markdown_content: 'See the plan.' }),
          call('comment_work_order', { work_order_id: capture, markdown_content: 'Which one is meant?' }),
        ],
      }),
      { text: 'An intent expires after **15** minutes, but stock is kept for twelve.' },
    )
    const ada = await app.page({ as: email, width: 1440, height: 900 })
    await open(ada)
    await ada.getByRole('link', { name: 'Use Keep blueprints true to the code' }).click()
    await ada.getByRole('checkbox', { name: 'Edit Work orders' }).check()
    await ada.getByRole('button', { name: /^Weekdays/ }).waitFor({ state: 'detached' })
    await ada.getByRole('button', { name: 'Schedule' }).click()
    await ada.getByRole('button', { name: 'Cron' }).click()
    await ada.getByLabel('hour').fill('25')
    await ada.getByText('"25" is not from 0 to 23', { exact: false }).waitFor()
    await ada.getByLabel('hour').fill('7')
    await ada.getByText('Weekdays 07:00', { exact: true }).waitFor()
    await ada.getByRole('button', { name: 'Work order status changed' }).click()
    await ada.getByRole('group', { name: 'Only from' }).getByRole('button', { name: 'Backlog' }).click()
    await eventually(async () => (await ada.getByRole('region', { name: 'When' }).getByRole('listitem').count()) === 5)
    expect(await findingsOn(ada)).toEqual([])
    await ada.getByLabel('Name').fill('Drift watch')
    // A draft survives a reload.
    await ada.reload()
    expect(await ada.getByLabel('Name').inputValue()).toBe('Drift watch')
    await ada.getByRole('button', { name: /^Save/ }).click()
    await ada.getByText('It is off. A dry run shows what it would do today').waitFor()
    const stored = (await api.get('/automations')).body.items.find(
      (one: { name: string }) => one.name === 'Drift watch',
    )
    const ofStatus = stored.triggers.find((one: { filter: object | null }) => one.filter)
    expect(ofStatus.filter).toMatchObject({ status_from: ['backlog'], status_to: null })
    await ada.getByRole('button', { name: 'Dry run' }).click()
    await ada.getByRole('heading', { name: '5 proposals wait for you' }).waitFor()
    await ada.getByText('stock is kept for twelve').waitFor()
    expect(await findingsOn(ada)).toEqual([])
    const grace = await app.page({ as: await join('Grace Hopper', 'admin'), width: 1440, height: 900 })
    await grace.goto(ada.url())
    await grace.getByRole('heading', { name: '5 proposals wait for you' }).waitFor()
    // Somebody else changes what the second one would change.
    await api.post('/work_orders/batch_update', block(intents!))
    await proposal(grace, 'Intents').getByText('Outdated').waitFor()
    await proposal(grace, 'Intents').getByText('Blocked').waitFor()
    expect(
      await proposal(grace, 'See the plan')
        .getByRole('button', { name: /^Accept/ })
        .isDisabled(),
    ).toBe(true)
    await grace.keyboard.press('a')
    await proposal(grace, 'Keep stock').getByText('accepted by Grace Hopper').waitFor()
    // The next one is outdated: it can only be rejected.
    await grace.keyboard.press('a')
    await grace.keyboard.press('r')
    await proposal(grace, 'Intents').getByText('rejected by Grace Hopper').waitFor()
    await grace.keyboard.press('a')
    await proposal(grace, 'Refunds').getByText('accepted by Grace Hopper').waitFor()
    await grace.keyboard.press('j')
    await grace.keyboard.press('k')
    await grace.keyboard.press('a')
    await grace.getByRole('heading', { name: '1 proposal waits for you' }).waitFor()
    await ada.getByRole('heading', { name: '1 proposal waits for you' }).waitFor()
    const statusOf = async (id: string) => (await api.get(`/work_orders/${id}`)).body.data.status
    expect(await statusOf(refunds!)).toBe('in_review')
    await ada.getByRole('button', { name: 'Undo Refunds' }).click()
    await proposal(grace, 'Refunds').getByText('undone by Ada Lovelace').waitFor()
    expect([await statusOf(refunds!), await statusOf(intents!)]).toEqual(['ready', 'blocked'])
    await ada.getByRole('link', { name: 'Drift watch', exact: true }).last().click()
    await ada.getByRole('switch', { name: 'Enabled' }).click()
    await ada.getByRole('button', { name: 'Run now' }).waitFor()

    // The instructions and the model are changed elsewhere while Ada rewrites the instructions here.
    const path = `/automations/${ada.url().split('/').at(-1)}`
    await ada.getByRole('textbox', { name: 'Instructions' }).fill('Ada’s instructions.')
    await send(ada, 'patch', path, { user_prompt: 'Grace’s instructions.', model: 'other' })
    const conflict = ada.getByRole('alert', { name: 'Changed by somebody else: the instructions' })
    await conflict.getByText('Grace').waitFor()
    expect(await ada.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Ada’s instructions.')
    expect(await ada.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    expect(await findingsOn(ada)).toEqual([])
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await ada.getByRole('button', { name: /^Save/ }).click()
    await ada.getByText('Unsaved change').waitFor({ state: 'detached' })
    expect((await api.get(path)).body.data).toMatchObject({ user_prompt: 'Ada’s instructions.', model: 'other' })
  })

  test('a run streams what it calls, is understood when it fails, and is retried; another person follows it', async () => {
    const { email, join, open, send } = await setUp(['Capture'])
    let goOn = () => undefined as unknown
    const told = new Promise<void>((resolve) => {
      goOn = resolve
    })
    model.script(
      { calls: [call('list_work_orders', {})], text: '' },
      { calls: [call('list_members', {})], text: 'One is left, I ask who has time.', pause: told },
      { status: 400, body: { type: 'error', error: { type: 'not_found_error', message: 'model not found' } } },
      { calls: [call('create_work_order', { title: 'Round the total' })] },
      { text: 'One work order is new.' },
    )
    const ada = await app.page({ as: email, width: 1440, height: 900 })
    const grace = await app.page({ as: await join('Grace Hopper') })
    const { id } = await send(ada, 'post', '/automations', { name: 'Nudge', user_prompt: 'Nudge.', triggers: [] })
    await open(ada, `/${id}`)
    await open(grace, `/runs`)
    await ada.getByRole('button', { name: 'Run now' }).click()
    await ada.getByRole('textbox', { name: 'A note for this run' }).fill('Only what waits for a review.')
    await ada.getByRole('button', { name: 'Run', exact: true }).click()
    await grace.getByText('“Only what waits for a review.”').waitFor()
    const calls = ada.getByRole('region', { name: 'Tool calls' })
    await calls.getByText('list_work_orders').click()
    await calls.getByText('Capture').waitFor()
    await grace.getByRole('heading', { name: 'Running' }).waitFor()
    expect(await grace.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    // Both read the words as they are said.
    await ada.getByText('One is left,').waitFor()
    await grace.getByText('One is left,').waitFor()
    goOn()
    await ada.getByRole('heading', { name: 'It could not finish' }).waitFor()
    await ada.getByText('model not found').first().waitFor()
    await grace.getByRole('heading', { name: 'It could not finish' }).waitFor()
    expect(await findingsOn(ada)).toEqual([])
    await ada.keyboard.press('r')
    await ada.getByRole('heading', { name: '1 change' }).waitFor()
    await ada.getByText('One work order is new.').waitFor()
    await ada.getByRole('button', { name: 'Undo Round the total' }).click()
    await ada.getByText('undone by Ada Lovelace').waitFor()
    await open(ada, '/runs?status=failed')
    await ada.getByText('1 run', { exact: true }).waitFor()
    await open(ada)
    await ada.getByText('2 runs').first().waitFor()
    expect(await findingsOn(ada)).toEqual([])
    // She does not own it, so she sees why she cannot change it.
    await open(grace, `/${id}`)
    await grace.getByText('It acts with the rights of Ada Lovelace', { exact: false }).waitFor()
    expect(await grace.getByRole('textbox', { name: 'Instructions' }).isDisabled()).toBe(true)
  })

  test('thousands of runs are read as far as somebody scrolls; a change reads the runs that it is about', async () => {
    const { email, open, send, project } = await setUp()
    const ada = await app.page({ as: email, width: 1440, height: 900 })
    const { id } = await send(ada, 'post', '/automations', { name: 'Nudge', user_prompt: 'Nudge.', triggers: [] })
    const { sql } = app.workspace
    await sql`insert into automation_runs (project_id, id, automation_id, status, trigger_type, chain_id, error, created_at,
        started_at, completed_at)
      select ${project.id}, ('018d0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${id},
        case when n % 7 = 0 then 'failed' else 'succeeded' end, 'schedule', gen_random_uuid(),
        case when n % 7 = 0 then 'The model did not answer.' end, now() - interval '1 day', now() - interval '1 day',
        now() - interval '1 day' + n * interval '1 second'
      from generate_series(1, 2000) n`
    const asked: string[] = []
    ada.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.endsWith('/app-api/automation_runs')) asked.push(search)
    })
    await open(ada, '/runs')
    await ada.getByText('2,000 runs').waitFor()
    const rows = ada.getByRole('grid', { name: 'Runs' })
    await rows.getByText('33 min 20 s').waitFor()
    expect(asked).toHaveLength(1)
    await rows.hover()
    // The first one took a second.
    await eventually(async () => {
      await ada.mouse.wheel(0, 20_000)
      return rows.getByText('1 s', { exact: true }).isVisible()
    }, 60_000)
    expect(asked).toHaveLength(40)
    expect(await rows.locator('[data-row]').count()).toBeLessThan(60)
    asked.length = 0
    model.script({ text: 'Nothing to do.' })
    const started = await send(ada, 'patch', `/automations/${id}`, { enabled: true }).then(() =>
      send(ada, 'post', `/automations/${id}/runs`, {}),
    )
    await ada.getByText('2,001 runs').waitFor()
    await eventually(
      async () =>
        (await sql`select 1 from automation_runs where id = ${started.id} and completed_at is not null`).length > 0,
    )
    // It is read at most every two seconds, and only the beginning of the list.
    expect(asked.filter((one) => one.includes('before=')).length).toBeLessThanOrEqual(1)
    await open(ada, '/runs?status=failed')
    await ada.getByText('285 runs').waitFor()
  })

  /** What each template must be able to do, with the tools that it is given. */
  const DOES: Record<string, { name: string; input: object }> = {
    'blueprints-true-to-code': call('create_work_order', { title: 'The code differs' }),
    'weekly-digest': call('create_artifact', { name: 'Digest.md', markdown_content: '# New' }),
    'release-notes': call('create_artifact', { name: 'Release notes.md', markdown_content: '# Better' }),
    'nudge-stale-work': call('comment_work_order', { markdown_content: 'What is in the way?' }),
    'acceptance-criteria': call('update_work_order', { values: { markdown_content: 'Refunds arrive in two days.' } }),
  }
  test.each(TEMPLATES)('the template $name runs as it is: it proposes, and changes nothing', async ({ id, values }) => {
    const { api, workOrders } = await setUp(['Capture'])
    const { name, input } = DOES[id]!
    const about = /comment|update/.test(name) ? { work_order_id: workOrders[0]!.id } : {}
    model.script({ calls: [call(name, { ...about, ...input })] }, { text: 'Done.' })
    const made = await api.post('/automations', { ...values, enabled: false })
    const path = `/automations/${made.body.data.id}/runs`
    const started = await api.post(path, { dry_run: true })
    const run = await eventually(async () => {
      const { data } = (await api.get(`${path}/${started.body.data.id}`)).body
      return data.completed_at !== null && data
    })
    expect([run.status, run.error]).toEqual(['succeeded', null])
    expect(run.writes).toMatchObject([{ status: 'proposed' }])
  })

  test('a phone approves one proposal after the other, and a viewer only looks', async () => {
    const { email, join, open, send, workOrders, api } = await setUp(['Capture', 'Intents'])
    const [capture, intents] = workOrders.map(({ id }) => id)
    model.script(
      () => ({
        calls: [
          call('update_work_order', { work_order_id: capture, values: { status: 'in_review' } }),
          call('update_work_order', { work_order_id: intents, values: { status: 'in_review' } }),
        ],
      }),
      { text: 'Two are ready for review.' },
    )
    const phone = await app.page({ as: email, width: 360, height: 740, touch: true })
    const viewer = await app.page({ as: await join('Vera', 'viewer') })
    const { id } = await send(phone, 'post', '/automations', {
      name: 'Nudge',
      user_prompt: 'Nudge.',
      triggers: [],
      approval: 'required',
    })
    await send(phone, 'post', `/automations/${id}/runs`, {})
    await open(phone)
    await phone.getByRole('link', { name: 'Review 2' }).click()
    await phone.getByText('1 of 2').waitFor()
    expect(await findingsOn(phone)).toEqual([])
    await open(viewer)
    await viewer.getByText('2 proposals wait for approval.').waitFor()
    expect(await viewer.getByRole('switch', { name: 'Nudge is on' }).isDisabled()).toBe(true)
    await viewer.getByRole('link', { name: 'Review 2' }).click()
    await viewer.getByRole('heading', { name: '2 proposals wait for approval' }).waitFor()
    expect(await viewer.getByRole('button', { name: /Accept|Reject|Undo|Cancel/ }).count()).toBe(0)
    await phone.getByRole('button', { name: /^Accept Capture/ }).click()
    await phone.getByText('2 of 2').waitFor()
    await phone.getByRole('button', { name: /^Reject Intents/ }).click()
    await phone.getByText('All decided').waitFor()
    await viewer.getByText('rejected by Ada Lovelace').waitFor()
    expect((await api.get(`/work_orders/${capture}`)).body.data.status).toBe('in_review')
    expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
