import { readFile } from 'node:fs/promises'
import { isStopWord, stemOf, wordsOf } from './words.ts'

/** The order of the columns in the file. */
const COLUMNS = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'ja']
/** Languages that write compounds as one word. */
const COMPOUNDING = new Set(['de', 'nl', 'sv'])
const SHORTEST_PART = 4
const MIN_COMPOUND = 8

/** Words for the same thing, in several languages. */
export async function loadGlossary(file: URL) {
  /** The term of each phrase, by its language and words, and by their stems: forms of two words can have one stem. */
  const terms = new Map<string, string>()
  let longest = 1
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const columns = line.split('|').map((column) => column.split(','))
    const term = stemsOf(columns[0]![0]!, 'en').join(' ')
    for (const [index, column] of columns.entries())
      for (const phrase of column) {
        const words = partsBetween(phrase)
        longest = Math.max(longest, words.length)
        for (const key of [`=${words.join(' ')}`, stemsOf(phrase, COLUMNS[index]!).join(' ')])
          if (!terms.has(`${COLUMNS[index]} ${key}`)) terms.set(`${COLUMNS[index]} ${key}`, term)
      }
  }
  const known = new Set(terms.values())

  return {
    isKnown: (term: string) => known.has(term),
    /**
     * Returns what a text speaks of, as it is written there, by term: the English stem of what the glossary knows, else
     * the word's own stem.
     */
    termsOf(text: string, language: string): Map<string, string> {
      const found = new Map<string, string>()
      const words = partsBetween(text)
      const stems = words.map((word) => stemOf(word, language))
      for (let at = 0, length = 1; at < words.length; at += length) {
        const termAt = (end: number) =>
          terms.get(`${language} =${words.slice(at, end).join(' ')}`) ??
          terms.get(`${language} ${stems.slice(at, end).join(' ')}`)
        length = Math.min(longest, words.length - at)
        while (length > 1 && termAt(at + length) === undefined) length--
        const written = words.slice(at, at + length).join(' ')
        const term = termAt(at + length)
        const parts = term !== undefined ? [term] : isStopWord(written, language) ? [] : partsOf(written, language)
        if (term === undefined && parts.length < 2 && !isStopWord(written, language)) parts.push(stems[at]!)
        for (const one of parts) if (!found.has(one)) found.set(one, written)
      }
      return found
    },
  }

  /** The known words that a compound begins and ends with, the longest of each. */
  function partsOf(word: string, language: string): string[] {
    if (!COMPOUNDING.has(language) || word.length < MIN_COMPOUND) return []
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '')
    const termOf = (part: string) =>
      terms.get(`${language} ${part}`) ?? terms.get(`${language} ${stemOf(part, language)}`)
    let [first, last]: (string | undefined)[] = []
    for (let length = plain.length - SHORTEST_PART + 1; length >= SHORTEST_PART; length--) {
      first ??= termOf(plain.slice(0, length))
      last ??= termOf(plain.slice(-length))
    }
    return [...new Set([first, last])].filter((term) => term !== undefined)
  }
}

const partsBetween = (text: string) => wordsOf(text).flatMap((word) => word.split(/-|(?<=^\p{L}{1,2})'/u))
const stemsOf = (phrase: string, language: string) => partsBetween(phrase).map((word) => stemOf(word, language))
