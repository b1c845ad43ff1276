import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import type { App } from '../../app.ts'
import { readTrustProxy } from '../../kernel/http/clients/trust-proxy.ts'
import { addUser } from '../../product/accounts/index.ts'
import { signedIn } from '../../product/conversations/person.factory.ts'
import { createSignInGate } from './sign-in-gate.ts'

const PASSWORD = 'correct horse battery'
let workspace: Workspace
let people = 0
beforeAll(async () => {
  workspace = await openWorkspace({ trustProxy: readTrustProxy('1') })
})
afterAll(() => workspace.close())

async function addPerson(): Promise<string> {
  const { organizationId } = await workspace.project()
  const email = `signer${++people}@example.org`
  await addUser(workspace.operator, { email, name: 'Signer', organizationId, role: 'member', password: PASSWORD })
  return email
}

/** Each address is a client behind the proxy that the tests act as. */
let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`

async function signIn(email: string, password: string, address: string, app: App = workspace.app) {
  const answer = await app.inject({
    method: 'POST',
    url: '/v2/app-api/session',
    headers: { 'x-forwarded-for': address },
    payload: { email, password },
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

test('only those who are signed in learn the largest file that can be uploaded', async () => {
  const small = await openWorkspace({ uploadLimitBytes: 2048 })
  const { cookie } = await signedIn(small)
  const session = await small.app.inject({ url: '/v2/app-api/session', headers: { cookie } })
  expect(session.json().data.upload_limit_bytes).toBe(2048)
  expect((await small.app.inject('/v2/app-api/session/options')).json().data).not.toHaveProperty('upload_limit_bytes')
  await small.close()
})

describe('sign-in attempts', () => {
  test('cannot exceed the limit by arriving together', async () => {
    const email = await addPerson()
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 300 }, () => signIn(email, 'wrong password', address)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(290)
    expect(refused[0]).toMatchObject({ body: { code: 'too_many_tries' } })
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('for unknown email addresses are limited in the same way', async () => {
    const address = newAddress()
    const tries = Array.from({ length: 12 }, () => signIn('nobody@example.org', 'wrong password', address))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  test('from one address do not lock the user out at another', async () => {
    const email = await addPerson()
    const stranger = newAddress()
    await Promise.all(Array.from({ length: 11 }, () => signIn(email, 'wrong password', stranger)))
    expect((await signIn(email, PASSWORD, stranger)).status).toBe(429)
    expect((await signIn(email, PASSWORD, newAddress())).status).toBe(201)
  })

  test('are attributed by the proxy header only if the proxy is trusted', async () => {
    const email = await addPerson()
    const node = await workspace.node({ trustProxy: readTrustProxy('off') })
    const tries = Array.from({ length: 11 }, () => signIn(email, 'wrong password', newAddress(), node))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('with an oversized body are refused unread', async () => {
    for (const url of ['/v2/app-api/session', '/v2/app-api/nowhere', '/nowhere']) {
      const answer = await workspace.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', 'content-length': '10000000' },
      })
      expect(answer.statusCode, url).toBe(url.endsWith('session') ? 413 : 404)
    }
    const body = { email: 'a@example.org', password: 'x'.repeat(4_096) }
    const [sent, ended] = await Promise.all(
      (['POST', 'DELETE'] as const).map((method) =>
        workspace.app.inject({ method, url: '/v2/app-api/session', payload: body }),
      ),
    )
    expect([sent!.statusCode, ended!.statusCode]).toEqual([413, 413])
  })
})

describe('the gate', () => {
  const wrong = () => Promise.resolve(new Response(null, { status: 401 }))
  const right = () => Promise.resolve(new Response(null, { status: 200 }))

  test('hashes two passwords at once, queues some attempts and refuses the rest', async () => {
    const gate = createSignInGate()
    const begun: (() => void)[] = []
    const hash = () => new Promise<Response>((resolve) => begun.push(() => resolve(new Response())))
    const tries = Array.from({ length: 60 }, (_, index) =>
      gate.attempt({ ip: `203.0.113.${index}`, email: `person${index}@example.org` }, hash).then(
        () => 'admitted',
        (err) => err.code,
      ),
    )
    for (let finished = 0; finished < 52; finished++) {
      expect(begun.length - finished).toBe(Math.min(2, 52 - finished))
      begun[finished]!()
      await new Promise(setImmediate)
    }
    const outcomes = await Promise.all(tries)
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(52)
    expect(outcomes.filter((outcome) => outcome === 'sign_in_busy')).toHaveLength(8)
  })

  test('counts neither successful sign-ins nor server errors', async () => {
    const gate = createSignInGate()
    const broken = () => Promise.resolve(new Response(null, { status: 500 }))
    for (const outcome of [right, broken])
      for (let count = 0; count < 20; count++)
        await gate.attempt({ ip: '203.0.113.1', email: 'person@example.org' }, outcome)
    await expect(gate.attempt({ ip: '203.0.113.1', email: 'person@example.org' }, wrong)).resolves.toBeDefined()
  })

  test('limits attempts on an account from many addresses, but not from where its owner has signed in', async () => {
    const gate = createSignInGate()
    const email = 'person@example.org'
    await gate.attempt({ ip: '198.51.100.1', email }, right)
    for (let count = 0; count < 100; count++) await gate.attempt({ ip: `203.0.113.${count}`, email }, wrong)
    await expect(gate.attempt({ ip: '203.0.113.200', email }, wrong)).rejects.toMatchObject({ code: 'too_many_tries' })
    await expect(gate.attempt({ ip: '198.51.100.1', email: 'Person@Example.org' }, right)).resolves.toBeDefined()
  })

  test('treats the addresses of one IPv6 network as one client', async () => {
    const gate = createSignInGate()
    const email = 'person@example.org'
    for (let count = 0; count < 10; count++) await gate.attempt({ ip: `2001:db8::${count}`, email }, wrong)
    await expect(gate.attempt({ ip: '2001:db8:0:0:ffff::1', email }, wrong)).rejects.toMatchObject({ status: 429 })
    await expect(gate.attempt({ ip: '2001:db8:0:1::1', email }, wrong)).resolves.toBeDefined()
  })
})
