import type { Language } from './language.ts'

/** The properties by which texts are compared. */
export interface Features {
  /** Empty for a text without words. */
  language: Language
  /** Texts of different kinds are less alike. The reader knows no kinds; callers do. */
  kind: string
  /** What made the vectors. Vectors of different encoders are never compared. */
  encoder: string
  /** None if the encoder does not understand the language. The largest component of each is 127. */
  vectors: Int8Array[]
  /** What the text speaks of, the same in all languages that the glossary knows. */
  terms: string[]
  /** The terms as they are written in the text. */
  forms: string[]
  /** The terms and the stems of all its words, to compare it with texts in the same language. */
  words: string[]
}

export const BUILT_IN = 'built-in'
/** Increases when the same text yields different features. Stored features of older versions are then recomputed. */
export const FEATURES_VERSION = 2

/** The rarity of the most frequent stems of English, from 0 up. All other stems have rarity 1. */
export type Rarities = ReadonlyMap<string, number>

export const rarityIn = (rarities: Rarities) => (term: string) => rarities.get(term) ?? 1

/** Scales a vector so that its largest component is 127. */
export function quantize(values: ArrayLike<number>): Int8Array {
  let most = 0
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!))
  return Int8Array.from(values, (value) => Math.round((value / (most || 1)) * 127))
}
