import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkOrder } from '../../src/product/work-orders/work-order.factory.ts'
import { type Member, openWorkspace, type Workspace } from '../harness.ts'

let workspace: Workspace
let admin: Member
let path: string
beforeAll(async () => {
  workspace = await openWorkspace({ bodyLimitBytes: 100_000 })
  admin = (await workspace.project()).admin
  path = `/work_orders/${(await createWorkOrder(admin.api)).id}`
})
afterAll(() => workspace.close())

describe('a request id', () => {
  test('is echoed if it is well formed, and generated otherwise', async () => {
    const echoed = await admin.api.get('/users', { 'x-request-id': 'my.id-1_2' })
    expect(echoed.headers['x-request-id']).toBe('my.id-1_2')
    for (const bad of ['has space', 'x'.repeat(129), 'ü']) {
      const answer = await admin.api.get('/users', { 'x-request-id': bad })
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('is in the header and the body of every refusal', async () => {
    for (const answer of [
      await admin.api.get('/nowhere'),
      await workspace.client(undefined).get('/users'),
      await admin.api.get('/work_orders/x'),
      await admin.api.get('/%zz'),
    ]) {
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.body.request_id).toBe(answer.headers['x-request-id'])
      for (const field of ['type', 'title', 'detail', 'code']) expect(answer.body[field]).toEqual(expect.any(String))
      expect(answer.body.status).toBe(answer.status)
    }
  })
})

describe('a body', () => {
  const patch = (body: unknown, headers?: Record<string, string>) =>
    admin.api.patch(`${path}/description`, body, headers)

  test('that is empty, malformed or not UTF-8 is a 400', async () => {
    expect(await patch('')).toMatchObject({ status: 400, body: { code: 'empty_body' } })
    expect(await patch(undefined)).toMatchObject({ status: 400, body: { code: 'empty_body' } })
    expect(await patch('{"markdown_content":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
    expect(await patch(Buffer.from('{"markdown_content":"\xff"}', 'latin1'))).toMatchObject({ status: 400 })
  })

  test('that is JSON but not an object is a 422', async () => {
    for (const body of ['[]', '"text"', '1', 'null', 'true']) expect((await patch(body)).status, body).toBe(422)
  })

  test('of another type is a 415, and one that is too large a 413', async () => {
    expect(await patch('markdown_content=x', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    })
    expect(await patch({ markdown_content: 'x'.repeat(100_001) })).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', detail: expect.stringContaining('100000 bytes') },
    })
  })

  test('is not read where none is needed', async () => {
    const { id } = await createWorkOrder(admin.api)
    const res = await workspace.app.inject({
      method: 'DELETE',
      url: `/v2/external-api/work_orders/${id}`,
      headers: { 'x-api-key': admin.key, 'content-type': 'application/json' },
    })
    expect([res.statusCode, res.payload]).toEqual([204, ''])
  })

  test('may have unknown fields: they are listed in X-Ignored-Fields', async () => {
    const answer = await patch({ markdown_content: 'x', colour: 'red', 'naïve name': 1 })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-ignored-fields']).toBe('colour, na%C3%AFve%20name')
    const batch = {
      request_id: 'ignored',
      operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder' }],
      extra: {},
    }
    expect((await admin.api.post('/work_orders/batch_create', batch)).headers['x-ignored-fields']).toBe('extra')
  })

  test('may have unknown fields of any name', async () => {
    const odd = [
      '😀',
      '\ud800',
      'x\udc00',
      'a\r\nSet-Cookie: b=c',
      '\u0000\u007f\u0085',
      '"',
      'a, b',
      '',
      '‮',
      'ﷺ'.repeat(200),
    ]
    for (const name of [...odd, '__proto__', 'constructor', 'toString', `${'x'.repeat(99)}😀`, '😀'.repeat(20_000)]) {
      const answer = await patch(`{"markdown_content":"x",${JSON.stringify(name)}:1}`)
      expect(answer.status, JSON.stringify(name.slice(0, 50))).toBe(200)
      expect(answer.headers['x-ignored-fields'] ?? '', JSON.stringify(name.slice(0, 50))).toMatch(/^[\w.$%-]{0,1300}$/)
      const alone = await patch(`{${JSON.stringify(name)}:1}`)
      expect(alone.status, JSON.stringify(name.slice(0, 50))).toBe(422)
      expect(alone.text.length).toBeLessThan(5_000)
    }
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${'😀'.repeat(60)}${index}`, 1]))
    const { status, headers } = await patch({ markdown_content: 'x', ...many })
    expect(status).toBe(200)
    expect(headers['x-ignored-fields']!.length).toBeLessThan(4_100)
  })

  test('is read even if no field is known: its fields are ignored and listed', async () => {
    const { data } = (await admin.api.post('/blueprints', { title: 'x', markdown_content: 'a' })).body
    const one = `/blueprints/${data.id}`
    for (const write of [`${one}/versions/${data.version_id}/restore`, `${one}/suggestions/accept_all`]) {
      const answer = await admin.api.post(write, { force: true, why: { text: 'x' } })
      expect([answer.status, answer.headers['x-ignored-fields']], write).toEqual([200, 'force, why'])
      expect(await admin.api.post(write, '{"force":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
      expect((await admin.api.post(write, '[]')).status, write).toBe(422)
      for (const body of [undefined, '', {}]) {
        const empty = await admin.api.post(write, body)
        expect([empty.status, empty.headers['x-ignored-fields']], write).toEqual([200, undefined])
      }
    }
    expect((await admin.api.post(`${one}/suggestions/${data.id}/accept`, { force: true })).status).toBe(404)
  })

  test('of a PATCH that has only unknown fields is a 422 that names the known ones', async () => {
    const answer = await patch({ text: 'x' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'unknown_fields', errors: [{ pointer: '/text' }] } })
    expect(answer.body.errors[0].detail).toContain('markdown_content')
  })

  test('is strict about types: nothing is coerced', async () => {
    for (const value of [1, true, null, [], {}]) {
      const answer = await patch({ markdown_content: value })
      expect(answer, String(value)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/markdown_content' }] } })
    }
  })

  test('never carries control characters or broken surrogates into a text', async () => {
    for (const text of ['a\u0000b', 'a\u001bb', 'a\u007fb', '\ud800'])
      expect((await patch(JSON.stringify({ markdown_content: text }))).status, JSON.stringify(text)).toBe(422)
    expect((await patch({ markdown_content: 'tab\tand\r\nlines 🎉' })).status).toBe(200)
  })

  test('cannot reach the prototype of anything', async () => {
    const answer = await patch('{"markdown_content":"x","__proto__":{"polluted":1},"constructor":{"prototype":{}}}')
    expect(answer.status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('an address', () => {
  test('that exists only for other methods is a 405 with Allow', async () => {
    const answer = await admin.api.put('/users', {})
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(answer.headers.allow).toBe('GET, HEAD')
    expect((await admin.api.post(path, {})).headers.allow).toBe('GET, HEAD, DELETE')
    expect((await admin.api.post(path, '{broken')).status).toBe(405)
  })

  test('that does not exist is a 404, however long', async () => {
    expect(await admin.api.get('/nowhere')).toMatchObject({ status: 404, body: { code: 'route_not_found' } })
    expect((await admin.api.get(`/work_orders/${'x'.repeat(3_000)}`)).status).toBe(422)
    expect((await workspace.client(undefined).get('/v2/other')).status).toBe(404)
  })

  test('responds to HEAD like GET without a body', async () => {
    const [head, get] = [await admin.api.head(path), await admin.api.get(path)]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.etag).toBe(get.headers.etag)
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  test('reads the query of a HEAD like that of a GET', async () => {
    for (const list of [
      '/work_orders?status=backlog',
      '/work_orders?status=backlog,ready&phase_id=',
      '/feedback/items?status=null',
      '/requirements?document_type=&page_size=2',
      '/blueprints?feature_id=null',
    ]) {
      const [head, get] = [await admin.api.head(list), await admin.api.get(list)]
      expect([head.status, head.text], list).toEqual([200, ''])
      for (const name of ['content-length', 'content-type', 'link'])
        expect(head.headers[name], `${name} of ${list}`).toBe(get.headers[name])
    }
    expect((await admin.api.head('/work_orders?status=never')).status).toBe(422)
  })

  test('ignores unknown query parameters', async () => {
    expect((await admin.api.get('/users?unknown=1&page=1')).status).toBe(200)
  })

  test('refuses a path id that is not a UUID with a 422 that names it', async () => {
    expect(await admin.api.get('/work_orders/12')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/work_order_id', detail: expect.stringContaining('"12"') }] },
    })
  })
})

describe('an answer', () => {
  test('carries headers that prevent sniffing and framing', async () => {
    const { headers } = await admin.api.get('/users')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('of /health is a flat map of strings', async () => {
    const { body } = await admin.api.get('/health')
    expect(body).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/), database: 'ok' })
  })

  test('of the probes needs no key', async () => {
    const anonymous = workspace.client(undefined)
    expect([(await anonymous.get('/livez')).status, (await anonymous.get('/readyz')).status]).toEqual([200, 200])
  })
})
