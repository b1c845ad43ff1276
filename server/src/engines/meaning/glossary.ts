import { readFile } from 'node:fs/promises'
import { isStopWord, stemOf, wordsOf } from './words.ts'

/** The order of the columns in the file. */
const COLUMNS: string[] = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'ja']
/** Languages that write compounds as one word. */
const COMPOUNDING = new Set<string>(['de', 'nl', 'sv'])
/** Languages that shorten words before a vowel: "l'album". */
const ELIDING = new Set<string>(['fr', 'it'])
const SHORTEST_PART = 4
const MIN_COMPOUND = 8

/** Words for the same thing, in several languages. */
export interface Glossary {
  /**
   * Returns what a text speaks of, as it is written there, by term: the English stem of what the glossary knows, else
   * the word's own stem.
   */
  termsOf(text: string, language: string): Map<string, string>
  isKnown(term: string): boolean
}

/** Phrases by their first stem, the longest first. */
type Phrases = Map<string, Phrase[]>

interface Phrase {
  text: string
  stems: string[]
  term: string
}

interface Word {
  word: string
  stem: string
}

export async function loadGlossary(file: URL): Promise<Glossary> {
  const known = new Set<string>()
  const phrases = new Map<string, Phrases>(COLUMNS.map((language) => [language, new Map()]))
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const columns = line.split('|').map((column) => column.split(',').map((phrase) => phrase.trim()))
    const term = wordsOf(columns[0]![0]!)
      .map((word) => stemOf(word, 'en'))
      .join(' ')
    known.add(term)
    columns.forEach((column, index) => {
      for (const phrase of column) addPhrase(phrases.get(COLUMNS[index]!)!, phrase, COLUMNS[index]!, term)
    })
  }
  for (const byFirst of phrases.values())
    for (const list of byFirst.values()) list.sort((a, b) => b.stems.length - a.stems.length)
  return {
    termsOf: (text, language) => readTerms(phrases, text, language),
    isKnown: (term) => known.has(term),
  }
}

function addPhrase(phrases: Phrases, phrase: string, language: string, term: string): void {
  const words = stemsIn(phrase, language)
  const stems = words.map((one) => one.stem)
  const text = words.map((one) => one.word).join(' ')
  const list = phrases.get(stems[0]!)
  if (list) list.push({ text, stems, term })
  else phrases.set(stems[0]!, [{ text, stems, term }])
}

const stemsIn = (text: string, language: string) =>
  wordsOf(text)
    .flatMap((word) => word.split(ELIDING.has(language) ? /[-']/ : '-'))
    .map((word) => ({ word, stem: stemOf(word, language) }))

function readTerms(all: Map<string, Phrases>, text: string, language: string): Map<string, string> {
  const found = new Map<string, string>()
  const add = (term: string, written: string) => {
    if (!found.has(term)) found.set(term, written)
  }
  const own = all.get(language)
  const english = all.get('en')!
  const words = stemsIn(text, language)
  for (let at = 0; at < words.length; ) {
    const { word, stem } = words[at]!
    const match = own && longestMatch(own, words, at)
    if (match) {
      const written = words.slice(at, at + match.stems.length).map((one) => one.word)
      add(match.term, written.join(' '))
      at += match.stems.length
      continue
    }
    at++
    if (isStopWord(word, language)) continue
    // English words for software are used in every language.
    const loan = language === 'en' ? undefined : longestMatch(english, [{ word, stem: stemOf(word, 'en') }], 0)
    const parts = own && COMPOUNDING.has(language) && word.length >= MIN_COMPOUND ? partsOf(own, word) : []
    for (const term of loan ? [loan.term] : parts) add(term, word)
    if (!loan && parts.length < 2) add(stem, word)
  }
  return found
}

/** Of phrases with as many words, the one that is written like this: forms of two words can have the same stem. */
function longestMatch(phrases: Phrases, words: readonly Word[], at: number) {
  let best: Phrase | undefined
  for (const phrase of phrases.get(words[at]!.stem) ?? []) {
    const { stems, text } = phrase
    if (best && stems.length < best.stems.length) break
    if (!stems.every((stem, index) => words[at + index]?.stem === stem)) continue
    const written = words.slice(at, at + stems.length).map((one) => one.word)
    if (written.join(' ') === text) return phrase
    best ??= phrase
  }
  return best
}

/** The known words that a compound begins and ends with. */
function partsOf(phrases: Phrases, word: string): string[] {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '')
  const known = (part: string) =>
    part.length >= SHORTEST_PART ? phrases.get(part)?.find(({ stems }) => stems.length === 1)?.term : undefined
  const parts: string[] = []
  for (let end = plain.length - 2; end >= SHORTEST_PART; end--) {
    const term = known(plain.slice(0, end)) ?? known(stemOf(plain.slice(0, end), 'de'))
    if (term === undefined) continue
    parts.push(term)
    break
  }
  for (let from = SHORTEST_PART - 1; from <= plain.length - SHORTEST_PART; from++) {
    const term = known(plain.slice(from)) ?? known(stemOf(plain.slice(from), 'de'))
    if (term === undefined) continue
    parts.push(term)
    break
  }
  return [...new Set(parts)]
}
