import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openWorkspace, startServer, type Workspace } from '../../../sdk/src/running-server.factory.ts'
import { nameOf, OPERATIONS } from './operations.ts'
import { holdAgainstSpecification } from './run.ts'
import { ServerUnderTest } from './server-under-test.ts'

let ws: Workspace
let baseUrl: string
beforeAll(async () => {
  ws = await openWorkspace()
  baseUrl = (await startServer(ws)).baseUrl
})
afterAll(() => ws.close())

async function keys() {
  const project = await ws.project()
  return { project, key: project.admin.key, reportingKey: (await project.join('editor', 'reporting')).key }
}

interface Changed {
  status: number
  headers: Record<string, string>
  body: string
}

/** A server that passes everything on to ours, but changes the answers. */
async function flawedServer(flaw: (req: IncomingMessage, answer: Changed) => void): Promise<string> {
  const server = createServer(async (req, res) => {
    const body = req.method === 'GET' ? undefined : await buffer(req)
    const { host: _, connection: __, 'content-length': ___, ...headers } = req.headers as Record<string, string>
    const response = await fetch(baseUrl + req.url, { method: req.method!, headers, ...(body?.length ? { body } : {}) })
    const {
      'content-encoding': _encoding,
      'transfer-encoding': _transfer,
      'content-length': _length,
      ...passed
    } = Object.fromEntries(response.headers)
    const answer = { status: response.status, headers: passed, body: await response.text() }
    flaw(req, answer)
    res.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('this server holds, and nothing is left behind but the feedback', async () => {
  const { project, key, reportingKey } = await keys()
  const { api } = project.admin
  const lists = ['requirements', 'blueprints', 'work_orders', 'feedback/themes', 'automations', 'artifacts', 'users']
  const counts = () => Promise.all(lists.map(async (list) => (await api.get(`/${list}`)).body.items.length))
  const before = await counts()
  const verdicts = await holdAgainstSpecification(new ServerUnderTest(baseUrl, key, reportingKey))
  expect(verdicts.filter(({ result }) => result === 'fail')).toEqual([])
  expect(verdicts.filter(({ result }) => result === 'partly').map(({ operation }) => operation)).toEqual([
    'GET /agent_conversations/{conversation_id}',
  ])
  expect(await counts()).toEqual(before)
})

test('what a server gets wrong is found and named', async () => {
  const { key } = await keys()
  const url = await flawedServer(({ method, url = '', headers }, answer) => {
    if (!headers['x-api-key'] && url.endsWith('/health')) Object.assign(answer, { status: 200, body: '{}' })
    if (url.includes('/artifacts')) delete answer.headers.link
    if (method === 'GET' && url.includes('/automations'))
      answer.body = answer.body.replaceAll('"is_built_in"', '"builtIn"')
    if (url.includes('/feedback/themes') && method === 'POST') answer.status = 500
  })
  const verdicts = await holdAgainstSpecification(new ServerUnderTest(url, key))
  const faultsOf = (operation: string) => {
    const { result, faults } = verdicts.find((verdict) => verdict.operation === operation)!
    return [result, faults.map(({ promise, fault }) => `${promise}: ${fault}`).join('\n')]
  }
  expect(faultsOf('GET /health')).toEqual(['fail', expect.stringContaining('the status is 200, not 401')])
  expect(faultsOf('GET /artifacts')).toEqual(['fail', expect.stringContaining('no Link to the first page')])
  expect(faultsOf('GET /automations/{automation_id}')).toEqual([
    'fail',
    expect.stringContaining('is_built_in is missing'),
  ])
  expect(faultsOf('POST /feedback/themes')).toEqual(['fail', expect.stringContaining('the status is 500, not 201')])
  // Without a theme, what is done with one cannot be tried.
  expect(faultsOf('PUT /feedback/themes/{theme_id}/assignee')[0]).toBe('fail')
  expect(faultsOf('GET /work_orders')).toEqual(['pass', ''])
  // No reporting key was given.
  expect(faultsOf('POST /v2/reporting-api/feedback')).toEqual(['partly', ''])
})

test('its operations are those of the interface', async () => {
  const { key } = await keys()
  const { body } = await new ServerUnderTest(baseUrl, key).get('/openapi.json')
  const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/v2/external-api', '')}`),
  )
  const external = OPERATIONS.map(nameOf).filter((name) => !name.includes('reporting-api'))
  expect(external.filter((name) => !described.includes(name))).toEqual([])
  expect(external).toHaveLength(75)
})
