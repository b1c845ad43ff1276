import { ENCODED, type Encode, loadEncoder } from './encoder.ts'
import { stem, wordsOf } from './text.ts'
import { loadWordVectors, type Rarities, WORD_SIZE, type WordVectors } from './word-vectors.ts'

/** The properties by which texts are compared. */
export interface Features {
  /** The sentence embedding, then the word embedding, each scaled so its largest component is 127. */
  meaning: Int8Array
  /** The stems of its words, without duplicates. */
  terms: string[]
}

export const MEANING = ENCODED + WORD_SIZE
/** The range of each part in `meaning`. */
export const PARTS = [
  { from: 0, to: ENCODED },
  { from: ENCODED, to: MEANING },
] as const
/** Increases when the same text yields different features. Stored features of older versions are then recomputed. */
export const FEATURES_VERSION = 1
/** The number of characters that are read. The rest of a longer text is ignored. */
export const READ_CHARACTERS = 2_000

export interface FeatureReader {
  read(text: string): Features
  rarities: Rarities
}

export async function loadFeatureReader(assets: URL): Promise<FeatureReader> {
  const [encode, words] = await Promise.all([
    loadEncoder(new URL('sentence-encoder.bin', assets)),
    loadWordVectors(new URL('word-vectors.bin', assets)),
  ])
  return createFeatureReader(encode, words)
}

function createFeatureReader(encode: Encode, vectors: WordVectors): FeatureReader {
  return {
    read(text) {
      const start = text.slice(0, READ_CHARACTERS)
      const words = wordsOf(start)
      const meaning = new Int8Array(MEANING)
      quantize(encode(start), meaning, 0)
      const known = words.flatMap((word) => (vectors.has(word) ? [word] : word.split("'")))
      quantize(vectors.sum(known), meaning, ENCODED)
      return { meaning, terms: [...new Set(known.map(stem))] }
    },
    rarities: vectors.rarities,
  }
}

function quantize(values: Float32Array, into: Int8Array, at: number): void {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  if (most === 0) return
  for (let i = 0; i < values.length; i++) into[at + i] = Math.round((values[i]! / most) * 127)
}
