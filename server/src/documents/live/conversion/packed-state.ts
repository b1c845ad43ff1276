import { deflateSync, inflateSync } from 'node:zlib'

/** A shared state as it is stored and sent between threads: a large one is several times smaller that way. */

const PACKED_FROM_BYTES = 16_384
/** How no state begins that has anything in it: without writers, but with what was deleted of over a hundred. */
const MARK = Uint8Array.of(0x00, 0xff)
const FASTEST = { level: 1 }

export function packState(state: Uint8Array): Uint8Array {
  return state.length < PACKED_FROM_BYTES ? state : Buffer.concat([MARK, deflateSync(state, FASTEST)])
}

export function unpackState(state: Uint8Array): Uint8Array {
  return isPacked(state) ? inflateSync(state.subarray(MARK.length)) : state
}

export const isPacked = (state: Uint8Array) => state[0] === MARK[0] && state[1] === MARK[1]
