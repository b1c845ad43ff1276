import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('what works here beside people', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
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
})
