import { ENCODED, type Encode, loadEncoder } from './encoder.ts'
import { stem, wordsOf } from './text.ts'
import { loadWordVectors, type Rarities, WORD_SIZE, type WordVectors } from './word-vectors.ts'

/** What a text is compared by. */
export interface Features {
  /** The meaning of the whole, then that of its words, each of length 127 at most in every direction. */
  meaning: Int8Array
  /** Its words without their endings, each once. */
  terms: string[]
}

export const MEANING = ENCODED + WORD_SIZE
/** Where in `meaning` which part begins and ends. */
export const PARTS = [
  { from: 0, to: ENCODED },
  { from: ENCODED, to: MEANING },
] as const
/** Changes when features of the same text come out otherwise: what was stored before is then made anew. */
export const FEATURES_VERSION = 1
/** What stands further behind is not read. */
export const READ = 2_000

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
      const start = text.slice(0, READ)
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
