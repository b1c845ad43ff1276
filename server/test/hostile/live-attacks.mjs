/** Attacks on `/collab`. They run in their own thread, so they do not delay the thread that measures. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'
import * as Y from 'yjs'

const { attack, port, key, name } = workerData

const [SYNC, AUTH] = [0, 2]

function messageOf(...parts) {
  const numbered = (value) => {
    const bytes = []
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
    return Buffer.from([...bytes, value])
  }
  return Buffer.concat(
    parts.flatMap((part) => {
      if (typeof part === 'number') return [numbered(part)]
      const bytes = Buffer.from(part)
      return [numbered(bytes.length), bytes]
    }),
  )
}

async function open() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/collab`)
  socket.on('error', () => undefined)
  await once(socket, 'open')
  socket.send(messageOf(name, AUTH, 0, key, '3.4.4'))
  await once(socket, 'message')
  return socket
}

const end = async (socket) => {
  if (socket.readyState === WebSocket.CLOSED) return
  socket.close()
  await once(socket, 'close')
}

/** Sends until the server closes the socket. */
async function flood(socket, messages) {
  for (const message of messages) {
    if (socket.readyState !== WebSocket.OPEN) return
    await new Promise((resolve) => socket.send(message, resolve))
  }
}

function hiddenUpdate(letter) {
  const shared = new Y.Doc()
  const element = new Y.XmlElement('paragraph')
  element.setAttribute('hidden', letter.repeat(7_000_000))
  shared.getXmlFragment('default').push([element])
  return Y.encodeStateAsUpdate(shared)
}

const attacks = {
  /** Announces a frame of 15 MiB and never finishes it. */
  async unfinishedFrames() {
    const head = Buffer.alloc(14)
    head[0] = 0x82
    head[1] = 0xff
    head.writeBigUInt64BE(15n * 1024n * 1024n, 2)
    const lines = ['GET /collab HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket']
    lines.push('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', '', '')
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined)
        socket.write(lines.join('\r\n'))
        await once(socket, 'data')
        socket.write(Buffer.concat([head, Buffer.alloc(14 * 1024 * 1024)]))
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        socket.destroy()
      }),
    )
  },

  async refusedName() {
    const other = 'blueprint/00000000-0000-7000-8000-000000000000'
    const message = messageOf(other, SYNC, 2, Buffer.alloc(8 * 1024 * 1024))
    for (let count = 0; count < 5; count++) {
      const socket = await open()
      socket.send(messageOf(other, AUTH, 0, key, '3.4.4'))
      await flood(socket, new Array(8).fill(message))
      await end(socket)
    }
  },

  async hiddenState() {
    const socket = await open()
    await flood(
      socket,
      [...'abcdefgh'].map((letter) => messageOf(name, SYNC, 2, hiddenUpdate(letter))),
    )
    await end(socket)
  },

  async hiddenMap() {
    const shared = new Y.Doc()
    shared.getMap('other').set('key', 'x'.repeat(14_000_000))
    const message = messageOf(name, SYNC, 2, Y.encodeStateAsUpdate(shared))
    for (let count = 0; count < 3; count++) {
      const socket = await open()
      await flood(socket, [message])
      await end(socket)
    }
  },

  async garbled() {
    for (let count = 0; count < 40; count++) {
      const socket = await open()
      await flood(socket, [messageOf(name, SYNC, 2, Buffer.from([9, 9, count]))])
      await end(socket)
    }
  },
}

await attacks[attack]()
