import type { WebSocket } from 'ws'

const MAX_WAITING_BYTES = 16 * 1024 * 1024

/** Pauses the socket while too many bytes wait to be received. */
export function forwardMessages(socket: WebSocket, receive: (message: Uint8Array) => Promise<void>): void {
  let waiting = 0
  let isPaused = false
  socket.on('message', (message: Buffer) => {
    waiting += message.length
    if (waiting > MAX_WAITING_BYTES) {
      isPaused = true
      socket.pause()
    }
    // Posting a view sends its whole buffer, so a small message in a shared buffer is copied first.
    receive(message.length === message.buffer.byteLength ? message : new Uint8Array(message))
      .catch(() => undefined)
      .finally(() => {
        waiting -= message.length
        if (!isPaused || waiting > MAX_WAITING_BYTES) return
        isPaused = false
        socket.resume()
      })
  })
}
