import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { clientNetwork } from './client-network.ts'

export const MAX_CONNECTIONS = 2_000
export const MAX_CONNECTIONS_PER_ADDRESS = 256
const LOG_EVERY_MS = 60_000

interface Options {
  maxConnections: number | undefined
  maxConnectionsPerAddress: number | undefined
  /** Many people share the address of a proxy, so only the total limit applies to it. */
  isProxy: (address: string) => boolean
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** Closes connections beyond the limits as soon as they open, before anything is read from them. */
export function limitConnections(
  server: Server,
  { maxConnections = MAX_CONNECTIONS, maxConnectionsPerAddress = MAX_CONNECTIONS_PER_ADDRESS, isProxy, log }: Options,
): void {
  const open = new Map<string, Set<Socket>>()
  let loggedAtMs = 0
  const logRefusal = (message: string) => {
    if (Date.now() - loggedAtMs < LOG_EVERY_MS) return
    loggedAtMs = Date.now()
    log.warn(message)
  }

  server.maxConnections = maxConnections
  server.on('drop', () => logRefusal(`More than ${maxConnections} connections: new ones are closed.`))
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const address = clientNetwork(remoteAddress)
    const sockets = open.get(address) ?? new Set()
    // A connection that declines another protocol emits the event twice.
    if (sockets.has(socket)) return
    if (sockets.size >= maxConnectionsPerAddress) {
      logRefusal(`More than ${maxConnectionsPerAddress} connections from ${address}: new ones are closed.`)
      return socket.destroy()
    }
    open.set(address, sockets.add(socket))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) open.delete(address)
    })
  })
}

/** True for a proxy or a user on this machine. */
export const isLoopback = (address: string) => /^(127\.|::1$|::ffff:127\.)/i.test(address)
