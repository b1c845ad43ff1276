import { createRequire } from 'node:module'
import type { Language } from './language.ts'

interface Stemmer {
  stem(word: string): string
}
const require = createRequire(import.meta.url)
const snowball = require('snowball-stemmers') as { newStemmer(name: string): Stemmer }
const stopWords = require('stopwords-iso') as Record<Language, string[]>

/** The languages that Snowball has an algorithm for. */
const ALGORITHMS: Record<Language, string> = {
  en: 'english',
  de: 'german',
  es: 'spanish',
  fr: 'french',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  sv: 'swedish',
  fi: 'finnish',
  cs: 'czech',
  ro: 'romanian',
  hu: 'hungarian',
  tr: 'turkish',
  ru: 'russian',
}
/** Where there is no algorithm, words with the same beginning count as forms of one word. */
const BEGINNING = 6
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const stemmers = new Map<Language, Stemmer | undefined>()
const stops = new Map<Language, Set<string>>()
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Splits a text into lowercase words. Keeps apostrophes inside a word and leaves out numbers. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  if (!WITHOUT_SPACES.test(plain)) return plain.match(/\p{L}+(?:['-]\p{L}+)*/gu) ?? []
  return [...segmenter.segment(plain)].filter((one) => one.isWordLike).map((one) => one.segment)
}

/** The result need not be a word, only the same for all forms of a word. */
export function stemOf(word: string, language: Language): string {
  if (!stemmers.has(language)) {
    const name = ALGORITHMS[language]
    stemmers.set(language, name === undefined ? undefined : snowball.newStemmer(name))
  }
  const stemmer = stemmers.get(language)
  const stem = stemmer ? stemmer.stem(word) : WITHOUT_SPACES.test(word) ? word : word.slice(0, BEGINNING)
  return stem.normalize('NFD').replace(/\p{M}/gu, '')
}

/** True for words that say nothing by themselves, such as "the" or "aber". */
export function isStopWord(word: string, language: Language): boolean {
  let known = stops.get(language)
  if (!known) {
    known = new Set(stopWords[language])
    stops.set(language, known)
  }
  return known.has(word) || (word.length < 2 && !WITHOUT_SPACES.test(word))
}
