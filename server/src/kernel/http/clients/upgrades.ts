import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

type HandleUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Passes WebSocket upgrades to the handler. Some clients offer another protocol with every request (`Upgrade: h2c`).
 * The offer is optional, so the request is parsed again without it.
 */
export function handleUpgrades(server: Server, handleUpgrade: HandleUpgrade): void {
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (req.headers.upgrade?.toLowerCase() === 'websocket') return handleUpgrade(req, socket, head)
    socket.unshift(Buffer.concat([headersWithoutUpgrade(req), head]))
    server.emit('connection', socket)
  })
}

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings'])

function headersWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue
    const value = name.toLowerCase() === 'connection' ? withoutUpgradeTokens(rawHeaders[at + 1]!) : rawHeaders[at + 1]!
    if (value !== '') lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const withoutUpgradeTokens = (connection: string) =>
  connection
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !UPGRADE_HEADERS.has(token.toLowerCase()))
    .join(', ')
