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

/** A WebSocket that another thread holds, as far as hocuspocus looks at one. */
export class GuestSocket extends EventEmitter {
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

  /** The other thread says that it is gone. */
  gone(code: number, reason: string): void {
    this.readyState = CLOSED
    this.emit('close', code, Buffer.from(reason))
  }

  asWebSocket(): WebSocket {
    return this as unknown as WebSocket
  }
}
