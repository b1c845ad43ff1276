import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { limitConnections } from './connections.ts'
import { listen, talk } from './socket.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const PROBE = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'

/** Opens a connection and waits for a response. Returns undefined if it was closed without one. */
async function connected(port: number) {
  const one = talk(port)
  onTestFinished(() => void one.socket.destroy())
  one.socket.write(PROBE)
  await eventually(() => one.isClosed() || one.said() !== '')
  return one.isClosed() ? undefined : one
}

test('connections beyond the total limit are closed until others end', async () => {
  const port = await listen(await workspace.node({ maxConnections: 2 }))
  const [first] = [await connected(port), await connected(port)]
  expect(await connected(port)).toBeUndefined()
  first!.socket.destroy()
  await eventually(() => connected(port))
})

describe('connections from one address', () => {
  async function limited(isProxy: (address: string) => boolean) {
    const warnings: string[] = []
    const server: Server = createServer((_req, res) => res.end('ok'))
    limitConnections(server, {
      maxConnections: undefined,
      maxConnectionsPerAddress: 2,
      isProxy,
      log: { warn: (message: string) => void warnings.push(message) } as never,
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { port: (server.address() as AddressInfo).port, warnings }
  }

  test('are limited, logged once, and allowed again when others end', async () => {
    const { port, warnings } = await limited(() => false)
    const [first] = [await connected(port), await connected(port)]
    for (let count = 0; count < 2; count++) expect(await connected(port)).toBeUndefined()
    expect(warnings).toEqual(['More than 2 connections from 127.0.0.1: new ones are closed.'])
    first!.socket.destroy()
    await eventually(() => connected(port))
  })

  test('are not limited if the address is a proxy', async () => {
    const { port } = await limited((address) => address === '127.0.0.1')
    for (let count = 0; count < 5; count++) expect(await connected(port)).toBeDefined()
    const behindLocalProxy = await listen(await workspace.node({ maxConnectionsPerAddress: 1 }))
    for (let count = 0; count < 3; count++) expect(await connected(behindLocalProxy)).toBeDefined()
  })
})
