import { MAX_MESSAGE_BYTES } from './limits.ts'
import { readMessage, type Sent } from './messages.ts'

/** Our own close codes, each derived from the equivalent HTTP status. */
export const GARBLED = { code: 4400, reason: 'Not a message of the hocuspocus protocol' }
const NOT_ADMITTED = { code: 4403, reason: 'Not admitted to this document' }
export const TOO_LARGE = { code: 4413, reason: 'Too large' }
export const NOT_RICH_TEXT = { code: 4422, reason: 'Only the fragment "default" can be edited' }

export type Refusal = { code: number; reason: string }

interface Door {
  is: 'asked' | 'open' | 'refused'
  /** The bytes that hocuspocus buffers until the document is open. */
  waitingBytes: number
}

export interface Doors {
  /** Decides whether to pass a message on, drop it or close the socket. */
  judge(message: Uint8Array): 'pass' | 'drop' | Refusal
  open(documentName: string): void
  refuse(documentName: string): void
  leave(documentName: string): void
}

/** The limit of requested documents that are not open. Hocuspocus remembers each of them while the socket is open. */
const MAX_CLOSED = 100

/**
 * Tracks the documents that one socket has requested. Hocuspocus buffers all messages for a document until it is open,
 * so messages for documents that were refused or never requested must not reach it.
 */
export function createDoors(): Doors {
  const doors = new Map<string, Door>()
  const countClosed = () => [...doors.values()].filter((door) => door.is !== 'open').length

  function judgeSent({ documentName, is }: Sent, bytes: number): 'pass' | 'drop' | Refusal {
    if (is === 'ignored') return 'drop'
    const door = doors.get(documentName)
    if (is === 'key') {
      if (door) return 'drop'
      if (countClosed() >= MAX_CLOSED) return NOT_ADMITTED
      doors.set(documentName, { is: 'asked', waitingBytes: bytes })
      return 'pass'
    }
    // Providers keep sending questions and cursors after a refusal.
    if (!door || door.is === 'refused') return is === 'update' ? NOT_ADMITTED : 'drop'
    if (door.is === 'asked') door.waitingBytes += bytes
    return door.waitingBytes > MAX_MESSAGE_BYTES ? TOO_LARGE : 'pass'
  }

  return {
    judge(message) {
      let sent: Sent
      try {
        sent = readMessage(message)
      } catch {
        return GARBLED
      }
      return judgeSent(sent, message.length)
    },
    open: (documentName) => void doors.set(documentName, { is: 'open', waitingBytes: 0 }),
    refuse: (documentName) => void doors.set(documentName, { is: 'refused', waitingBytes: 0 }),
    leave: (documentName) => void doors.delete(documentName),
  }
}
