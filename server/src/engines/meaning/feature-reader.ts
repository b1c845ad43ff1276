import { loadEncoder } from './encoder.ts'
import { BUILT_IN, type Features, relativeTo } from './features.ts'
import { loadGlossary } from './glossary.ts'
import { NEUTRAL } from './neutral.ts'
import { detectLanguage } from './words.ts'

/** Needs tens of megabytes for its tables, so only threads import this module. */
export async function loadFeatureReader(assets: URL) {
  const [encode, glossary] = await Promise.all([loadEncoder(assets), loadGlossary(new URL('glossary.txt', assets))])
  const centre = relativeTo(NEUTRAL.map(encode))
  const formsIn = (text: string, language = detectLanguage(text)) =>
    language === undefined ? new Map<string, string>() : glossary.termsOf(text, language)
  return {
    read(text: string): Features {
      const language = detectLanguage(text)
      const forms = formsIn(text, language)
      return {
        kind: '',
        encoder: BUILT_IN,
        // The encoder knows English only. Its vectors of other languages say nothing but "not English".
        vector: language === 'en' ? centre(encode(text)) : undefined,
        terms: [...forms.keys()],
        forms: [...forms.values()],
      }
    },
    /** Only the terms, which is quick. */
    terms: (text: string) => [...formsIn(text).keys()],
    /** True for a term that the glossary explains. */
    isKnown: glossary.isKnown,
  }
}

export type FeatureReader = Awaited<ReturnType<typeof loadFeatureReader>>
