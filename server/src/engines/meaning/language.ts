import { eld } from 'eld/medium'

/** A language as ISO 639-1 names it. */
export type Language = string

/** Fewer candidates mean fewer wrong guesses on texts of three words. */
const CANDIDATES = 'en de es fr it pt nl pl sv fi cs ro hu tr ru uk ja zh ko'.split(' ')
/** Close to a tie, a short text is English: customers of all countries use its words for software. */
const TIE = 0.03

eld.setLanguageSubset(CANDIDATES)

/** Returns undefined for a text without words, such as emoji. */
export function detectLanguage(text: string): Language | undefined {
  if (!/\p{L}{2}/u.test(text)) return undefined
  const found = eld.detect(text.slice(0, 1_000))
  const scores = found.getScores()
  const best = scores[found.language] ?? 0
  return found.language === '' || (scores.en ?? 0) >= best - TIE ? 'en' : found.language
}
