import { MEANING } from './features.ts'
import { createMatrices } from './multiply.ts'

const INITIAL_CAPACITY = 256
const ROWS = 4

/** Compares one text with the centres of many groups in one pass. */
export class CentreTable {
  #capacity = INITIAL_CAPACITY
  #parts = allocateTable(INITIAL_CAPACITY)
  readonly #slots = new Map<string, number>()
  readonly #unused: number[] = []

  has(key: string): boolean {
    return this.#slots.has(key)
  }

  set(key: string, centre: Float32Array): void {
    const slot = this.#slots.get(key) ?? this.#unused.pop() ?? this.#slots.size
    if (slot >= this.#capacity) this.#grow()
    this.#slots.set(key, slot)
    // The layout that `multiply` expects: eight columns stored together.
    const at = (slot - (slot % 8)) * MEANING + (slot % 8)
    for (let i = 0; i < MEANING; i++) this.#parts.centres[at + i * 8] = centre[i]!
  }

  delete(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    this.#unused.push(slot)
  }

  clear(): void {
    this.#slots.clear()
    this.#unused.length = 0
  }

  /** Returns the keys of the most similar centres, nearest first. */
  nearest(vector: Float32Array, limit: number): string[] {
    const { matrices, text, centres, zeros, out } = this.#parts
    text.set(vector)
    matrices.multiply(text, centres, zeros, out, ROWS, MEANING, this.#capacity)
    return [...this.#slots]
      .sort((a, b) => out[b[1]]! - out[a[1]]!)
      .slice(0, limit)
      .map(([key]) => key)
  }

  #grow(): void {
    const parts = allocateTable(this.#capacity * 2)
    parts.centres.set(this.#parts.centres)
    this.#parts = parts
    this.#capacity *= 2
  }
}

function allocateTable(capacity: number) {
  const matrices = createMatrices(capacity * (MEANING + 1 + ROWS) + ROWS * MEANING + 16)
  return {
    matrices,
    centres: matrices.allocate(capacity * MEANING),
    text: matrices.allocate(ROWS * MEANING),
    zeros: matrices.allocate(capacity),
    out: matrices.allocate(ROWS * capacity),
  }
}
