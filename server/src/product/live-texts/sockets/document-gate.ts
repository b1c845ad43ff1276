import { MAX_MESSAGE_BYTES } from './limits.ts'
import { readMessage, type Sent } from './messages.ts'

/** Our own close codes, each derived from the equivalent HTTP status. */
export const GARBLED = { code: 4400, reason: 'Not a message of the hocuspocus protocol' }
const NOT_ADMITTED = { code: 4403, reason: 'Not admitted to this document' }
export const TOO_LARGE = { code: 4413, reason: 'Too large' }
export const NOT_RICH_TEXT = { code: 4422, reason: 'Only the fragment "default" can be edited' }

export type Refusal = { code: number; reason: string }

interface RequestedDocument {
  is: 'asked' | 'open' | 'refused'
  /** The bytes that hocuspocus buffers until the document is open. */
  waitingBytes: number
}

export interface DocumentGate {
  /** Decides whether to pass a message on, drop it or close the socket. */
  judge(message: Uint8Array): 'pass' | 'drop' | Refusal
  open(documentName: string): void
  refuse(documentName: string): void
  leave(documentName: string): void
}

/** The limit of requested documents that are not open. Hocuspocus remembers each of them while the socket is open. */
const MAX_UNOPENED = 100

/**
 * Tracks the documents that one socket has requested. Hocuspocus buffers all messages for a document until it is open,
 * so messages for documents that were refused or never requested must not reach it.
 */
export function createDocumentGate(): DocumentGate {
  const requested = new Map<string, RequestedDocument>()
  const countUnopened = () => [...requested.values()].filter((document) => document.is !== 'open').length

  function judgeSent({ documentName, is }: Sent, bytes: number): 'pass' | 'drop' | Refusal {
    if (is === 'ignored') return 'drop'
    const document = requested.get(documentName)
    if (is === 'key') {
      if (document) return 'drop'
      if (countUnopened() >= MAX_UNOPENED) return NOT_ADMITTED
      requested.set(documentName, { is: 'asked', waitingBytes: bytes })
      return 'pass'
    }
    // Providers keep sending questions and cursors after a refusal.
    if (!document || document.is === 'refused') return is === 'update' ? NOT_ADMITTED : 'drop'
    if (document.is === 'asked') document.waitingBytes += bytes
    return document.waitingBytes > MAX_MESSAGE_BYTES ? TOO_LARGE : 'pass'
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
    open: (documentName) => void requested.set(documentName, { is: 'open', waitingBytes: 0 }),
    refuse: (documentName) => void requested.set(documentName, { is: 'refused', waitingBytes: 0 }),
    leave: (documentName) => void requested.delete(documentName),
  }
}
