import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { slices } from '../../../app.ts'
import type { Slice } from '../../slice.ts'
import { FilePart, type UploadedFile } from './multipart.ts'

const LIMIT = 2 * 1024 * 1024

/** A slice that exposes only the reader. It returns what was read, refuses if a field says so, and writes no row. */
const uploads: Slice = {
  name: 'uploads',
  externalApi(face) {
    face.post(
      '/test_uploads',
      {
        config: { upload: 'test' },
        schema: {
          body: {
            content: {
              'multipart/form-data': {
                schema: Type.Object({ file: FilePart, note: Type.Optional(Type.String({ maxLength: 10 })) }),
              },
            },
          },
          response: { 201: Type.Object({}, { additionalProperties: true }) },
        },
      },
      async (req, reply) => {
        const { file, note } = req.body as { file: UploadedFile; note?: string }
        if (note === 'fail') throw new Error('A defect.')
        reply.code(201)
        return { ...file, note: note ?? null, waiting: req.raw.listenerCount('readable') }
      },
    )
  },
}

let workspace: Workspace
let admin: Member
let port: number
beforeAll(async () => {
  workspace = await openWorkspace({ slices: [...slices, uploads], uploadLimitBytes: LIMIT })
  admin = (await workspace.project()).admin
  await workspace.app.listen({ host: '127.0.0.1', port: 0 })
  port = (workspace.app.server.address() as { port: number }).port
})
afterAll(() => workspace.close())

const filePart = (content: Buffer | string, headers = 'filename="a.txt"', more = 'Content-Type: text/plain\r\n') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; ${headers}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const field = (name: string, value: string) =>
  Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
const END = Buffer.from('--b--\r\n')

const send = (body: Buffer | Buffer[], headers: Record<string, string> = {}) =>
  admin.api.post('/test_uploads', Buffer.concat([body].flat()), {
    'content-type': 'multipart/form-data; boundary=b',
    ...headers,
  })

async function stored(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of workspace.store.list(`${workspace.store.installationId}/test/`)) keys.push(key)
  return keys
}

/** A refusal leaves nothing in the store. */
async function expectNothingMore(before: string[]) {
  await eventually(async () => (await stored()).length === before.length)
}

describe('an upload', () => {
  test('is stored with its size, hash and fields', async () => {
    const content = randomBytes(300_000)
    const { status, body } = await send([field('note', 'hi'), filePart(content), END])
    expect(status).toBe(201)
    expect(body).toMatchObject({
      fileName: 'a.txt',
      contentType: 'text/plain',
      size: 300_000,
      sha256: createHash('sha256').update(content).digest('hex'),
      note: 'hi',
    })
    expect((await workspace.store.stat(body.key))!.size).toBe(300_000)
  })

  test('may contain partial boundaries and any bytes', async () => {
    for (const content of ['\r\n--', '\r\n--c', 'x--b', '\r\n\r\n', '\r', '-', 'a\r\n--', '\0\n\r\n-']) {
      const { body } = await send([filePart(content), END])
      expect(body.sha256, JSON.stringify(content)).toBe(createHash('sha256').update(content).digest('hex'))
    }
  })

  test('may be empty', async () => {
    expect((await send([filePart(''), END])).body.size).toBe(0)
    const tight = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n--b--')
    expect((await send(tight)).body.size).toBe(0)
  })

  test('of exactly the limit is accepted; one byte more is a 413 and stores nothing', async () => {
    expect((await send([filePart(Buffer.alloc(LIMIT)), END])).body.size).toBe(LIMIT)
    const before = await stored()
    expect(await send([filePart(Buffer.alloc(LIMIT + 1)), END])).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    })
    await expectNothingMore(before)
  })

  test('loses any path in its name', async () => {
    const names: [string, string | undefined][] = [
      ['filename="../../etc/passwd"', 'passwd'],
      ['filename="C:\\Users\\me\\plan.txt"', 'plan.txt'],
      ['filename="/abs/"', undefined],
      ['filename=".."', undefined],
      ['filename="say \\"hi\\".txt"', 'say "hi".txt'],
      ['filename="say %22hi%22.txt"', 'say "hi".txt'],
      ['filename="größe ✓.txt"', 'größe ✓.txt'],
      ["filename*=UTF-8''gr%C3%B6%C3%9Fe.txt", 'größe.txt'],
      ['filename=plain.txt', 'plain.txt'],
      ['x=y', undefined],
    ]
    for (const [header, fileName] of names)
      expect((await send([filePart('x', header), END])).body.fileName, header).toBe(fileName)
  })

  test('without a valid content type is application/octet-stream', async () => {
    expect((await send([filePart('x', 'filename="a"', ''), END])).body.contentType).toBe('application/octet-stream')
    expect((await send([filePart('x', 'filename="a"', 'Content-Type: rubbish\r\n'), END])).body.contentType).toBe(
      'application/octet-stream',
    )
    const withCharset = 'Content-Type: text/plain; charset=utf-8\r\n'
    expect((await send([filePart('x', 'filename="a"', withCharset), END])).body.contentType).toBe(
      'text/plain; charset=utf-8',
    )
  })
})

describe('a multipart body is refused and stores nothing:', () => {
  const malformed: [string, Buffer][] = [
    ['with another boundary than its header names', Buffer.from('--x\r\n\r\nhello\r\n--x--\r\n')],
    ['without its end', filePart('cut')],
    ['without anything', Buffer.alloc(0)],
    ['with a part without headers', Buffer.concat([Buffer.from('--b\r\n\r\nx\r\n'), END])],
    ['with headers only', Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n--b--\r\n')],
    ['with a part that has no name', Buffer.from('--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n')],
    ['with headers without end', Buffer.from(`--b\r\nX: ${'y'.repeat(40_000)}`)],
    ['with a boundary that goes on', Buffer.from('--bb\r\n\r\nx\r\n--bb--')],
    ['with very many parts', Buffer.concat([...Array.from({ length: 60 }, (_, i) => field(`f${i}`, 'x')), END])],
  ]
  test.each(malformed)('%s: 400', async (_title, body) => {
    const before = await stored()
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'malformed_multipart' } })
    await expectNothingMore(before)
  })

  test('without a boundary in its header: 400', async () => {
    const answer = await send([filePart('x'), END], { 'content-type': 'multipart/form-data' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_multipart' } })
  })

  const invalid: [string, Buffer[], string][] = [
    ['without a file', [field('note', 'x'), END], '/file'],
    ['with two files', [filePart('one'), filePart('two'), END], '/file'],
    ['with a field twice', [filePart('x'), field('note', 'a'), field('note', 'b'), END], '/note'],
    ['with a field that is too long', [filePart('x'), field('note', 'a'.repeat(11)), END], '/note'],
    ['with a huge field', [filePart('x'), field('note', 'a'.repeat(100_000)), END], '/note'],
  ]
  test.each(invalid)('%s: 422', async (_title, body, pointer) => {
    const before = await stored()
    const answer = await send(body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe(pointer)
    await expectNothingMore(before)
  })

  test('on a route that accepts none: 415', async () => {
    const answer = await admin.api.post('/work_orders/search', Buffer.concat([filePart('x'), END]), {
      'content-type': 'multipart/form-data; boundary=b',
    })
    expect(answer.status).toBe(415)
  })

  test('JSON on a route that accepts only files: 415', async () => {
    expect(await admin.api.post('/test_uploads', { file: 'x' })).toMatchObject({
      status: 415,
      body: { detail: expect.stringContaining('multipart/form-data') },
    })
    expect((await admin.api.post('/test_uploads')).status).toBe(400)
  })
})

test('unknown fields are ignored and listed', async () => {
  const answer = await send([field('colour', 'red'), field('__proto__', 'x'), filePart('x'), END])
  expect(answer.status).toBe(201)
  expect(answer.headers['x-ignored-fields']).toBe('colour, __proto__')
})

test('bytes are kept if it is unknown whether a row references them; the sweeper decides', async () => {
  const before = await stored()
  expect((await send([filePart('x'), field('note', 'fail'), END])).status).toBe(500)
  expect(await stored()).toHaveLength(before.length + 1)
})

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('compares the fields and the content of the file, not the boundary', async () => {
    const first = await send([filePart('same'), field('note', 'n'), END], key('k1'))
    const before = await stored()
    const other = Buffer.concat([field('note', 'n'), filePart('same'), END])
      .toString('latin1')
      .replaceAll('--b', '--zz')
    const again = await send(Buffer.from(other, 'latin1'), {
      ...key('k1'),
      'content-type': 'multipart/form-data; boundary=zz',
    })
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
    await expectNothingMore(before)
  })

  test('with another file or another field is 422', async () => {
    await send([filePart('one'), END], key('k2'))
    expect((await send([filePart('two'), END], key('k2'))).body.code).toBe('idempotency_key_reused')
    expect((await send([filePart('one'), field('note', 'n'), END], key('k2'))).status).toBe(422)
  })

  test('can be reused after a refused file', async () => {
    expect((await send([filePart('x'), field('note', 'n'.repeat(20)), END], key('k3'))).status).toBe(422)
    expect((await send([filePart('x'), END], key('k3'))).status).toBe(201)
  })
})

describe('over a socket', () => {
  const head = (headers: string[]) =>
    [
      'POST /v2/external-api/test_uploads HTTP/1.1',
      'Host: slipway.test',
      `X-API-Key: ${admin.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      ...headers,
      '',
      '',
    ].join('\r\n')

  /** Collects what the server sends on a connection until it matches the pattern. */
  function talk(): { socket: Socket; until(pattern: RegExp): Promise<string> } {
    const socket = dial(port, '127.0.0.1')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    return { socket, until: (pattern) => eventually(() => (pattern.test(said) ? said : undefined)) }
  }

  test('an announced body of 5 GB is refused at once, without 100 Continue', async () => {
    const { socket, until } = talk()
    socket.write(head([`Content-Length: ${5 * 1024 ** 3}`, 'Expect: 100-continue']))
    const said = await until(/"code":"body_too_large"/)
    expect(said).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('a started body of 5 GB is refused, and the client that keeps sending sees the response', async () => {
    const { socket, until } = talk()
    socket.write(head([`Content-Length: ${5 * 1024 ** 3}`]))
    const more = setInterval(() => socket.write(Buffer.alloc(100_000)), 5)
    expect(await until(/"code":"body_too_large"/)).toMatch(/^HTTP\/1\.1 413 /)
    clearInterval(more)
    socket.destroy()
  })

  test('an unauthorized client is refused, and its body is not read forever', async () => {
    const { socket, until } = talk()
    socket.write(head([`Content-Length: ${5 * 1024 ** 3}`]).replace(/X-API-Key: \S+/, 'X-API-Key: none'))
    const more = setInterval(() => socket.write(Buffer.alloc(100_000)), 5)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    expect(await until(/"code":"unauthorized"/)).toMatch(/^HTTP\/1\.1 401 /)
    await closed
    clearInterval(more)
  })

  test('a client that expects 100 Continue gets it', async () => {
    const body = Buffer.concat([filePart('asked'), END])
    const { socket, until } = talk()
    socket.write(head([`Content-Length: ${body.length}`, 'Expect: 100-continue']))
    await until(/^HTTP\/1\.1 100 Continue\r\n\r\n/)
    socket.write(body)
    expect(await until(/HTTP\/1\.1 201 /)).toContain('"size":5')
    socket.destroy()
  })

  test('a chunked body beyond the limit is a 413 and stores nothing', async () => {
    const before = await stored()
    const { socket, until } = talk()
    socket.write(head(['Transfer-Encoding: chunked']))
    const chunk = (bytes: Buffer) =>
      socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]))
    chunk(filePart('').subarray(0, -2))
    for (let sent = 0; sent <= LIMIT; sent += 65_536) chunk(Buffer.alloc(65_536))
    expect(await until(/"code":"body_too_large"/)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
    await expectNothingMore(before)
  })

  test('a client that sends far more than the limit before reading still sees the 413', async () => {
    const socket = dial(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    socket.write(head(['Transfer-Encoding: chunked']))
    socket.write(chunk(filePart('').subarray(0, -2)))
    // More than the buffers at both ends can hold while nobody reads.
    for (let sent = 0; sent < 40 * 1024 ** 2; sent += 1024 ** 2) socket.write(chunk(Buffer.alloc(1024 ** 2)))
    await new Promise((resolve) => socket.write('0\r\n\r\n', resolve))
    const [said] = await once(socket, 'data')
    expect(said.toString('latin1')).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('an upload that breaks off leaves neither a stored nor an unfinished file', async () => {
    const before = await stored()
    const { socket } = talk()
    socket.write(head([`Content-Length: ${LIMIT}`]))
    socket.write(filePart(Buffer.alloc(500_000)).subarray(0, -2))
    await new Promise((resolve) => socket.write(Buffer.alloc(100_000), resolve))
    socket.destroy()
    // The server still works: the next upload succeeds.
    expect((await send([filePart('next'), END])).status).toBe(201)
    await eventually(async () => (await stored()).length === before.length + 1)
  })

  test('an upload may arrive one byte at a time', async () => {
    const body = Buffer.concat([field('note', 'slow'), filePart('a\r\n--c-bogus\r\n-'), END])
    const { socket, until } = talk()
    socket.setNoDelay(true)
    socket.write(head([`Content-Length: ${body.length}`]))
    for (const byte of body) await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve))
    const said = await until(/"note":"slow"/)
    expect(said).toContain(createHash('sha256').update('a\r\n--c-bogus\r\n-').digest('hex'))
    socket.destroy()
  })

  test('a connection stays usable after an upload, whatever follows its last boundary', async () => {
    const body = Buffer.concat([filePart('first'), END, Buffer.alloc(500_000)])
    const { socket, until } = talk()
    socket.write(head([`Content-Length: ${body.length}`]))
    socket.write(body)
    // Nothing from the first request is still waiting for data. It would eventually take over the connection.
    expect(await until(/HTTP\/1\.1 201 .*"waiting":/s)).toContain('"waiting":0')
    socket.write(`GET /livez HTTP/1.1\r\nHost: slipway.test\r\n\r\n`)
    await until(/HTTP\/1\.1 200 /)
    socket.destroy()
  })

  test('a connection stays usable after a refused upload', async () => {
    const body = Buffer.concat([field('note', 'no file'), END])
    const { socket, until } = talk()
    socket.write(head([`Content-Length: ${body.length}`]))
    socket.write(body)
    await until(/HTTP\/1\.1 422 /)
    socket.write(`GET /livez HTTP/1.1\r\nHost: slipway.test\r\n\r\n`)
    await until(/HTTP\/1\.1 200 /)
    socket.destroy()
  })
})
