import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { environmentReader } from '../../kernel/environment.ts'
import { addUser, readOidc } from '../../product/accounts/index.ts'
import { type Behavior, type Issuer, openIssuer } from './oidc-issuer.factory.ts'
import { newAddress, openVisitor, PASSWORD, signedInMember, type Visitor } from './visitor.factory.ts'

let workspace: Workspace
let issuer: Issuer
let subjects = 0
beforeAll(async () => {
  issuer = await openIssuer()
  const { url, clientId, clientSecret } = issuer
  workspace = await openWorkspace({
    oidc: { issuer: url, clientId, clientSecret, name: 'Keycloak', trustEmail: false },
  })
})
afterAll(async () => {
  await workspace.close()
  await issuer.close()
})

const claimsOf = (email: string, more = {}) => ({
  sub: `subject ${++subjects}`,
  email,
  email_verified: true,
  name: 'Hedy Lamarr',
  ...more,
})

/** Goes to the issuer and back, as a browser does. Returns where it ends. */
async function come(visitor: Visitor, behavior: Behavior, body: object = {}): Promise<string> {
  issuer.behavior = behavior
  const started = await visitor.call('POST', '/session/single_sign_on', body)
  expect(started.status).toBe(200)
  const sent = await fetch(started.body.data.url, { redirect: 'manual' })
  const back = new URL(sent.headers.get('location')!)
  expect(back.origin).toBe('http://slipway.test')
  const ended = await visitor.call('GET', `${back.pathname}${back.search}`)
  expect(ended.status).toBe(302)
  return String(ended.headers.location)
}

async function addPerson(isAddressClaimed = false) {
  const { organizationId } = await workspace.project()
  const person = { email: newAddress(), name: 'Ada Lovelace', organizationId, role: 'member' as const }
  return addUser(workspace.operator, { ...person, password: PASSWORD, isAddressClaimed })
}

const sessionOf = async (visitor: Visitor) => (await visitor.call('GET', '/session')).body.data

describe('single sign-on', () => {
  test('is offered where it is configured', async () => {
    const plain = await openWorkspace()
    const options = async (app: Workspace['app']) =>
      (await openVisitor(app).call('GET', '/session/options')).body.data.single_sign_on
    expect(await options(workspace.app)).toEqual({ name: 'Keycloak' })
    expect(await options(plain.app)).toBeNull()
    expect((await openVisitor(plain.app).call('POST', '/session/single_sign_on', {})).status).toBe(404)
    await plain.close()
  })

  test('is configured completely or not at all', () => {
    const read = (env: Record<string, string>) => readOidc(environmentReader(env))
    const full = { OIDC_ISSUER: 'https://id.example.org/', OIDC_CLIENT_ID: 'slipway', OIDC_CLIENT_SECRET: 'secret' }
    expect(read({})).toBeUndefined()
    expect(read(full)).toMatchObject({ issuer: 'https://id.example.org', name: 'single sign-on', trustEmail: false })
    expect(() => read({ OIDC_ISSUER: full.OIDC_ISSUER })).toThrow('must be set together')
    expect(() => read({ ...full, OIDC_ISSUER: 'id.example.org' })).toThrow('OIDC_ISSUER')
  })

  test('signs a known person in by their verified address, to the page they wanted, and keeps no token', async () => {
    const user = await addPerson()
    const visitor = openVisitor(workspace.app)
    const claims = claimsOf(user.email.toUpperCase())
    expect(await come(visitor, { claims }, { next: '/p/1?view=board' })).toBe('/p/1?view=board')
    expect((await sessionOf(visitor)).user).toMatchObject({ id: user.id, display_name: 'Ada Lovelace' })
    const [row] = await workspace.sql`
      select access_token, refresh_token, id_token from credentials where user_id = ${user.id} and provider_id = 'oidc'`
    expect(row).toEqual({ access_token: null, refresh_token: null, id_token: null })
    expect((await visitor.call('GET', '/account')).body.data).toMatchObject({ has_single_sign_on: true })
    const again = openVisitor(workspace.app)
    // The subject is who they are from now on, whatever their address becomes.
    expect(await come(again, { claims: { ...claims, email: newAddress() } })).toBe('/')
    expect((await sessionOf(again)).user.id).toBe(user.id)
  })

  test('refuses strangers and addresses that are not verified, and adds nobody', async () => {
    const visitor = openVisitor(workspace.app)
    const user = await addPerson()
    expect(await come(visitor, { claims: claimsOf(newAddress()) })).toContain('/sign-in?error=signup_disabled')
    const unverified = claimsOf(user.email, { email_verified: false })
    expect(await come(visitor, { claims: unverified })).toBe('/sign-in?error=email_not_verified')
    expect((await visitor.call('GET', '/session')).status).toBe(401)
  })

  test('joins no account whose address nobody has confirmed', async () => {
    const user = await addPerson(true)
    const visitor = openVisitor(workspace.app)
    expect(await come(visitor, { claims: claimsOf(user.email) })).toBe('/sign-in?error=account_not_linked')
    expect((await visitor.call('GET', '/session')).status).toBe(401)
  })

  test('lets people in whom an invitation names, and makes them members', async () => {
    const project = await workspace.project()
    const admin = await signedInMember(workspace, project, 'admin')
    const email = newAddress()
    await admin.call('POST', '/invitations', { role: 'viewer', email })
    const visitor = openVisitor(workspace.app)
    expect(await come(visitor, { claims: claimsOf(email) })).toBe('/')
    expect(await sessionOf(visitor)).toMatchObject({
      user: { display_name: 'Hedy Lamarr', email },
      projects: [{ id: project.id, role: 'viewer' }],
    })
    expect((await admin.call('GET', '/invitations')).body.items).toEqual([])
  })

  test('accepts the link that someone has opened, whoever they are', async () => {
    const project = await workspace.project()
    const admin = await signedInMember(workspace, project, 'admin')
    const { url } = (await admin.call('POST', '/invitations', { role: 'editor', max_uses: 2 })).body.data
    const invitation_token = url.split('/invite/')[1]
    const known = await addPerson()
    for (const email of [newAddress(), known.email]) {
      const visitor = openVisitor(workspace.app)
      expect(await come(visitor, { claims: claimsOf(email) }, { invitation_token })).toBe(`/p/${project.id}`)
      expect((await sessionOf(visitor)).projects).toMatchObject([{ id: project.id, role: 'editor' }])
    }
    const late = await openVisitor(workspace.app).call('POST', '/session/single_sign_on', { invitation_token })
    expect(late).toMatchObject({ status: 410, body: { code: 'invitation_used' } })
  })

  test('reads the address from the user info endpoint, of the same subject only', async () => {
    const user = await addPerson()
    const sub = 'elsewhere'
    const userInfo = { sub, email: user.email, email_verified: true }
    const visitor = openVisitor(workspace.app)
    expect(await come(visitor, { claims: { sub: 'other' }, userInfo })).toContain('error=unable_to_get_user_info')
    expect(await come(visitor, { claims: { sub }, userInfo })).toBe('/')
    expect((await sessionOf(visitor)).user.id).toBe(user.id)
  })

  test.each<[string, Partial<Behavior>]>([
    ['was signed by someone else', { foreignKey: true }],
    ['answers another sign-in', { forged: { nonce: 'of another sign-in' } }],
    ['is for another application', { forged: { aud: 'another application' } }],
    ['comes from another issuer', { forged: { iss: 'https://evil.example.org' } }],
  ])('refuses a token that %s', async (_, behavior) => {
    const user = await addPerson()
    const visitor = openVisitor(workspace.app)
    const place = await come(visitor, { claims: claimsOf(user.email), ...behavior })
    expect(place).toContain('/sign-in?error=unable_to_get_user_info')
    expect((await visitor.call('GET', '/session')).status).toBe(401)
  })

  test('is finished only in the browser that began it, once, and may be refused by the person', async () => {
    const user = await addPerson()
    issuer.behavior = { claims: claimsOf(user.email) }
    const [victim, thief] = [openVisitor(workspace.app), openVisitor(workspace.app)]
    const { url } = (await victim.call('POST', '/session/single_sign_on', {})).body.data
    const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!)
    const path = `${back.pathname}${back.search}`
    await thief.call('POST', '/session/single_sign_on', {})
    const stolen = await thief.call('GET', path)
    expect(String(stolen.headers.location)).toMatch(/\/sign-in\?error=state_mismatch/)
    expect(String((await victim.call('GET', path)).headers.location)).toBe('/')
    expect(String((await victim.call('GET', path)).headers.location)).toContain('/sign-in?error=')
    expect(await come(victim, { claims: {}, denies: true })).toContain('/sign-in?error=access_denied')
  })

  test('leads only to pages of Slipway', async () => {
    const tabs = ['/\t/evil.example.org', '/p/\t1', '/\nevil', '/p\\1', '/%2f%2fevil.example.org', '/%5Cevil']
    for (const next of ['https://evil.example.org', '//evil.example.org', '/\\evil.example.org', ...tabs])
      expect((await openVisitor(workspace.app).call('POST', '/session/single_sign_on', { next })).status, next).toBe(
        422,
      )
  })

  test('that is away is said to be away, works when it is back, and does not disturb passwords', async () => {
    const late = await openIssuer()
    const { url, clientId, clientSecret } = late
    const oidc = { issuer: `${url}/gone`, clientId, clientSecret, name: 'Keycloak', trustEmail: false }
    const node = await workspace.node({ oidc })
    const visitor = openVisitor(node)
    const away = await visitor.call('POST', '/session/single_sign_on', {})
    expect(away).toMatchObject({ status: 503, body: { code: 'single_sign_on_unavailable' } })
    const user = await addPerson()
    expect((await visitor.signIn(user.email)).status).toBe(201)
    oidc.issuer = url
    expect((await visitor.call('POST', '/session/single_sign_on', {})).status).toBe(200)
    await late.close()
  })
})
