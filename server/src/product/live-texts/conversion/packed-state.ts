import { deflateSync, inflateSync } from 'node:zlib'

// Compresses shared states for storage and for sending between threads. Large ones shrink several times.

const PACKED_FROM_BYTES = 16_384
/** A prefix that no real state has: no clients, but deletions of more than a hundred. */
const MARK = Uint8Array.of(0x00, 0xff)
const FASTEST = { level: 1 }

export function packState(state: Uint8Array): Uint8Array {
  return state.length < PACKED_FROM_BYTES ? state : Buffer.concat([MARK, deflateSync(state, FASTEST)])
}

export function unpackState(state: Uint8Array): Uint8Array {
  return isPacked(state) ? inflateSync(state.subarray(MARK.length)) : state
}

/** A packed state without its mark, which HTTP calls `deflate`. Undefined if it was too short to be packed. */
export const deflatedState = (state: Uint8Array) => (isPacked(state) ? state.subarray(MARK.length) : undefined)

export const isPacked = (state: Uint8Array) => state[0] === MARK[0] && state[1] === MARK[1]
