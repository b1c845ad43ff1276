import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { eventually } from '../../../../test/harness.ts'
import { forwardMessages } from './forward-messages.ts'

test('a socket is paused while too much of it waits, and then resumes where it stopped', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.terminate())
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  const received: number[] = []
  const release: (() => void)[] = []
  forwardMessages(socket, (message) => {
    received.push(message[0]!)
    return new Promise((resolve) => release.push(resolve))
  })
  if (client.readyState !== WebSocket.OPEN) await once(client, 'open')
  const MEGABYTE = 1024 * 1024
  for (let number = 0; number < 10; number++) client.send(Buffer.alloc(6 * MEGABYTE, number))

  await eventually(() => socket.isPaused)
  expect(received).toEqual([0, 1, 2])
  while (received.length < 10) {
    await eventually(() => release.length > 0)
    release.shift()!()
  }
  expect(received).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
