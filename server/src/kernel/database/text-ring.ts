const LENGTH_BYTES = 4

/**
 * Texts outside of the heap, in a fixed number of bytes: each is written behind the last one, and so over the oldest. The
 * garbage collector neither copies nor looks through them. Bytes are taken from the system as they are first written to.
 */
export class TextRing {
  readonly #bytes: Buffer
  /** Bytes that were ever written, with those left over at the end of a lap. */
  #written = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  /** Where it is, for as long as it is there. It must be smaller than the ring. */
  write(text: string): number {
    const size = this.#bytes.length
    const length = Buffer.byteLength(text)
    const left = size - (this.#written % size)
    if (left < LENGTH_BYTES + length) this.#written += left
    const place = this.#written
    this.#bytes.writeUInt32LE(length, place % size)
    this.#bytes.write(text, (place % size) + LENGTH_BYTES)
    this.#written += LENGTH_BYTES + length
    return place
  }

  has(place: number): boolean {
    return place >= this.#written - this.#bytes.length
  }

  read(place: number): string | undefined {
    if (!this.has(place)) return undefined
    const start = (place % this.#bytes.length) + LENGTH_BYTES
    return this.#bytes.toString('utf8', start, start + this.#bytes.readUInt32LE(start - LENGTH_BYTES))
  }

  /** Whether half of what is there was written later. */
  isOld(place: number): boolean {
    return place < this.#written - this.#bytes.length / 2
  }

  /** How many times the ring had been written all around before this place. */
  lapOf(place: number): number {
    return Math.floor(place / this.#bytes.length)
  }
}
