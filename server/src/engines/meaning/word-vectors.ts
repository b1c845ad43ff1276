import { readFile } from 'node:fs/promises'
import { ASKING_WORDS } from './background.ts'
import type { Rarities } from './features.ts'
import { stemOf } from './words.ts'

export const WORD_SIZE = 100
/**
 * The damping constant of "smooth inverse frequency" weights: a lower value gives frequent words less weight.
 * `bench/triage` measures its effect.
 */
const FREQUENCY_DAMPING = 1e-3
const KNOWN_STEMS = 10_000
const ASKING_RARITY = 0.15

export interface WordVectors {
  /**
   * Returns the sum of the word vectors, weighted by rarity and normalized to length 1, or zeros if no word is known.
   */
  sum(words: readonly string[]): Float32Array
  has(word: string): boolean
  rarities: Rarities
}

/** Loads the table (`assets/README.md` names its source). It takes about 15 MB of memory. */
export async function loadWordVectors(file: URL): Promise<WordVectors> {
  const bytes = await readFile(file)
  const textLength = bytes.readUInt32LE(0)
  const words = bytes.toString('utf8', 8, 8 + textLength).split('\n')
  const places = new Map(words.map((word, place) => [word, place]))
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + 8 + textLength, words.length * WORD_SIZE)
  // By Zipf's law, the frequency rank of a word determines its frequency.
  const weightAt = (place: number) => FREQUENCY_DAMPING / (FREQUENCY_DAMPING + 0.1 / (place + 2.7))

  const rarities = new Map<string, number>()
  words.slice(0, KNOWN_STEMS).forEach((word, place) => {
    const term = stemOf(word, 'en')
    if (!rarities.has(term)) rarities.set(term, weightAt(place))
  })

  for (const word of ASKING_WORDS) rarities.set(stemOf(word, 'en'), ASKING_RARITY)

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
