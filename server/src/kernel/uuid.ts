import { randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(8 * 512)
let used = pool.length
let lastMs = 0
let sequence = 0

/**
 * Generates a UUIDv7 (RFC 9562). The 12 bits after the timestamp count within a millisecond, so ids from one process
 * sort in the order of their creation. The other 62 bits are random.
 */
export function uuidv7(now = Date.now()): string {
  if (used + 8 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  if (now > lastMs) {
    lastMs = now
    sequence = pool[used]! & 0x7f
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const tail = pool.toString('hex', used, used + 8)
  const variant = ((pool[used]! & 0x3f) | 0x80).toString(16)
  used += 8
  const counter = sequence.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${tail.slice(2, 4)}-${tail.slice(4)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string) => UUID.test(text)
