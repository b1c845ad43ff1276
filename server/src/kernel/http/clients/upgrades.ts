import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

type HandleUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Passes WebSocket upgrades to the handler. Some clients offer another protocol with every request (`Upgrade: h2c`).
 * The offer is optional, so the request is parsed again without it.
 */
export function takeWebSockets(server: Server, handleUpgrade: HandleUpgrade): void {
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (req.headers.upgrade?.toLowerCase() === 'websocket') return handleUpgrade(req, socket, head)
    socket.unshift(Buffer.concat([headWithoutOffer(req), head]))
    server.emit('connection', socket)
  })
}

const OF_THE_OFFER = new Set(['upgrade', 'http2-settings'])

function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (OF_THE_OFFER.has(name.toLowerCase())) continue
    const value = name.toLowerCase() === 'connection' ? withoutOffer(rawHeaders[at + 1]!) : rawHeaders[at + 1]!
    if (value !== '') lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const withoutOffer = (connection: string) =>
  connection
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !OF_THE_OFFER.has(token.toLowerCase()))
    .join(', ')
