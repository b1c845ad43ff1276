import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { eventually } from '../../../../test/harness.ts'
import type { App } from '../../../app.ts'

export interface Talk {
  socket: Socket
  said(): string
  isClosed(): boolean
  until(pattern: RegExp): Promise<string>
  untilClosed(): Promise<unknown>
}

export async function listen(app: App): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Opens a raw connection, to send what no well-behaved client would. */
export function talk(port: number): Talk {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  let isClosed = false
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  return {
    socket,
    said: () => said,
    isClosed: () => isClosed,
    until: (pattern) => eventually(() => (pattern.test(said) ? said : undefined)),
    untilClosed: () => eventually(() => isClosed),
  }
}
