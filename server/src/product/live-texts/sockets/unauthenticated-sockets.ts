import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/**
 * How long a socket may take to authenticate, and how much it may send until then. A key and a name take a few hundred
 * bytes.
 */
const DEADLINE_MS = 10_000
const MAX_BYTES = 16 * 1024
const MAX_UNAUTHENTICATED = 512
/** Everyone behind a proxy has the same address. */
const MAX_UNAUTHENTICATED_PER_ADDRESS = 128

export interface UnauthenticatedSockets {
  hasRoomFor(address: string): boolean
  /** Returns a function to call when the socket is admitted. */
  watch(webSocket: WebSocket, socket: Duplex, address: string): () => void
}

/** Tracks the sockets that have not authenticated yet. Bounds their memory and their time. */
export function createUnauthenticatedSockets(): UnauthenticatedSockets {
  const addresses = new Map<string, number>()
  let total = 0

  const count = (address: string, change: 1 | -1) => {
    const next = (addresses.get(address) ?? 0) + change
    if (next === 0) addresses.delete(address)
    else addresses.set(address, next)
    total += change
  }

  return {
    hasRoomFor: (address) =>
      total < MAX_UNAUTHENTICATED && (addresses.get(address) ?? 0) < MAX_UNAUTHENTICATED_PER_ADDRESS,

    watch(webSocket, socket, address) {
      let received = 0
      let isUnauthenticated = true
      // Counts raw bytes, because a frame is buffered long before it becomes a message. The rest stays in the network
      // buffers: an editor may send more than this before it learns that it is admitted.
      const onBytes = (chunk: Buffer) => {
        received += chunk.length
        if (received > MAX_BYTES) webSocket.pause()
      }
      const stop = () => {
        if (!isUnauthenticated) return
        isUnauthenticated = false
        count(address, -1)
        clearTimeout(timer)
        socket.off('data', onBytes)
      }
      count(address, 1)
      const timer = setTimeout(() => webSocket.terminate(), DEADLINE_MS).unref()
      socket.on('data', onBytes)
      webSocket.once('close', stop)
      return () => {
        if (!isUnauthenticated) return
        stop()
        webSocket.resume()
      }
    },
  }
}
