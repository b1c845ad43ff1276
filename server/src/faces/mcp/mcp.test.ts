import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../../product/work-orders/work-order.factory.ts'

let ws: Workspace
let origin: string
beforeAll(async () => {
  ws = await openWorkspace()
  await ws.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(ws.app.server.address() as AddressInfo).port}`
})
afterAll(() => ws.close())

/** The official client. */
async function connect({ key }: Member, path = '/mcp') {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(path, origin), { requestInit: { headers } }) as never)
  onTestFinished(() => client.close())
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, content } = await client.callTool({ name, arguments: input })
    return { isError, text: (content as { text: string }[])[0]!.text }
  }
  const done = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, text } = await call(name, input)
    if (isError) throw new Error(text)
    return text
  }
  const json = async (name: string, input: Record<string, unknown> = {}) => JSON.parse(await done(name, input))
  return { client, call, done, json }
}

describe('tools', () => {
  it('are at most 14 and together under 6,000 tokens', async () => {
    const { client } = await connect((await ws.project()).admin)
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(14)
    // Three characters a token is more than any common tokenizer takes for JSON in English.
    expect(JSON.stringify(tools).length / 3).toBeLessThan(6_000)
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z_]{1,40}$/)
      expect(description).toBeTruthy()
      expect(inputSchema.type).toBe('object')
    }
  })

  it('of the profile that reads change nothing', async () => {
    const { client, call } = await connect((await ws.project()).admin, '/mcp/read')
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(4)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const refused = await call('create_work_order', { title: 'Never' })
    expect(refused.isError).toBe(true)
    expect(refused.text).toContain('find_work_orders')
  })

  it('carry a coding agent through its work', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const blueprint = await api.post('/blueprints', {
      title: 'Totals',
      markdown_content: '# Totals\n\nThe total is rounded for each line.\n',
    })
    const { id, number } = await createWorkOrder(api, {
      title: 'Round the total once',
      status: 'ready',
      markdown_content: 'The total must be rounded once.',
      connectedContext: [{ resourceType: 'blueprint', resourceId: blueprint.body.data.id }],
    })
    const { json, done } = await connect(project.admin)

    const found = await json('find_work_orders', { status: ['ready'] })
    expect(found.items).toMatchObject([{ id, work_order_number: number }])
    const { claim } = await json('claim_work_order', { holder: 'agent-7' })
    expect(claim).toMatchObject({ work_order_id: id, holder: 'agent-7', fencing_token: 1 })
    const context = await done('get_work_context', { work_order_id: id, budget: 2_000 })
    expect(context).toContain(`# WO-${number}: Round the total once`)
    expect(context).toMatch(/## Blueprint “Totals” \(.*\), version 1, lines 1 to 3\n\n# Totals/)
    await json('suggest_change', {
      kind: 'blueprint',
      id: blueprint.body.data.id,
      old_text: 'for each line',
      new_text: 'once, at the end',
    })
    await json('comment_work_order', { work_order_id: id, markdown_content: 'Done, and the blueprint corrected.' })
    const released = await json('release_work_order', { work_order_id: id, fencing_token: 1, status: 'completed' })
    expect(released.status).toBe('completed')

    const { body } = await api.get(`/blueprints/${blueprint.body.data.id}`)
    expect(body.data.markdown_content).toContain('once, at the end')
    const origins = await ws.sql<{ origin: string }[]>`select distinct origin from events
      where project_id = ${project.id} and kind = 'work_order.claimed'`
    expect(origins).toEqual([{ origin: 'mcp' }])
  })

  it('find documents and feedback by words', async () => {
    const project = await ws.project()
    await project.admin.api.post('/requirements', {
      title: 'Gift wrapping',
      document_type: 'OVERVIEW',
      markdown_content: 'Paper and a ribbon.\n',
    })
    const { json } = await connect(project.admin)
    const { items } = await json('search_documents', { kind: 'requirement', query: 'ribb.n' })
    expect(items).toMatchObject([{ title: 'Gift wrapping' }])
    const read = await json('read_document', { kind: 'requirement', id: items[0].id })
    expect(read.markdown_content).toBe('Paper and a ribbon.\n')
    expect((await json('list_documents', { kind: 'requirement' })).total).toBeGreaterThan(0)
    expect(await json('search_feedback', { query: 'nothing like it' })).toEqual({
      themes: { items: [] },
      reports: { items: [] },
    })
  })

  it('say what to do about a mistake', async () => {
    const project = await ws.project()
    const { call } = await connect(project.admin)
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ['get_work_order', { work_order_id: 'none' }, /work_order_id.*UUID/i],
      ['read_document', { kind: 'poem', id: project.id }, /kind.*requirement.*blueprint/],
      ['get_work_order', { work_order_id: project.id }, /There is no work order/],
      ['claim_work_order', { work_order_number: 12 }, /no argument "work_order_number". It has: work_order_id, holder/],
      ['find_work_orders', { query: 'total', status: ['ready'] }, /Words and filters cannot be combined/],
      ['find_work_orders', { state: ['ready'] }, /no argument "state". It has: query, status/],
      ['delete_work_order', { work_order_id: project.id }, /There is no tool "delete_work_order".*find_work_orders/],
    ]
    for (const [name, input, says] of cases) {
      const { isError, text } = await call(name, input)
      expect(isError).toBe(true)
      expect(text).toMatch(says)
    }
  })

  it('refuse what a viewer may not do', async () => {
    const project = await ws.project()
    const { call } = await connect(await project.join('viewer'))
    expect((await call('find_work_orders')).isError).toBe(false)
    const { isError, text } = await call('create_work_order', { title: 'Never' })
    expect(isError).toBe(true)
    expect(text).toContain('viewer')
  })
})

describe('resources and prompts', () => {
  it('are work orders and documents as markdown', async () => {
    const project = await ws.project()
    const { id, number } = await createWorkOrder(project.admin.api, { markdown_content: 'Off by a cent.' })
    const { client } = await connect(project.admin)
    const { resources } = await client.listResources()
    const listed = resources.find(({ uri }) => uri === `slipway://work_orders/${id}`)
    expect(listed!.name).toBe(`WO-${number} Round the total once`)
    const { contents } = await client.readResource({ uri: listed!.uri })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Round the total once\n\nOff by a cent.' }])
    for (const uri of [`slipway://work_orders/${project.id}`, 'slipway://elsewhere/1', 'file:///etc/passwd'])
      await expect(client.readResource({ uri })).rejects.toThrow(/There is no/)
  })

  it('hand a work order over with its context', async () => {
    const project = await ws.project()
    const { number } = await createWorkOrder(project.admin.api, { markdown_content: 'Off by a cent.' })
    const { client } = await connect(project.admin)
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('do_work_order')
    const { messages } = await client.getPrompt({ name: 'do_work_order', arguments: { number: `WO-${number}` } })
    expect((messages[0]!.content as { text: string }).text).toContain('Off by a cent.')
    for (const wrong of ['none', '0', '999999'])
      await expect(client.getPrompt({ name: 'do_work_order', arguments: { number: wrong } })).rejects.toThrow()
  })
})

describe('the endpoint', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('needs a key of the external API', async () => {
    const answer = await post(ping)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  })

  it('answers garbled messages without falling over', async () => {
    const { key } = (await ws.project()).admin
    const authorization = `Bearer ${key}`
    for (const body of ['{', '[]', '"x"', { jsonrpc: '2.0', id: 1, method: 'nothing' }, { jsonrpc: '1.0' }, null]) {
      const answer = await post(body, { authorization })
      expect(answer.status).toBeLessThan(500)
      await answer.text()
    }
    const answer = await post(ping, { authorization })
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('keeps no sessions', async () => {
    const { key } = (await ws.project()).admin
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${origin}/mcp`, { method, headers: { authorization: `Bearer ${key}` } })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
    }
  })
})

describe('a long document', () => {
  it('is read by one request of a project at a time, and by other projects at once', async () => {
    const [one, other] = [await ws.project(), await ws.project()]
    const read = async ({ api, key }: Member) => {
      const { body } = await api.post('/blueprints', { title: 'Hull', markdown_content: 'Dry.' })
      const params = { uri: `slipway://blueprints/${body.data.id}` }
      return () =>
        ws.app.inject({
          method: 'POST',
          url: '/mcp',
          headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
          payload: { jsonrpc: '2.0', id: 1, method: 'resources/read', params },
        })
    }
    const [readOne, readOther] = [await read(one.admin), await read(other.admin)]
    const holder = await ws.sql.pool.connect()
    await holder.query('begin')
    await holder.query('lock table documents in access exclusive mode')
    const waiting = async () => {
      const { rowCount } = await holder.query('select from pg_locks where not granted')
      return rowCount
    }
    const reading = [readOne(), readOne(), readOne()]
    await eventually(async () => (await waiting()) === 1)
    reading.push(readOther())
    await eventually(async () => (await waiting()) === 2)
    await holder.query('commit')
    holder.release()
    for (const answer of await Promise.all(reading)) expect(answer.body).toContain('Dry.')
  })
})
