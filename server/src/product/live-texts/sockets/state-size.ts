import * as Y from 'yjs'
import { MAX_STATE_BYTES } from './limits.ts'

export interface StateSize {
  /** Counts the update and returns true if there is room for it. */
  takes(update: Uint8Array): boolean
  add(update: Uint8Array): void
}

/** Limits the size of a shared document. Measures it only when the sum of the updates exceeds the limit. */
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
