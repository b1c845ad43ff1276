import * as Y from 'yjs'
import { MAX_STATE_BYTES } from './limits.ts'

export interface StateSize {
  /** Whether there is room for an update, which counts from then on. */
  takes(update: Uint8Array): boolean
  add(update: Uint8Array): void
}

/** How large a shared document may be by now. It is measured only when the updates add up to too much. */
export function watchSize(shared: Y.Doc, atFirst: number): StateSize {
  let bytes = atFirst
  return {
    takes(update) {
      if (bytes + update.length > MAX_STATE_BYTES) bytes = Y.encodeStateAsUpdate(shared).length
      if (bytes + update.length > MAX_STATE_BYTES) return false
      bytes += update.length
      return true
    },
    add(update) {
      bytes += update.length
    },
  }
}
