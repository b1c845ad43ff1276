import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { guardedLookup, guardedPost, readBounded } from './guarded-request.ts'
import { isPrivateAddress } from './private-address.ts'

const PUBLIC = '93.184.215.14'

/** A resolver that gives another answer each time it is asked; the last one again and again. */
function changing(...answers: string[][]): LookupFunction & { asked: number } {
  const resolve = ((_host, _options, done) => {
    const addresses = answers[Math.min(resolve.asked++, answers.length - 1)]!
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as LookupFunction & { asked: number }
  resolve.asked = 0
  return resolve
}

const look = (lookup: LookupFunction, options = {}) =>
  new Promise((resolve, reject) => {
    lookup('tools.example.org', options, (err, address) => (err ? reject(err) : resolve(address)))
  })

async function listening(answer: (url: string) => { status: number; headers?: Record<string, string> }) {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(req.url!)
    const { status, headers = {} } = answer(req.url!)
    res.writeHead(status, headers).end('hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, port: (server.address() as AddressInfo).port }
}

const post = (url: string, privateHosts: boolean) =>
  guardedPost(new URL(url), { headers: {}, body: '{}', signal: new AbortController().signal, privateHosts })

describe('the address of an integration', () => {
  test('is checked in the lookup of the connection: a name that changes is refused the moment it turns private', async () => {
    const resolve = changing([PUBLIC], ['127.0.0.1'])
    const lookup = guardedLookup(resolve)
    expect(await look(lookup)).toBe(PUBLIC)
    expect(resolve.asked).toBe(1)
    await expect(look(lookup)).rejects.toThrow('"tools.example.org" is in the server\'s own network')
    await expect(look(lookup, { all: true })).rejects.toThrow('MCP_PRIVATE_HOSTS=on')
  })

  test('is refused when only one of several is private', async () => {
    await expect(look(guardedLookup(changing([PUBLIC, '::1'])))).rejects.toThrow('own network')
  })

  test('is given as it was asked for: one, or all', async () => {
    const lookup = guardedLookup(changing([PUBLIC, '2606:4700::1111']))
    expect(await look(lookup, { all: true })).toHaveLength(2)
    expect(await look(lookup)).toBe(PUBLIC)
  })

  test.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::7f00:1]', '0x7f.1'])(
    'is not called at %s',
    async (host) => {
      const { asked, port } = await listening(() => ({ status: 200 }))
      await expect(post(`http://${host}:${port}/`, false)).rejects.toThrow('own network')
      expect(asked).toEqual([])
    },
  )

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.0.1',
    '100.64.0.1',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
  ])('%s is private', (address) => expect(isPrivateAddress(address)).toBe(true))

  test.each([PUBLIC, '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])('%s is not', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  )
})

test('a redirect is not followed', async () => {
  const { asked, port } = await listening((url) =>
    url === '/' ? { status: 307, headers: { location: '/inside' } } : { status: 200 },
  )
  await expect(post(`http://127.0.0.1:${port}/`, true)).rejects.toThrow('redirects are not followed')
  expect(asked).toEqual(['/'])
})

test('an address that the operator allows is called', async () => {
  const { port } = await listening(() => ({ status: 200 }))
  const answer = await post(`http://127.0.0.1:${port}/`, true)
  let text = ''
  for await (const part of readBounded(answer)) text += part
  expect(text).toBe('hello')
})
