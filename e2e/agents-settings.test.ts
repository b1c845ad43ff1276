import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scriptedModel } from '../server/src/product/conversations/scripted-model.factory.ts'
import { settingsWith } from '../server/src/product/conversations/turns/agent.factory.ts'
import { mcpServer } from '../server/src/product/integrations/mcp-server.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('what works here beside people', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp({ settings: settingsWith({ env: { MODEL_PRIVATE_HOSTS: 'on', MCP_PRIVATE_HOSTS: 'on' } }) })
  })
  afterAll(() => app.close())

  /** A coding agent: the official client of MCP with a key. */
  async function agent(key: string, title: string) {
    const client = new Client({ name: 'harbor-coder', title, version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.origin), { requestInit }) as never)
    onTestFinished(() => client.close())
    return (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input })
  }

  test('an agent is connected with one line; its first call, its claims and its name are seen by others until it is revoked', async () => {
    const { email, project, create, join } = await app.team('Ada Lovelace', 'admin')
    await create(['Round the total once'])
    const ada = await app.page({ as: email })
    await ada.goto(`${app.origin}/p/${project.id}/settings/agents`)
    const card = ada.getByRole('region', { name: 'Connect an agent' })
    await card.getByText(`claude mcp add --transport http slipway ${app.origin}/mcp`, { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Only reads' }).click()
    await card.getByText(`claude mcp add --transport http slipway ${app.origin}/mcp/read`, { exact: true }).waitFor()
    await card.getByRole('button', { name: 'VS Code' }).click()
    await card.getByText(`"url":"${app.origin}/mcp/read"`).waitFor()
    await card.getByText('Its first call is shown here.').waitFor()
    await card.getByRole('button', { name: 'Copy' }).click()
    await card.getByText('Waiting for its first call…').waitFor()
    expect(await findingsOn(ada)).toEqual([])

    const made = await ada.request.post(`${app.origin}/v2/app-api/api_keys`, {
      data: { kind: 'external', name: 'Coding agents' },
      headers: { 'x-project-id': project.id },
    })
    const call = await agent((await made.json()).data.key, 'Claude Code')
    await call('claim_work_order')
    await card.getByText('First call received').waitFor()
    await card.getByText('claim_work_order').waitFor()
    const row = ada.getByRole('row', { name: /Coding agents/ })
    await row.getByRole('link', { name: /WO-1/ }).waitFor()
    await row.getByRole('img', { name: /Calls a day of Coding agents: .* 1$/ }).waitFor()
    expect(await findingsOn(ada)).toEqual([])

    const grace = await app.page({ as: await join('Grace Hopper'), width: 360, height: 740 })
    await grace.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await grace.getByText('Claimed by Claude Code').waitFor()
    await grace.getByText(/For Ada Lovelace/).waitFor()

    await row.getByRole('button', { name: 'Revoke Coding agents' }).click()
    const dialog = ada.getByRole('dialog', { name: 'Revoke “Coding agents”?' })
    await dialog.getByText('It gives back WO-1').waitFor()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Ended Today').waitFor()
    await grace.getByText('Claimed by Claude Code').waitFor({ state: 'detached' })
    await grace.getByText(/because they ended the access of its agent/).waitFor()
    await expect.poll(() => call('find_work_orders').then(() => 'served', String)).toMatch(/401|API key/)
  })

  test('a viewer is told why agents of theirs only read, on a phone', async () => {
    const { email, project } = await app.team('Vera Rubin', 'viewer')
    const vera = await app.page({ as: email, width: 360, height: 740, touch: true })
    await vera.goto(`${app.origin}/p/${project.id}/settings/agents`)
    await vera.getByText('You are a viewer here, so your agents only read').waitFor()
    await vera.getByText(`${app.origin}/mcp/read`).waitFor()
    await vera.getByText('No agent is connected.').waitFor()
    expect(await vera.getByRole('button', { name: 'Reads and writes' }).count()).toBe(0)
    expect(await findingsOn(vera)).toEqual([])
    expect(await vera.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })

  test('an admin gives the project a model and a budget; everyone sees what was used, and why they cannot change it', async () => {
    const model = await scriptedModel()
    model.script({ status: 401 }, { text: 'OK' })
    const { email, project, join } = await app.team('Ada Lovelace', 'admin')
    const ada = await app.page({ as: email })
    await ada.goto(`${app.origin}/p/${project.id}/settings/models`)
    await ada.getByText('the operator has set none').waitFor()
    await ada.getByText('No agent used a model in this month.').waitFor()
    const grace = await app.page({ as: await join('Grace Hopper'), width: 360, height: 740, touch: true })
    await grace.goto(`${app.origin}/p/${project.id}/settings/models`)
    await grace.getByText('Admins of the project choose its model.').waitFor()

    await ada.getByRole('radio', { name: /Your own endpoint/ }).click()
    const form = ada.getByRole('dialog', { name: 'Your own endpoint' })
    await form.getByLabel('Address').fill(model.url)
    await form.getByLabel('Model').fill('harbor-small')
    await form.getByLabel('Key', { exact: true }).fill('sk-of-the-project')
    await form.getByLabel('Price of a million input tokens').fill('1000')
    await form.getByLabel('and of output tokens').fill('5000')
    await form.getByRole('button', { name: 'Test and use' }).click()
    await form
      .getByRole('alert')
      .getByText(/refuses the key it was given/)
      .waitFor()
    expect(await findingsOn(ada)).toEqual([])
    await form.getByRole('button', { name: 'Test and use' }).click()
    await form.waitFor({ state: 'detached' })
    await ada.getByText(`harbor-small at ${model.url}`).waitFor()
    await ada.getByRole('button', { name: 'Test', exact: true }).click()
    await ada.getByText(/harbor-small answers, in \d+ ms/).waitFor()
    expect(model.asked.at(-1)!.authorization).toBe('Bearer sk-of-the-project')

    // Two answers of 100 tokens in and 20 out.
    await ada.getByRole('row', { name: /Conversations .*0\.40/ }).waitFor()
    await ada.getByLabel('A month').fill('0.45')
    await ada.getByRole('button', { name: 'Save' }).click()
    await ada.getByRole('meter', { name: 'Budget used' }).waitFor()
    await ada.getByText('At 0.36, admins are told.').waitFor()
    await ada.getByRole('button', { name: 'Person' }).click()
    await ada.getByRole('row', { name: /Ada Lovelace .*0\.40/ }).waitFor()
    expect(await findingsOn(ada)).toEqual([])

    await grace.getByText(`harbor-small at ${model.url}`).waitFor()
    await grace.getByText('of 0.45').waitFor()
    expect(await grace.getByLabel('A month').isDisabled()).toBe(true)
    expect(await findingsOn(grace)).toEqual([])
    expect(await grace.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })

  test('a member connects an MCP server, sees its tools and its health, and an admin disconnects it', async () => {
    const { url } = await mcpServer('ticket-token')
    const { email, project, join } = await app.team('Ada Lovelace')
    const ada = await app.page({ as: email })
    await ada.goto(`${app.origin}/p/${project.id}/settings/integrations`)
    await ada.getByText('Integrations give agents tools of other programs').waitFor()
    await ada.keyboard.press('c')
    const form = ada.getByRole('dialog', { name: 'New integration' })
    await form.getByLabel('Name').fill('Tickets')
    await form.getByLabel('Address of the MCP server').fill(url)
    await form.getByRole('button', { name: 'Test and connect' }).click()
    await form
      .getByRole('alert')
      .getByText(/cannot be used/)
      .waitFor()
    await form.getByLabel('Token', { exact: true }).fill('ticket-token')
    await form.getByRole('button', { name: 'Test and connect' }).click()
    await form.waitFor({ state: 'detached' })
    const row = ada.getByRole('row', { name: /Tickets/ })
    await row.getByText('Answers').waitFor()
    await row.getByText('4 tools').click()
    await row.getByText('look up').waitFor()
    expect(await findingsOn(ada)).toEqual([])
    await app.workspace.sql`update integrations set url = ${url.replace(/:\d+/, ':1')} where project_id = ${project.id}`
    await row.getByRole('button', { name: 'Test Tickets' }).click()
    await row.getByText('Fails').waitFor()

    const boss = await app.page({ as: await join('Grace Hopper', 'admin'), width: 360, height: 740, touch: true })
    await boss.goto(`${app.origin}/p/${project.id}/settings/integrations`)
    await boss.getByText('of Ada Lovelace').waitFor()
    expect(await findingsOn(boss)).toEqual([])
    await boss.getByRole('button', { name: 'More for Tickets' }).click()
    await boss.getByRole('menuitem', { name: 'Disconnect…' }).click()
    await boss.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await ada.getByText('Integrations give agents tools of other programs').waitFor()
  })
})
