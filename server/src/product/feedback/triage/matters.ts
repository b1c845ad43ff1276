import { sentencesOf } from '../../../engines/meaning/sentences.ts'
import * as phrases from './phrases.ts'

/** A part of a text, and whether the writer says that something new begins. */
interface Sentence {
  text: string
  startsMatter: boolean
}

/** A report this short is about one thing. */
const SHORT = 110
const MOST_MATTERS = 5

/**
 * Splits a text into what it asks for or complains about. A mail with three requests becomes three matters; greetings,
 * politeness and signatures are left out. `speaks` tells whether a sentence says what is wrong or wanted.
 */
export function mattersOf(text: string, speaks: (sentence: string) => boolean): string[] {
  const sentences = readSentences(text)
  if (sentences.length === 0) return []
  const isList = sentences.length > 1 && sentences.some((one) => one.startsMatter)
  const whole = sentences.map((one) => one.text).join(' ')
  if (!isList && whole.length <= SHORT) return [whole]
  const matters: { text: string; speaks: boolean }[] = []
  for (const { text: sentence, startsMatter } of sentences) {
    const says = (startsMatter && isList) || speaks(sentence)
    const last = matters.at(-1)
    if (isList && !last && !startsMatter && phrases.ANNOUNCES.test(sentence)) continue
    if (!last || (startsMatter && says)) matters.push({ text: sentence, speaks: says })
    else if (!last.speaks && says) {
      // What came before only led up to this.
      last.text = sentence
      last.speaks = true
    } else if (says || last.text.length < SHORT) last.text = `${last.text} ${sentence}`
  }
  const telling = matters.filter((one) => one.speaks)
  return (telling.length > 0 ? telling : matters.slice(0, 1)).slice(0, MOST_MATTERS).map((one) => one.text)
}

function readSentences(text: string): Sentence[] {
  const found: Sentence[] = []
  for (const line of text.split(/\r?\n/)) {
    if (phrases.QUOTED.test(line)) {
      if (/^-{2,}\s*$/.test(line)) break
      continue
    }
    const isListed = phrases.LISTED.test(line)
    for (const [index, sentence] of sentencesOf(line.replace(phrases.LISTED, '')).entries()) {
      const bare = sentence.replace(phrases.GREETING, '').trim()
      // The signature follows the closing.
      if (found.length > 0 && phrases.CLOSING.test(bare)) return found
      if (bare === '' || phrases.CLOSING.test(bare)) continue
      const isNext = phrases.NEXT.test(bare)
      const rest = bare.replace(phrases.NEXT, '')
      if (isPleasantry(rest)) continue
      found.push({ text: rest, startsMatter: isNext || (isListed && index === 0) })
    }
  }
  return found
}

/** A kind sentence that says nothing else. */
const isPleasantry = (sentence: string) =>
  phrases.PLEASANTRY.test(sentence) && !/\b(but|however|not|n't|aber|nicht|pero|mais|ma|mas|maar)\b/i.test(sentence)
