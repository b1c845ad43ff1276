import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'

interface Line {
  send(message: Uint8Array): void
  ping(): void
  end(code: number | undefined, reason: string | undefined): void
}

const OPEN = 1
const CLOSING = 2
const CLOSED = 3

/** Stands in for a WebSocket of another thread. Implements only what hocuspocus uses. */
export class RemoteSocket extends EventEmitter {
  binaryType = 'nodebuffer'
  readyState = OPEN
  readonly #line: Line

  constructor(line: Line) {
    super()
    this.#line = line
  }

  get isOpen(): boolean {
    return this.readyState === OPEN
  }

  send(message: Uint8Array, done?: (err?: Error) => void): void {
    this.#line.send(message)
    done?.()
  }

  ping(): void {
    this.#line.ping()
  }

  close(code?: number, reason?: string): void {
    if (this.readyState !== OPEN) return
    this.readyState = CLOSING
    this.#line.end(code, reason)
  }

  /** Called when the other thread reports that the socket has closed. */
  gone(code: number, reason: string): void {
    this.readyState = CLOSED
    this.emit('close', code, Buffer.from(reason))
  }

  asWebSocket(): WebSocket {
    return this as unknown as WebSocket
  }
}
