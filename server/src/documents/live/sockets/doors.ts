import { MAX_MESSAGE_BYTES } from './limits.ts'
import { readMessage, type Sent } from './messages.ts'

/** Close codes of our own, after the HTTP status that says the same. */
export const GARBLED = { code: 4400, reason: 'Not a message of the hocuspocus protocol' }
const NOT_ADMITTED = { code: 4403, reason: 'Not admitted to this document' }
export const TOO_LARGE = { code: 4413, reason: 'Too large' }
export const NOT_RICH_TEXT = { code: 4422, reason: 'Only the fragment "default" can be edited' }

export type Refusal = { code: number; reason: string }

interface Door {
  is: 'asked' | 'open' | 'refused'
  /** What hocuspocus keeps until it is open. */
  waitingBytes: number
}

export interface Doors {
  /** What to do with a message: hand it on, drop it, or close the socket. */
  judge(message: Uint8Array): 'pass' | 'drop' | Refusal
  open(documentName: string): void
  refuse(documentName: string): void
  leave(documentName: string): void
}

/** Those that were asked for and are not open. Hocuspocus remembers each of them for as long as the socket is open. */
const MAX_CLOSED = 100

/**
 * The documents that one socket has asked for. Hocuspocus keeps whatever comes for a document until that is open, so
 * nothing is handed on for one that was refused or never asked for.
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
    // Providers go on asking, and showing their cursor, after they were refused.
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
