import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversationOf, said } from '../server/src/product/conversations/conversation.factory.ts'
import { type ScriptedModel, startModel } from '../server/src/product/conversations/scripted-model.factory.ts'
import { settingsWith } from '../server/src/product/conversations/turns/agent.factory.ts'
import { hasBrowser, openBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { dataFolder, freePort, launchServer, openPool, statusOf } from '../server/test/process/running-server.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('conversations', () => {
  let app: OpenApp
  let model: ScriptedModel & { close(): void }
  beforeAll(async () => {
    model = await startModel()
    const prices = { scripted: { input: 1_000, output: 1_000 } }
    app = await openApp({ settings: settingsWith({ model: { ...model.settings(), prices } }) })
  })
  afterAll(async () => {
    model.close()
    await app.close()
  })

  async function setUp(options: Parameters<OpenApp['page']>[0] = {}) {
    const made = await app.team()
    const open = async (as: string, path = 'conversations/new', more = options) => {
      const page = await app.page({ width: 1440, ...more, as })
      await page.goto(`${app.origin}/p/${made.project.id}/${path}`)
      return page
    }
    return { ...made, open, page: await open(made.email) }
  }
  const field = (page: Page) => page.getByLabel('Message', { exact: true })
  const ask = async (page: Page, words: string) => {
    await field(page).fill(words)
    await page.keyboard.press('Enter')
  }
  const menu = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More about this conversation' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('an answer cites what opens beside it, its proposal is accepted in place, and the chat says what it cost', async () => {
    const { page, create, project } = await setUp()
    await create(['Round the total'])
    const { id } = (await project.admin.api.get('/work_orders/by_number/1')).body.data
    const values = { title: 'Round the total once' }
    model.script(
      { calls: [{ name: 'update_work_order', input: { work_order_id: id, values } }] },
      { text: `Rename [WO-1](/p/${project.id}/work-orders/1)?\n\n| Order | Total |\n| --- | --- |\n| 3 | 13.37 |` },
    )
    await ask(page, 'Which name is better?')
    await page.getByRole('cell', { name: '13.37' }).waitFor()
    await page.getByText('$0.24', { exact: true }).waitFor()
    await page.getByText('update_work_order', { exact: true }).waitFor({ state: 'hidden' })
    await page.getByRole('switch', { name: 'Tool activity' }).click()
    await page.getByText('update_work_order', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'WO-1' }).click()
    await page.getByRole('complementary', { name: 'WO-1' }).getByText('Round the total').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await button(page, 'Accept').click()
    await page.getByText(/^Accepted/).waitFor()
    expect((await project.admin.api.get(`/work_orders/${id}`)).body.data.title).toBe(values.title)
  })

  test('an answer goes on through a reload and in a second tab, Stop keeps it, and what was queued follows', async () => {
    const { page } = await setUp()
    model.script({ silent: true, after: '## So far\n\nHalf an answer' }, { text: 'The next answer.' })
    await ask(page, 'Tell me all')
    const half = (where: Page) => where.getByText('Half an answer')
    await half(page).waitFor()
    await page.reload()
    await half(page).waitFor()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await half(second).waitFor()
    await ask(second, 'And then?')
    await page.getByText('Waits for the answer').waitFor()
    await field(page).focus()
    await page.keyboard.press('Escape')
    for (const where of [page, second]) {
      await where.getByText('Stopped', { exact: true }).waitFor()
      await where.getByText('The next answer.').waitFor()
      await half(where).waitFor()
    }
    expect(await findingsOn(page)).toEqual([])
  })

  test('a hostile, a failing and an endless model do no harm, and another one is picked for the next answer', async () => {
    const { page } = await setUp({ width: 360, height: 740 })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    const hostile = [
      '<script>document.title = "mine"</script><img src="http://evil.example/a.png" onerror="document.title = \'mine\'">',
      '[Sign in again](javascript:alert(1)) ![](http://evil.example/b.png) [out](data:text/html,mine)',
      'W'.repeat(4_000),
      `| ${'wide '.repeat(200)} |\n| --- |\n| ${'x'.repeat(500)} |`,
      'The end of it.',
    ].join('\n\n')
    model.script(
      { text: hostile },
      { status: 500, body: { error: { message: 'out of memory' } } },
      { text: 'It is back.' },
      { endless: 'again and again ' },
      { text: 'By another one.' },
    )
    await ask(page, 'Who are you?')
    await page.getByText('The end of it.').waitFor()
    await button(page, 'Copy').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(await page.title()).not.toBe('mine')
    expect(await page.locator('a[href^="javascript:"], a[href^="data:"], [role=log] img').count()).toBe(0)
    expect(loaded.filter((url) => !url.startsWith(app.origin))).toEqual([])
    expect(await findingsOn(page)).toEqual([])

    await ask(page, 'Are you well?')
    await page.getByText('out of memory', { exact: false }).waitFor()
    await page.getByRole('note').getByRole('button', { name: 'Ask again' }).click()
    await page.getByText('It is back.').waitFor()
    await ask(page, 'Say it again')
    await page.getByText('again and again again and again').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    await page.getByText('again and again again and again').waitFor()

    await button(page, 'Model: Recommended').click()
    await page.getByRole('menuitemradio', { name: 'Recommended, now scripted' }).waitFor()
    await page.getByRole('menuitem', { name: 'Another…' }).click()
    await page.getByLabel('Name of the model').fill('large')
    await button(page, 'Use').click()
    await button(page, 'Model: large').waitFor()
    await eventually(async () => {
      const id = page.url().split('/').at(-1)!
      const [row] = await app.workspace.sql`select model from conversations where id = ${id}`
      return row!.model === 'large'
    })
    await ask(page, 'And now?')
    await page.getByText('By another one.').waitFor()
    expect(model.asked.at(-1)!.model).toBe('large')
    await page.getByRole('button', { name: 'More about this conversation' }).click()
    await page.getByText(/^Used \$/).waitFor()
    await page.getByRole('menuitemcheckbox', { name: 'Tool activity' }).waitFor()
  })

  test('a shared conversation is live for a viewer on a phone, who only reads, until it is private again', async () => {
    const { page, join, open } = await setUp()
    model.script({ text: 'First.' }, { text: 'Second.' })
    await ask(page, 'One?')
    await page.getByText('First.').waitFor()
    const viewer = await open(await join('Grace Hopper', 'viewer'), 'conversations', { width: 360, touch: true })
    await viewer.getByText('No conversations yet.').waitFor()
    await menu(page, 'Share with the project')
    await viewer.getByText('One?').click()
    await viewer.getByText('First.').waitFor()
    await ask(page, 'Two?')
    await viewer.getByText('Second.').waitFor()
    await viewer.getByText(/shares this conversation with the project/).waitFor()
    expect(await field(viewer).count()).toBe(0)
    expect(await findingsOn(viewer)).toEqual([])
    await menu(page, 'Keep private')
    await viewer.reload()
    await viewer.getByText('The conversation could not be loaded.', { exact: false }).waitFor()
  })

  test('a question is asked again in other words, conversations are found, renamed, deleted and brought back', async () => {
    const { page, create, project, email } = await setUp()
    await create(['Coupon field'])
    await page.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await page.getByRole('button', { name: 'More about WO-1' }).click()
    await page.getByRole('menuitem', { name: 'Ask about this' }).click()
    await eventually(async () => (await field(page).inputValue()).includes('[WO-1 Coupon field]('))
    model.script({ text: 'It takes codes.' }, { text: 'In short: codes.' })
    await page.keyboard.press('Enter')
    await page.getByText('It takes codes.').waitFor()
    await page.getByRole('button', { name: 'Edit and ask again' }).click()
    await page.getByLabel('Ask in other words').fill('In short?')
    await page.keyboard.press('Enter')
    await page.getByText('In short: codes.').waitFor()
    await button(page, 'Version before').click()
    await page.getByText('It takes codes.').waitFor()

    await menu(page, 'Rename…')
    await page.getByLabel('Name', { exact: true }).fill('About coupons')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'About coupons' })
    await row.waitFor()
    await page.getByLabel('Search titles and text').fill('takes? co.es')
    await eventually(
      async () =>
        (await page
          .getByRole('row')
          .filter({ has: page.getByRole('link') })
          .count()) === 1,
    )
    await row.waitFor()
    await page.getByLabel('Search titles and text').fill('(')
    await page.getByRole('alert').filter({ hasText: '(' }).waitFor()
    await page.getByLabel('Search titles and text').fill('')
    await menu(page, 'Delete')
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    expect(await findingsOn(page)).toEqual([])

    const events = Array.from({ length: 4_999 }, (_, at) =>
      said(at % 2 ? 'user' : 'assistant', `Message ${at} of many`),
    )
    const [user] = await app.workspace.sql<{ id: string }[]>`select id from users where email = ${email}`
    const long = await conversationOf(app.workspace, project, { userId: user!.id }, { title: 'Long', events })
    const drawn = () => page.getByRole('log').getByRole('article').count()
    await page.goto(`${app.origin}/p/${project.id}/conversations/${long.conversationId}`)
    await page.getByText('Message 4998 of many').waitFor()
    expect(await page.getByText('Message 4998 of many').isVisible()).toBe(true)
    expect(await drawn()).toBeLessThan(60)
    await page.getByRole('log').hover()
    await eventually(async () => {
      await page.mouse.wheel(0, -4_000)
      return page.getByText('Message 4600 of many').isVisible()
    })
    expect(await drawn()).toBeLessThan(60)
  })

  test('a chat whose server was killed goes on by itself on the open page', async ({ onTestFinished }) => {
    const port = await freePort()
    const dataDir = dataFolder()
    const env = {
      PORT: String(port),
      BOOTSTRAP_EMAIL: 'ada@harbor.example',
      BOOTSTRAP_PASSWORD: 'a long enough pass phrase',
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'scripted',
      MODEL_API_KEY: 'sk-test-of-the-model',
    }
    const url = `http://127.0.0.1:${port}`
    const start = async () => {
      const server = launchServer({ dataDir, env })
      await eventually(async () => (await statusOf(`${url}/readyz`)) === 200, 60_000)
      return server
    }
    const server = await start()
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
    context.setDefaultTimeout(60_000)
    const data = { email: env.BOOTSTRAP_EMAIL, password: env.BOOTSTRAP_PASSWORD }
    expect((await context.request.post(`${url}/v2/app-api/session`, { data })).status()).toBe(201)
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('link', { name: 'Conversations' }).click()
    model.script({ silent: true, after: 'Half an answer' }, { text: 'A whole answer.' })
    await ask(page, 'Will you last?')
    await page.getByText('Half an answer').waitFor()
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    await start()
    const pool = openPool(dataDir)
    await pool.query("update conversations set turn_seen_at = now() - interval '40 seconds' where turn_id is not null")
    await pool.end()
    await page.getByText('A whole answer.').waitFor()
  })
})
