import { type Encode, loadEncoder } from './encoder.ts'
import { type Glossary, loadGlossary } from './glossary.ts'
import { detectLanguage, type Language } from './language.ts'
import { loadWordVectors, type Rarities, type WordVectors } from './word-vectors.ts'
import { isStopWord, stemOf, wordsOf } from './words.ts'

/** The properties by which texts are compared. */
export interface Features {
  /** Empty for a text without words. */
  language: Language
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

export interface FeatureReader {
  read(text: string): Features
  /** Only the terms, which is quick. */
  terms(text: string): string[]
  /** Only the vectors, of a text in English. */
  encode(text: string): Int8Array[]
  /** True for a term that the glossary explains. */
  isKnown(term: string): boolean
  rarities: Rarities
}

export async function loadFeatureReader(assets: URL): Promise<FeatureReader> {
  const [encode, words, glossary] = await Promise.all([
    loadEncoder(new URL('sentence-encoder.bin', assets)),
    loadWordVectors(new URL('word-vectors.bin', assets)),
    loadGlossary(new URL('glossary.txt', assets)),
  ])
  return createFeatureReader(encode, words, glossary)
}

function createFeatureReader(encode: Encode, wordVectors: WordVectors, glossary: Glossary): FeatureReader {
  const encodeAll = (text: string) => {
    const known = wordsOf(text).flatMap((word) => (wordVectors.has(word) ? [word] : word.split(/['-]/)))
    return [quantize(encode(text)), quantize(wordVectors.sum(known))]
  }
  return {
    read(text) {
      const language = detectLanguage(text)
      if (language === undefined)
        return { language: '', encoder: BUILT_IN, vectors: [], terms: [], forms: [], words: [] }
      const found = glossary.termsOf(text, language)
      const [terms, forms] = [[...found.keys()], [...found.values()]]
      const stems = wordsOf(text)
        .flatMap((word) => word.split(/['-]/))
        .filter((word) => word !== '' && (language === 'en' || !isStopWord(word, language)))
        .map((word) => stemOf(word, language))
      const vectors = language === 'en' ? encodeAll(text) : []
      return { language, encoder: BUILT_IN, vectors, terms, forms, words: [...new Set([...terms, ...stems])] }
    },
    terms(text) {
      const language = detectLanguage(text)
      return language === undefined ? [] : [...glossary.termsOf(text, language).keys()]
    },
    encode: encodeAll,
    isKnown: glossary.isKnown,
    rarities: wordVectors.rarities,
  }
}

/** Scales a vector so that its largest component is 127. */
export function quantize(values: ArrayLike<number>): Int8Array {
  let most = 0
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!))
  return Int8Array.from(values, (value) => Math.round((value / (most || 1)) * 127))
}
