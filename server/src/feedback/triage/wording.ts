import { sentencesOf, stem, wordsOf } from '../../engines/meaning/text.ts'
import { EXCERPT_LENGTH } from '../items/feedback-item.ts'
import { typeOf } from './cues.ts'

const TITLE = 70

const GREETING = /^((hi|hello|hey|dear|good (morning|afternoon|evening))\b[^,.!?]{0,30}[,.!?]\s*)+/i
const POLITENESS = /^(please|kindly|so|well|ok(ay)?|also|and|but|anyway|just|sorry|excuse me|help)\b[,:!]?\s+/i
const CLOSING = /\s*(,?\s*(please|thanks|thank you|thx|help|pls))*\s*[.!?…]*$/i

/** Picks the sentence that says the most: what is wrong or wanted, rather than who says it. */
export function excerptFrom(text: string, rarity: (term: string) => number): string {
  const sentences = sentencesOf(text)
  let best = ''
  let most = -1
  for (const [index, sentence] of sentences.slice(0, 40).entries()) {
    const terms = new Set(wordsOf(sentence).map(stem))
    let weight = 0
    for (const term of terms) weight += rarity(term)
    const says = Math.min(weight, 6) + (typeOf(sentence) === 'other' ? 0 : 2) - index * 0.2 - (terms.size > 40 ? 2 : 0)
    if (says > most) {
      most = says
      best = sentence
    }
  }
  return cutAt(best || text.trim(), EXCERPT_LENGTH)
}

/** Turns a sentence into the title of a theme. */
export function titleFrom(sentence: string): string {
  let title = sentence
    .replace(/[*_`#>[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  title = title.replace(GREETING, '')
  for (let rest = title.replace(POLITENESS, ''); rest !== title; rest = title.replace(POLITENESS, '')) title = rest
  const isQuestion = /\?\s*$/.test(title)
  title = title.replace(CLOSING, '').trim() || sentence.trim()
  if (title.length > TITLE) {
    const clause = title.split(/[,;:(–]|\s-\s|\b(?:because|although|even though|since|but)\b/)[0]!.trim()
    title = clause.length >= 20 && clause.length <= TITLE ? clause : cutAt(title, TITLE)
  }
  const shown = title.charAt(0).toUpperCase() + title.slice(1)
  return isQuestion && !/[…?]$/.test(shown) && shown.length < TITLE ? `${shown}?` : shown
}

/** Cuts at the end of a word. */
function cutAt(text: string, length: number): string {
  const symbols = [...text]
  if (symbols.length <= length) return text.toWellFormed()
  const start = symbols.slice(0, length - 1).join('')
  const space = start.lastIndexOf(' ')
  return `${(space > length / 2 ? start.slice(0, space) : start).replace(/[,;:\s]+$/, '')}…`.toWellFormed()
}

/** Returns the words of the text that have these stems, as they are written. */
export function wordsFor(terms: readonly string[], text: string): string[] {
  const forms = new Map<string, string>()
  for (const word of wordsOf(text)) {
    for (const part of [word, ...word.split("'")]) if (!forms.has(stem(part))) forms.set(stem(part), part)
  }
  return terms.map((term) => forms.get(term) ?? term).filter((word) => word.length > 2)
}

const score = (value: number) => `Score ${value.toFixed(2)}.`
const listed = (words: readonly string[]) => words.map((word) => `*${word}*`).join(', ')

export interface Reasoned {
  item: string
  theme: string
  title: string
  shared: string[]
  score: number
}

export const joinedReason = ({ item, theme, title, shared, score: value }: Reasoned) =>
  shared.length > 0
    ? `${item} shares ${listed(shared)} with ${theme} "${title}", and means much the same. ${score(value)}`
    : `${item} means much the same as what is in ${theme} "${title}", in other words. ${score(value)}`

export const openedReason = ({ item, theme, title, score: value }: Reasoned, nearest: string | undefined) =>
  nearest === undefined
    ? `${item} opens ${theme} "${title}": there was no theme yet. ${score(value)}`
    : `${item} opens ${theme} "${title}": the nearest theme, ${nearest}, is not near enough. ${score(value)}`
