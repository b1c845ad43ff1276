import { readFile } from 'node:fs/promises'
import { stem } from './text.ts'

export const WORD_SIZE = 100
/** How far the weight of frequent words is taken back ("smooth inverse frequency"). */
const FREQUENT = 1e-3
const KNOWN_STEMS = 10_000

/** For the most frequent stems of the language how rare they are, from 0 on; all others have 1. */
export type Rarities = ReadonlyMap<string, number>

export const rarityIn = (rarities: Rarities) => (term: string) => rarities.get(term) ?? 1

export interface WordVectors {
  /** The sum of the vectors of the words, each as heavy as it is rare, of length 1; zeros where no word is known. */
  sum(words: readonly string[]): Float32Array
  has(word: string): boolean
  rarities: Rarities
}

/** Reads the table (`assets/README.md` says where it is from); it takes about 15 MB from then on. */
export async function loadWordVectors(file: URL): Promise<WordVectors> {
  const bytes = await readFile(file)
  const textLength = bytes.readUInt32LE(0)
  const words = bytes.toString('utf8', 8, 8 + textLength).split('\n')
  const places = new Map(words.map((word, place) => [word, place]))
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + 8 + textLength, words.length * WORD_SIZE)
  // By Zipf's law the place in the order of frequency tells the frequency.
  const weightAt = (place: number) => FREQUENT / (FREQUENT + 0.1 / (place + 2.7))

  const rarities = new Map<string, number>()
  words.slice(0, KNOWN_STEMS).forEach((word, place) => {
    const term = stem(word)
    if (!rarities.has(term)) rarities.set(term, Math.sqrt(weightAt(place)))
  })

  return {
    has: (word) => places.has(word),
    rarities,
    sum(given) {
      const sum = new Float32Array(WORD_SIZE)
      for (const word of given) {
        const place = places.get(word)
        if (place === undefined) continue
        const at = place * WORD_SIZE
        let square = 0
        for (let i = 0; i < WORD_SIZE; i++) square += values[at + i]! ** 2
        const weight = weightAt(place) / Math.sqrt(square)
        for (let i = 0; i < WORD_SIZE; i++) sum[i]! += weight * values[at + i]!
      }
      let square = 0
      for (const value of sum) square += value ** 2
      const length = Math.sqrt(square) || 1
      for (let i = 0; i < WORD_SIZE; i++) sum[i]! /= length
      return sum
    },
  }
}
