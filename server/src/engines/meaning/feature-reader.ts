import { type Encode, loadEncoder } from './encoder.ts'
import { BUILT_IN, type Features, quantize, type Rarities } from './features.ts'
import { type Glossary, loadGlossary } from './glossary.ts'
import { detectLanguage } from './language.ts'
import { loadWordVectors, type WordVectors } from './word-vectors.ts'
import { isStopWord, stemOf, wordsOf } from './words.ts'

/** Needs tens of megabytes for its tables, so only threads import this module. */
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
        return { language: '', kind: '', encoder: BUILT_IN, vectors: [], terms: [], forms: [], words: [] }
      const found = glossary.termsOf(text, language)
      const [terms, forms] = [[...found.keys()], [...found.values()]]
      const stems = wordsOf(text)
        .flatMap((word) => word.split(/['-]/))
        .filter((word) => word !== '' && (language === 'en' || !isStopWord(word, language)))
        .map((word) => stemOf(word, language))
      const vectors = language === 'en' ? encodeAll(text) : []
      return { language, kind: '', encoder: BUILT_IN, vectors, terms, forms, words: [...new Set([...terms, ...stems])] }
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
