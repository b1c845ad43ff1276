import { createHmac, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openVisitor, type Visitor } from '../../src/faces/app-api/visitor.factory.ts'
import { settingsWith } from '../../src/product/conversations/turns/agent.factory.ts'
import { mcpServer } from '../../src/product/integrations/mcp-server.factory.ts'
import { openPrograms } from '../../src/product/oauth/program.factory.ts'
import { openWorkspace, type Workspace } from '../harness.ts'

const SECRET_KEY = 'the-key-of-this-installation-which-no-table-has'
const TOKEN_OF_INTEGRATION = 'token-that-opens-the-tickets-of-somebody'
const NEW_PASSWORD = 'nine purple elephants'

let ws: Workspace
beforeEach(async () => {
  ws = await openWorkspace({
    baseUrl: 'http://127.0.0.1',
    settings: settingsWith({
      env: { MCP_PRIVATE_HOSTS: 'on', WEBHOOK_PRIVATE_HOSTS: 'on' },
      secretKey: () => Promise.resolve(SECRET_KEY),
    }),
  })
})
afterEach(() => ws.close())

interface Cookie {
  token: string
  signature: string
}

function cookieOf(visitor: Visitor): Cookie {
  const value = decodeURIComponent(visitor.jar.get('slipway.session_token')!)
  const dot = value.lastIndexOf('.')
  return { token: value.slice(0, dot), signature: value.slice(dot + 1) }
}

/** Does everything that hands a secret to somebody, or takes one from them, and returns the secrets by name. */
async function useSecrets() {
  const programs = await openPrograms(ws)
  const project = await ws.project()
  const admin = await programs.person(project, 'admin')
  const post = async (path: string, body: object = {}) => {
    const res = await admin.call('POST', path, body, { 'idempotency-key': randomUUID() })
    expect(res.status, path).toBeLessThan(300)
    return res.body?.data
  }
  const external = await post('/api_keys', { name: 'Release bot' })
  const reporting = await post('/api_keys', { name: 'Shop', kind: 'reporting' })
  const rotated = await post(`/api_keys/${external.id}/rotate`)
  const { url } = await post('/invitations', { role: 'editor' })
  const invitation = (url as string).split('/').at(-1)!

  const newcomer = openVisitor(ws.app, { host: programs.host })
  const person = { display_name: 'Hedy', email: 'hedy@example.org', password: 'seven green walruses' }
  expect((await newcomer.call('POST', '/invitations/accept', { token: invitation, newcomer: person })).status).toBe(201)
  const cookies = { admin: cookieOf(admin), newcomer: cookieOf(newcomer), again: cookieOf(newcomer) }
  const change = { current_password: person.password, password: NEW_PASSWORD }
  expect((await newcomer.call('POST', '/account/password', change)).status).toBe(200)
  await newcomer.call('DELETE', '/session')
  expect((await newcomer.signIn(person.email, NEW_PASSWORD)).status).toBe(201)
  cookies.again = cookieOf(newcomer)

  const app = await programs.connect(admin)
  const other = await programs.program()
  const allowed = await post('/connected_apps', { query: other.query, scope: 'full' })
  const refreshed = await programs.form('/oauth/token', {
    grant_type: 'refresh_token',
    client_id: app.clientId,
    refresh_token: app.tokens.refresh_token,
  })
  const webhook = await post('/webhooks', { name: 'Board', url: 'http://127.0.0.1:9/hook' })
  const webhookAgain = await post(`/webhooks/${webhook.webhook.id}/rotate_secret`)
  const host = await post('/code_hosts', { kind: 'github', name: 'shop/checkout' })
  const hostAgain = await post(`/code_hosts/${host.code_host.id}/rotate_secret`)
  const server = await mcpServer(TOKEN_OF_INTEGRATION)
  await post('/integrations', { display_name: 'Tickets', url: server.url, token: TOKEN_OF_INTEGRATION })

  const secrets: Record<string, string> = {
    'the external key': external.key,
    'the rotated key': rotated.key,
    'the reporting key': reporting.key,
    'the key of a test': project.admin.key,
    'the invite token': invitation,
    'the first password': person.password,
    'the changed password': NEW_PASSWORD,
    'the code of an app': app.code,
    'the code of another app': new URL(allowed.url).searchParams.get('code')!,
    'the access token': app.tokens.access_token,
    'the refresh token': app.tokens.refresh_token,
    'the next access token': refreshed.body.access_token,
    'the next refresh token': refreshed.body.refresh_token,
    'the webhook secret': webhook.secret,
    'the next webhook secret': webhookAgain.secret,
    'the secret of the code host': host.secret,
    'the next secret of the code host': hostAgain.secret,
    'the token of the integration': TOKEN_OF_INTEGRATION,
    'the secret key': SECRET_KEY,
  }
  for (const [name, { token, signature }] of Object.entries(cookies)) {
    secrets[`the session token (${name})`] = token
    secrets[`the signature of the cookie (${name})`] = signature
  }
  return { secrets, cookies: Object.values(cookies) }
}

/** Every row of every table, the queue's included, as text. */
async function dump(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await ws.sql.pool.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  const found = []
  for (const { name } of tables) {
    const { rows } = await ws.sql.pool.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
    found.push(...rows.map(({ row }) => ({ table: name, row })))
  }
  return found
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('a dump of the database holds no secret that was handed out, and nothing that signs a cookie', async () => {
  const { secrets, cookies } = await useSecrets()
  const rows = await dump()
  expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThan(20)
  const leaks = Object.entries(secrets).flatMap(([name, secret]) => {
    expect(secret, name).toMatch(/.{12}/)
    // Columns of bytes are shown in hexadecimal digits.
    const forms = [JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('hex')]
    return rows.filter(({ row }) => forms.some((form) => row.includes(form))).map(({ table }) => `${name} in ${table}`)
  })
  const texts = new Set(rows.flatMap(({ row }) => textsIn(JSON.parse(row))))
  for (const { token, signature } of cookies)
    for (const text of texts)
      if (createHmac('sha256', text).update(token).digest('base64') === signature)
        leaks.push('what signs cookies in some table')
  expect([...new Set(leaks)]).toEqual([])
})
