import { IncomingMessage, MessageType } from '@hocuspocus/server'
import * as Y from 'yjs'
import { FIELD } from '../conversion/read-fragment.ts'

/** The part of an editor's message that must be checked before hocuspocus sees it. */
export interface Sent {
  documentName: string
  is: 'key' | 'close' | 'question' | 'awareness' | 'update' | 'ignored'
  update: Uint8Array | undefined
}

const SYNC_STEP_1 = 0
const SYNC_STEP_2 = 1
const SYNC_UPDATE = 2

/** Throws if the bytes are not a message. */
export function readMessage(bytes: Uint8Array): Sent {
  const message = new IncomingMessage(bytes)
  const documentName = message.readVarString()
  const sent = (is: Sent['is'], update?: Uint8Array): Sent => ({ documentName, is, update })
  switch (message.readVarUint()) {
    case MessageType.Auth:
      return sent('key')
    case MessageType.CLOSE:
      return sent('close')
    case MessageType.Awareness:
      return sent('awareness')
    case MessageType.QueryAwareness:
      return sent('question')
    case MessageType.Sync:
    case MessageType.SyncReply: {
      const step = message.readVarUint()
      if (step === SYNC_STEP_1) return sent('question')
      if (step === SYNC_STEP_2 || step === SYNC_UPDATE) return sent('update', message.readVarUint8Array())
      throw new Error(`Unknown kind of sync message: ${step}.`)
    }
    default:
      // This includes stateless messages: clients have no reason to send them to the server or to each other.
      return sent('ignored')
  }
}

/** True if an update changes only the rich text of the document. Throws if the bytes are not an update. */
export function isRichText(update: Uint8Array): boolean {
  return Y.decodeUpdate(update).structs.every(
    (struct) =>
      !(struct instanceof Y.Item) ||
      typeof struct.parent !== 'string' ||
      // A struct with a key would be an entry of a map with that name.
      (struct.parent === FIELD && struct.parentSub === null),
  )
}
