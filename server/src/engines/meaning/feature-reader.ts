import { loadEncoder } from './encoder.ts'
import { BUILT_IN, type Features, relativeTo } from './features.ts'
import { loadGlossary } from './glossary.ts'
import { NEUTRAL } from './neutral.ts'
import { detectLanguage } from './words.ts'

/** Needs tens of megabytes for its tables, so only threads import this module. */
export interface FeatureReader {
  read(text: string): Features
  /** Only the terms, which is quick. */
  terms(text: string): string[]
  /** True for a term that the glossary explains. */
  isKnown(term: string): boolean
}

export async function loadFeatureReader(assets: URL): Promise<FeatureReader> {
  const [encode, glossary] = await Promise.all([loadEncoder(assets), loadGlossary(new URL('glossary.txt', assets))])
  const centre = relativeTo(NEUTRAL.map(encode))
  return {
    read(text) {
      const language = detectLanguage(text)
      const found = language === undefined ? new Map() : glossary.termsOf(text, language)
      return {
        language: language ?? '',
        kind: '',
        encoder: BUILT_IN,
        // The encoder knows English only. Its vectors of other languages say nothing but "not English".
        vector: language === 'en' ? centre(encode(text)) : undefined,
        terms: [...found.keys()],
        forms: [...found.values()],
      }
    },
    terms(text) {
      const language = detectLanguage(text)
      return language === undefined ? [] : [...glossary.termsOf(text, language).keys()]
    },
    isKnown: glossary.isKnown,
  }
}
