import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../uuid.ts'
import { readTrustProxy } from './trust-proxy.ts'

let workspace: Workspace
let admin: Member
const routes: { method: string; url: string }[] = []
beforeAll(async () => {
  workspace = await openWorkspace({
    rateLimitAnonymous: 3,
    onRoute: ({ method, url }) => routes.push(...[method].flat().map((one) => ({ method: one, url }))),
  })
  admin = (await workspace.project()).admin
})
afterAll(() => workspace.close())

const ask = (url: string, remoteAddress: string, headers = {}) => workspace.app.inject({ url, remoteAddress, headers })

test('an address may ask for a limited number of things that need no key, whatever they are', async () => {
  const open = ['/llms.txt', '/docs', '/docs/operating.md', '/widget.js', '/nothing', '/v2/app-api/openapi.json']
  for (const [at, url] of [...open, '/v2/app-api/session/options', '/.well-known/none'].entries()) {
    const address = `203.0.113.${at}`
    for (let count = 0; count < 3; count++) expect((await ask(url, address)).statusCode, url).not.toBe(429)
    const refused = await ask(url, address)
    expect([url, refused.statusCode, refused.json().code]).toEqual([url, 429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
})

test('requests with a key, probes and this machine do not count', async () => {
  const key = { 'x-api-key': admin.key }
  for (let count = 0; count < 5; count++) {
    expect((await ask('/v2/external-api/work_orders', '198.51.100.1', key)).statusCode).toBe(200)
    expect((await ask('/readyz', '198.51.100.1')).statusCode).toBe(200)
    expect((await ask('/llms.txt', '127.0.0.1')).statusCode).toBe(200)
  }
  expect((await ask('/llms.txt', '198.51.100.1')).statusCode).toBe(200)
})

test('an address counts as the one that a trusted proxy names, and as itself if it names another', async () => {
  const proxy = '10.0.0.5'
  const app = await workspace.node({ trustProxy: readTrustProxy(proxy) })
  const statuses = async (remoteAddress: string, forwardedFor: (count: number) => string) => {
    const answers: number[] = []
    for (let count = 0; count < 4; count++) {
      const headers = { 'x-forwarded-for': forwardedFor(count) }
      answers.push((await app.inject({ url: '/llms.txt', remoteAddress, headers })).statusCode)
    }
    return answers
  }
  expect(await statuses(proxy, (count) => `198.51.100.${10 + count}`)).toEqual([200, 200, 200, 200])
  expect(await statuses(proxy, () => '198.51.100.20')).toEqual([200, 200, 200, 429])
  expect(await statuses(proxy, (count) => `192.0.2.${count}, 198.51.100.21`)).toEqual([200, 200, 200, 429])
  expect(await statuses('198.51.100.22', (count) => `192.0.2.${count}`)).toEqual([200, 200, 200, 429])
})

test('without a trusted proxy, X-Forwarded-For has no effect', async () => {
  for (let count = 0; count < 3; count++)
    expect((await ask('/llms.txt', '198.51.100.30', { 'x-forwarded-for': `192.0.2.${count}` })).statusCode).toBe(200)
  expect((await ask('/llms.txt', '198.51.100.30', { 'x-forwarded-for': '192.0.2.9' })).statusCode).toBe(429)
})

/** Load balancers ask for the probes. The others have lower limits of their own. */
const EXEMPT = /^\/(livez|readyz|oauth\/(token|register|revoke|authorize))$/

test('every route refuses those without a key, or counts them', async () => {
  const uncounted: string[] = []
  for (const [at, { method, url }] of routes.entries()) {
    if (EXEMPT.test(url) || method === 'OPTIONS') continue
    const remoteAddress = `192.0.${Math.floor(at / 256)}.${at % 256}`
    const path = url.replace(/:\w+/g, () => uuidv7()).replace('*', 'x')
    const statuses: number[] = []
    for (let count = 0; count < 4; count++)
      statuses.push((await workspace.app.inject({ method: method as 'GET', url: path, remoteAddress })).statusCode)
    if (![401, 403, 405].includes(statuses[0]!) && statuses[3] !== 429) uncounted.push(`${method} ${url}: ${statuses}`)
  }
  expect(uncounted).toEqual([])
})
