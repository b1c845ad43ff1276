import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addMember, removeMember } from '../projects/index.ts'
import { openPrograms, type Program, REDIRECT } from './program.factory.ts'

let ws: Workspace
let app: Program
beforeAll(async () => {
  ws = await openWorkspace({ baseUrl: 'http://127.0.0.1:3000' })
  app = await openPrograms(ws)
})
afterAll(() => ws.close())

/** What a desktop client keeps of a server. */
function keeper() {
  const kept: { client?: object; tokens?: { access_token: string }; verifier?: string; url?: URL } = {}
  const keep = (more: typeof kept) => {
    Object.assign(kept, more)
  }
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Official client', redirect_uris: [REDIRECT] },
    state: () => 'xyz',
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => keep({ client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: { access_token: string }) => keep({ tokens }),
    redirectToAuthorization: (url: URL) => keep({ url }),
    saveCodeVerifier: (verifier: string) => keep({ verifier }),
    codeVerifier: () => kept.verifier!,
  }
  return { kept, provider }
}

const openTransport = (provider: object, path = '/mcp') =>
  new StreamableHTTPClientTransport(new URL(path, app.origin), { authProvider: provider as never })
const openClient = () => new Client({ name: 'test', version: '1' })

describe('the official client', () => {
  it.each(['/mcp', '/mcp/read'])('connects to %s by address alone, and refreshes its token', async (path) => {
    const project = await ws.project()
    const person = await app.person(project)
    const { kept, provider } = keeper()
    const first = openTransport(provider, path)
    await expect(openClient().connect(first as never)).rejects.toThrow(UnauthorizedError)

    const page = await app.send(kept.url!.pathname + kept.url!.search, {})
    expect(page.status).toBe(302)
    const query = page.headers.get('location')!.slice('/connect-app?'.length)
    const { body: asked } = await person.call('GET', `/connected_apps/request?query=${encodeURIComponent(query)}`)
    expect(asked.data).toMatchObject({ name: 'Official client', destination: '127.0.0.1 (this computer)' })
    const scope = asked.data.scopes.at(-1)
    expect(scope).toBe(path === '/mcp' ? 'full' : 'read')
    const { body } = await person.call('POST', '/connected_apps', { query, scope })
    const answer = new URL(body.data.url)
    expect(answer.origin + answer.pathname).toBe(REDIRECT)
    expect(answer.searchParams.get('state')).toBe('xyz')
    expect(answer.searchParams.get('iss')).toBe(app.origin)
    await first.finishAuth(answer.searchParams.get('code')!)

    const client = openClient()
    await client.connect(openTransport(provider, path) as never)
    const { tools } = await client.listTools()
    expect(tools.some(({ name }) => name === 'create_work_order')).toBe(path === '/mcp')
    const before = kept.tokens!.access_token
    await ws.sql`update oauth_tokens set expires_at = now() where kind = 'access'`
    expect((await client.listTools()).tools.length).toBe(tools.length)
    expect(kept.tokens!.access_token).not.toBe(before)
    await client.close()
  })
})

describe('discovery', () => {
  it('leads from a refusal to the server that gives tokens', async () => {
    for (const path of ['/mcp', '/mcp/read']) {
      const refused = await app.mcp('slipway-at-wrong', 'ping', {}, path)
      expect(refused.status).toBe(401)
      const header = refused.headers.get('www-authenticate')!
      expect(header).toContain('error="invalid_token"')
      const [, at] = /resource_metadata="([^"]+)"/.exec(header)!
      const { body: resource } = await app.send(new URL(at!).pathname, {})
      expect(resource.resource).toBe(app.origin + path)
      const [issuer] = resource.authorization_servers
      for (const suffix of ['', path]) {
        const { body, headers } = await app.send(`/.well-known/oauth-authorization-server${suffix}`, {})
        expect(body).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] })
        expect(headers.get('access-control-allow-origin')).toBe('*')
      }
    }
    expect((await app.send('/.well-known/openid-configuration', {})).status).toBe(404)
  })

  it('uses the public address behind a proxy, whatever Host says', async () => {
    const node = await ws.node({ baseUrl: 'https://slipway.example.org' })
    for (const host of ['slipway.example.org', '127.0.0.1:3000', 'evil.example']) {
      const url = '/.well-known/oauth-authorization-server'
      const { issuer, token_endpoint } = (await node.inject({ url, headers: { host } })).json()
      expect([issuer, token_endpoint]).toEqual([
        'https://slipway.example.org',
        'https://slipway.example.org/oauth/token',
      ])
    }
    const { headers } = await node.inject({ method: 'POST', url: '/mcp', payload: {} })
    expect(headers['www-authenticate']).toContain(
      'resource_metadata="https://slipway.example.org/.well-known/oauth-protected-resource/mcp"',
    )
  })

  it('believes a Host on a machine of its own only if it is a loopback name', async () => {
    for (const [host, issuer] of [
      ['localhost:3000', 'http://localhost:3000'],
      ['evil.example', 'http://127.0.0.1:3000'],
      ['localhost.evil.example', 'http://127.0.0.1:3000'],
    ]) {
      const answer = await ws.app.inject({ url: '/.well-known/oauth-authorization-server', headers: { host: host! } })
      expect(answer.json().issuer).toBe(issuer)
    }
  })
})

describe('registration', () => {
  it('takes https, loopback and app addresses, and keeps no secret', async () => {
    const redirect_uris = ['https://claude.ai/api/callback', 'http://localhost/', 'cursor://anysphere.cursor/callback']
    const { status, body } = await app.register({ redirect_uris, token_endpoint_auth_method: 'client_secret_basic' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ redirect_uris, token_endpoint_auth_method: 'none', client_name: 'claude.ai' })
    expect(body.client_secret).toBeUndefined()
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ms-msdt:/id',
    'http://evil.example/callback',
    'http://localhost.evil.example/callback',
    'https://evil.example/#fragment',
    'https://user:password@evil.example/',
    'https://evil.example\\@good.example/',
    'nothing',
  ])('refuses the redirect address %s', async (uri) => {
    const { status, body } = await app.register({ redirect_uris: [uri] })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  it('refuses what is too much or makes no sense', async () => {
    const redirect_uris = [REDIRECT]
    for (const metadata of [
      {},
      { redirect_uris: [] },
      { redirect_uris: Array.from({ length: 21 }, () => REDIRECT) },
      { redirect_uris, client_name: 'x'.repeat(201) },
      { redirect_uris, grant_types: ['implicit'] },
      { redirect_uris, response_types: ['token'] },
    ]) {
      const { status, body } = await app.register(metadata)
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
    }
    expect((await app.register({ redirect_uris, logo: 'x'.repeat(20_000) })).status).toBe(413)
  })

  it('removes marks that make a name look like another one', async () => {
    const { body } = await app.register({ redirect_uris: [REDIRECT], client_name: ' Cl\u202eaude\u200b\n Code ' })
    expect(body.client_name).toBe('Claude Code')
  })

  it('is limited for each address, and the table in size', async () => {
    const other = await ws.node({ trustProxy: () => true })
    const flood = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      const payload = { redirect_uris: [REDIRECT] }
      return other.inject({ method: 'POST', url: '/oauth/register', headers, payload })
    }
    for (let count = 0; count < 20; count++) expect((await flood('203.0.113.7')).statusCode).toBe(201)
    const refused = await flood('203.0.113.7')
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await flood('198.51.100.1')).statusCode).toBe(201)

    const old = await app.register({ redirect_uris: [REDIRECT] })
    await ws.sql`update oauth_clients set created_at = now() - interval '1 day' where id = ${old.body.client_id}`
    await ws.sql`insert into oauth_clients (id, name, redirect_uris)
      select gen_random_uuid(), 'flood', '{}' from generate_series(1, 10000)`
    await flood('198.51.100.2')
    const [{ count, kept }] = await ws.sql<[{ count: number; kept: boolean }]>`
      select count(*)::int as count, bool_or(id = ${old.body.client_id}) as kept from oauth_clients where not used`
    expect([count, kept]).toEqual([10_000, false])
    await ws.sql`delete from oauth_clients where name = 'flood'`
  })
})

describe('an authorization request', () => {
  it('of an unknown program or to a foreign address stays with the person', async () => {
    const person = await app.person(await ws.project())
    const other = await app.program()
    for (const change of [
      { client_id: '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81' },
      { client_id: 'javascript:alert(1)' },
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: `${REDIRECT}/../evil` },
      { redirect_uri: 'http://localhost:4711/callback' },
      { redirect_uri: 'http://127.0.0.1:4711@evil.example/callback' },
      { redirect_uri: `${REDIRECT}?more=1` },
      { redirect_uri: 'javascript:alert(1)' },
      { client_id: other.clientId, redirect_uri: 'https://evil.example/' },
    ]) {
      const one = await app.program(change)
      const { status, headers } = await one.authorize()
      expect([status, headers.get('location')!.startsWith('/connect-app?')]).toEqual([302, true])
      expect((await one.allow(person)).status).toBe(400)
    }
  })

  it('may use any port of a loopback address', async () => {
    const person = await app.person(await ws.project())
    const redirect_uri = 'http://127.0.0.1:50123/callback'
    const one = await app.program({ redirect_uri })
    const { body } = await one.allow(person)
    expect(body.data.url).toMatch(/^http:\/\/127\.0\.0\.1:50123\/callback\?code=/)
    const code = new URL(body.data.url).searchParams.get('code')!
    expect((await app.form('/oauth/token', { ...one.exchange, redirect_uri, code })).status).toBe(200)
  })

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE of no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['with a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another server', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['for another address here', { resource: 'http://127.0.0.1:3000/v2/external-api' }, 'invalid_target'],
  ])('%s is refused, and the program learns why once somebody has approved it', async (_what, change, error) => {
    const person = await app.person(await ws.project())
    const one = await app.program(change)
    const shown = await one.authorize()
    expect(shown.headers.get('location')).toBe(`/connect-app?${one.query}`)
    const approved = await app.connect(person)
    const again = new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(one.query)),
      client_id: approved.clientId,
    })
    const { headers } = await app.send(`/oauth/authorize?${again}`, {})
    const answer = new URL(headers.get('location')!)
    expect(answer.origin + answer.pathname).toBe(REDIRECT)
    expect(answer.searchParams.get('error')).toBe(error)
    expect(answer.searchParams.get('state')).toBe('a b&c=d/#')
    expect(answer.searchParams.get('iss')).toBe(app.origin)
    expect((await one.allow(person)).status).toBe(400)
  })

  it('is decided only by someone who is signed in, is a member, and is on a page of ours', async () => {
    const project = await ws.project()
    const one = await app.program()
    const stranger = await app.person(await ws.project())
    stranger.at(project)
    expect((await one.allow(stranger)).status).toBe(404)
    const member = await app.person(project)
    const cookie = [...member.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const post = (headers: Record<string, string>) =>
      ws.app.inject({
        method: 'POST',
        url: '/v2/app-api/connected_apps',
        headers: { host: app.host, 'x-project-id': project.id, ...headers },
        payload: { query: one.query, scope: 'full' },
      })
    expect((await post({})).statusCode).toBe(401)
    expect((await post({ cookie, origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await post({ cookie, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await post({ cookie, origin: app.origin })).statusCode).toBe(201)
  })

  it('gives no more than it asks for', async () => {
    const person = await app.person(await ws.project())
    const one = await app.program({ scope: 'read' })
    expect((await one.allow(person, 'full')).status).toBe(422)
    expect((await one.allow(person, 'read')).status).toBe(201)
    const reading = await app.program({ resource: `${app.origin}/mcp/read` })
    expect((await reading.allow(person, 'full')).status).toBe(422)
  })
})

describe('a code', () => {
  it('works once; if it comes twice, the access that came of it ends', async () => {
    const person = await app.person(await ws.project())
    const { exchange, code, tokens } = await app.connect(person)
    expect((await app.mcp(tokens.access_token, 'ping')).status).toBe(200)
    const again = await app.form('/oauth/token', { ...exchange, code })
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    expect((await app.mcp(tokens.access_token, 'ping')).status).toBe(401)
  })

  it.each([
    ['another program', async () => ({ client_id: (await app.program()).clientId })],
    ['another redirect address', () => ({ redirect_uri: 'http://127.0.0.1:4711/other' })],
    ['another verifier', () => ({ code_verifier: 'x'.repeat(43) })],
  ])('of %s is refused and worth nothing after that', async (_what, change) => {
    const person = await app.person(await ws.project())
    const one = await app.program()
    const code = await app.codeFor(one, person)
    const stolen = await app.form('/oauth/token', { ...one.exchange, code, ...(await change()) })
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    expect((await app.form('/oauth/token', { ...one.exchange, code })).body.error).toBe('invalid_grant')
  })

  it('is not exchanged for another resource, nor without what belongs to it', async () => {
    const person = await app.person(await ws.project())
    const one = await app.program()
    const code = await app.codeFor(one, person)
    for (const [change, error] of [
      [{ resource: `${app.origin}/mcp/read` }, 'invalid_target'],
      [{ resource: 'https://elsewhere.example/' }, 'invalid_target'],
      [{ code_verifier: undefined }, 'invalid_request'],
      [{ client_id: undefined }, 'invalid_request'],
      [{ client_id: 'unknown' }, 'invalid_client'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ] as const)
      expect((await app.form('/oauth/token', { ...one.exchange, code, ...change })).body.error).toBe(error)
    const { status, headers } = await app.form('/oauth/token', { ...one.exchange, code })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  it('expires after a minute', async () => {
    const person = await app.person(await ws.project())
    const one = await app.program()
    const code = await app.codeFor(one, person)
    await ws.sql`update oauth_tokens set expires_at = expires_at - interval '61 seconds' where kind = 'code'`
    expect((await app.form('/oauth/token', { ...one.exchange, code })).body.error).toBe('invalid_grant')
  })

  it('is exchanged once even if two ask at the same time', async () => {
    const person = await app.person(await ws.project())
    const one = await app.program()
    const code = await app.codeFor(one, person)
    const ask = () => app.form('/oauth/token', { ...one.exchange, code })
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('a token', () => {
  it('acts as the person with their rights, and events name the program', async () => {
    const project = await ws.project()
    const person = await app.person(project, 'editor')
    const { tokens } = await app.connect(person)
    const { body } = await app.mcp(tokens.access_token, 'tools/call', {
      name: 'create_work_order',
      arguments: { title: 'Round the total once' },
    })
    expect(body.result.isError).toBe(false)
    const events = await ws.sql<{ kind: string; user_id: string; origin: string }[]>`
      select kind, user_id, origin from events where project_id = ${project.id} and user_id = ${person.user.id}
      and kind in ('work_order.created', 'connected_app.added') order by id`
    expect(events).toMatchObject([
      { kind: 'connected_app.added', user_id: person.user.id, origin: 'user' },
      { kind: 'work_order.created', user_id: person.user.id, origin: 'mcp' },
    ])
    const { body: changes } = await person.call('GET', '/changes?kind=work_order.created')
    expect(changes.items[0].actor).toMatchObject({ name: 'Harbor Agent', on_behalf_of: { name: 'Ada Lovelace' } })
  })

  it('that may only read changes nothing, also with the rights of an admin', async () => {
    const person = await app.person(await ws.project(), 'admin')
    const { tokens } = await app.connect(person, { scope: 'read' })
    expect(tokens.scope).toBe('read')
    const { body } = await app.mcp(tokens.access_token, 'tools/list')
    expect(body.result.tools.every((tool: { annotations: object }) => 'readOnlyHint' in tool.annotations)).toBe(true)
    expect(body.result.tools.map(({ name }: { name: string }) => name)).not.toContain('create_work_order')
    const called = await app.mcp(tokens.access_token, 'tools/call', {
      name: 'create_work_order',
      arguments: { title: 'x' },
    })
    expect(called.body.result.isError).toBe(true)
  })

  it('of a viewer changes nothing, whatever it was allowed', async () => {
    const { tokens } = await app.connect(await app.person(await ws.project(), 'viewer'))
    const called = await app.mcp(tokens.access_token, 'tools/call', {
      name: 'create_work_order',
      arguments: { title: 'x' },
    })
    expect(called.body.result).toMatchObject({ isError: true })
    expect(called.body.result.content[0].text).toContain('viewer')
  })

  it('is good only for its own address, and for no other API', async () => {
    const person = await app.person(await ws.project())
    const { tokens } = await app.connect(person)
    const reading = await app.connect(person, { resource: `${app.origin}/mcp/read`, scope: 'read' })
    expect((await app.mcp(tokens.access_token, 'ping', {}, '/mcp/read')).status).toBe(401)
    expect((await app.mcp(reading.tokens.access_token, 'ping', {}, '/mcp')).status).toBe(401)
    expect((await app.mcp(reading.tokens.access_token, 'ping', {}, '/mcp/read')).status).toBe(200)
    for (const wrong of [tokens.refresh_token, reading.code]) expect((await app.mcp(wrong, 'ping')).status).toBe(401)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await app.send('/v2/external-api/users', { headers })).status).toBe(401)
    expect((await app.send('/v2/app-api/connected_apps', { headers })).status).toBe(401)
  })

  it('expires after an hour, and is stored only as a hash', async () => {
    const { tokens } = await app.connect(await app.person(await ws.project()))
    const stored = JSON.stringify(await ws.sql`select * from oauth_tokens`)
    expect(stored).not.toContain(tokens.access_token)
    expect(stored).not.toContain(tokens.refresh_token)
    await ws.sql`update oauth_tokens set expires_at = expires_at - interval '1 hour' where kind = 'access'`
    expect((await app.mcp(tokens.access_token, 'ping')).status).toBe(401)
  })

  it('is not taken from a page of another site', async () => {
    const { tokens } = await app.connect(await app.person(await ws.project()))
    const headers = { authorization: `Bearer ${tokens.access_token}`, origin: 'https://evil.example' }
    expect((await app.send('/mcp', { method: 'POST', headers, body: '{}' })).status).toBe(403)
  })

  it('is limited like a key', async () => {
    const person = await app.person(await ws.project())
    const { tokens } = await app.connect(person)
    const node = await ws.node({ rateLimitExternal: 2 })
    const ping = () =>
      node.inject({
        method: 'POST',
        url: '/mcp',
        headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json, text/event-stream' },
        payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
      })
    expect([(await ping()).statusCode, (await ping()).statusCode, (await ping()).statusCode]).toEqual([200, 200, 429])
  })
})

describe('a refresh token', () => {
  const refresh = (one: { clientId: string }, refresh_token: string, change: object = {}) =>
    app.form('/oauth/token', { grant_type: 'refresh_token', client_id: one.clientId, refresh_token, ...change })

  it('is replaced at every use; an old one that comes again ends everything', async () => {
    const project = await ws.project()
    const one = await app.connect(await app.person(project))
    const second = (await refresh(one, one.tokens.refresh_token)).body
    expect((await app.mcp(one.tokens.access_token, 'ping')).status).toBe(401)
    expect((await app.mcp(second.access_token, 'ping')).status).toBe(200)
    expect((await refresh(one, one.tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await app.mcp(second.access_token, 'ping')).status).toBe(401)
    expect((await refresh(one, second.refresh_token)).body.error).toBe('invalid_grant')
    const [event] = await ws.sql<{ payload: object }[]>`
      select payload from events where project_id = ${project.id} and kind = 'connected_app.removed'`
    expect(event!.payload).toMatchObject({ reason: 'token_reused', name: 'Harbor Agent' })
  })

  it('of another program is refused', async () => {
    const one = await app.connect(await app.person(await ws.project()))
    const other = await app.program()
    expect((await refresh(other, one.tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(one, one.tokens.access_token)).body.error).toBe('invalid_grant')
  })

  it('of a program whose registration is gone says so, and the program registers again', async () => {
    const one = await app.connect(await app.person(await ws.project()))
    await ws.sql`delete from oauth_clients where id = ${one.clientId}`
    expect((await refresh(one, 'slipway-rt-unknown')).body.error).toBe('invalid_client')
  })
})

describe('access ends', () => {
  it('when the person revokes it', async () => {
    const project = await ws.project()
    const person = await app.person(project)
    const { tokens } = await app.connect(person)
    const { body } = await person.call('GET', '/connected_apps')
    expect(body.items).toMatchObject([
      { name: 'Harbor Agent', destination: '127.0.0.1 (this computer)', scope: 'full', project: { id: project.id } },
    ])
    const other = await app.person(project, 'admin')
    expect((await other.call('GET', '/connected_apps')).body.items).toEqual([])
    expect((await other.call('DELETE', `/connected_apps/${body.items[0].id}`)).status).toBe(404)
    expect((await person.call('DELETE', `/connected_apps/${body.items[0].id}`)).status).toBe(204)
    expect((await app.mcp(tokens.access_token, 'ping')).status).toBe(401)
    expect((await person.call('GET', '/connected_apps')).body.items).toEqual([])
  })

  it('when the program gives it back', async () => {
    const one = await app.connect(await app.person(await ws.project()))
    const other = await app.program()
    const revoke = (token: string, client_id: string) => app.form('/oauth/revoke', { token, client_id })
    expect((await revoke(one.tokens.refresh_token, other.clientId)).status).toBe(200)
    expect((await app.mcp(one.tokens.access_token, 'ping')).status).toBe(200)
    expect((await revoke('unknown', one.clientId)).status).toBe(200)
    expect((await revoke(one.tokens.refresh_token, one.clientId)).status).toBe(200)
    expect((await app.mcp(one.tokens.access_token, 'ping')).status).toBe(401)
  })

  it('when the person leaves the project, also if they return', async () => {
    const project = await ws.project()
    const person = await app.person(project)
    const one = await app.connect(person)
    await removeMember(project.operator, person.user)
    expect((await app.mcp(one.tokens.access_token, 'ping')).status).toBe(401)
    await addMember(project.operator, person.user.id, 'editor')
    expect((await app.mcp(one.tokens.access_token, 'ping')).status).toBe(401)
    const [event] = await ws.sql<{ payload: object }[]>`
      select payload from events where project_id = ${project.id} and kind = 'connected_app.removed'`
    expect(event!.payload).toMatchObject({ reason: 'member_removed' })
  })

  it('when nobody used it for 90 days', async () => {
    const person = await app.person(await ws.project())
    await app.connect(person)
    await ws.sql`update oauth_tokens set expires_at = now() - interval '1 second'`
    const job = ws.deps.wiring.jobs.get('forget_expired_tokens')!
    await job.run({}, ws.deps)
    expect((await person.call('GET', '/connected_apps')).body.items).toEqual([])
  })

  it('of what the same program had before, when it is connected again', async () => {
    const person = await app.person(await ws.project())
    const one = await app.connect(person)
    const code = await app.codeFor(one, person)
    const { status } = await app.form('/oauth/token', { ...one.exchange, code })
    expect(status).toBe(200)
    expect((await person.call('GET', '/connected_apps')).body.items).toHaveLength(1)
    expect((await app.mcp(one.tokens.access_token, 'ping')).status).toBe(401)
  })
})
