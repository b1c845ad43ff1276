import { createRequire } from 'node:module'
import { eld } from 'eld/medium'

const require = createRequire(import.meta.url)
type Stemmer = { stem(word: string): string }
const snowball = require('snowball-stemmers') as { algorithms(): string[]; newStemmer(name: string): Stemmer }
const stopWords = require('stopwords-iso') as Record<string, string[]>

/** Fewer candidates mean fewer wrong guesses on texts of three words. */
const CANDIDATES = 'en de es fr it pt nl pl sv fi cs ro hu tr ru uk ja zh ko'.split(' ')
/** Further words that occur in every report, in whatever language: they explain nothing. */
const FILLERS =
  'add app apps feature features option support love nice pls issue issues problem test alguien alguém'.split(' ')
/** Where there is no stemmer, words with the same beginning count as forms of one word. */
const BEGINNING = 6
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

eld.setLanguageSubset(CANDIDATES)
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const names = new Intl.DisplayNames('en', { type: 'language' })
const languages = new Map<string, { stemmer: Stemmer; stops: Set<string> }>()

/** Returns undefined for a text without words, such as emoji. */
export function detectLanguage(text: string): string | undefined {
  if (!/\p{L}{2}/u.test(text)) return undefined
  return eld.detect(text.slice(0, 1_000)).language || 'en'
}

/** Returns undefined where it would be a guess, such as for three words. */
export function knownLanguage(text: string): string | undefined {
  const found = eld.detect(text.slice(0, 1_000))
  return found.isReliable() ? found.language : undefined
}

/** Splits a text into lowercase words. Keeps apostrophes inside a word, and of numbers only codes such as E-204. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  if (!WITHOUT_SPACES.test(plain)) return plain.match(/\p{L}+(?:['-]\p{L}+)*(?!-?\d)|\p{L}*-?\d{3,}/gu) ?? []
  return [...segmenter.segment(plain)].filter((one) => one.isWordLike).map((one) => one.segment)
}

/** The result need not be a word, only the same for all forms of a word. */
export const stemOf = (word: string, language: string) =>
  knownOf(language).stemmer.stem(word).normalize('NFD').replace(/\p{M}/gu, '')

/** True for words that say nothing by themselves, such as "the" or "aber". */
export const isStopWord = (word: string, language: string) =>
  knownOf(language).stops.has(word) || (word.length < 2 && !WITHOUT_SPACES.test(word))

function knownOf(language: string) {
  const known = languages.get(language)
  if (known) return known
  const name = names.of(language)!.toLowerCase()
  const stemmer = snowball.algorithms().includes(name)
    ? snowball.newStemmer(name)
    : { stem: (word: string) => (WITHOUT_SPACES.test(word) ? word : word.slice(0, BEGINNING)) }
  const one = { stemmer, stops: new Set([...(stopWords[language] ?? []), ...FILLERS]) }
  languages.set(language, one)
  return one
}
