import { loadFeatureReader } from '../../../engines/meaning/feature-reader.ts'
import type { Features } from '../../../engines/meaning/features.ts'
import { knownLanguage } from '../../../engines/meaning/words.ts'
import { cut } from '../../../engines/text/characters.ts'
import type { Priority } from '../../work-orders/index.ts'
import type { ThemeType } from '../themes/theme.ts'
import { harmOf, isAdvertising, priorityOf, typeOf } from './cues.ts'
import { mattersOf } from './matters.ts'
import * as phrases from './phrases.ts'
import { titleFrom } from './wording.ts'

/** One thing that a report is about. */
export interface Matter extends Features {
  excerpt: string
  title: string
  type: ThemeType
  priority: Priority
}

/** `not_sorted`: praise, noise, or too little to go on. `not_feedback`: advertising. Neither has matters. */
export type Verdict = 'feedback' | 'not_sorted' | 'not_feedback'

export interface ItemReading {
  verdict: Verdict
  matters: Matter[]
}

/** As long as the quote of a link without a chosen text. */
const EXCERPT = 280
const ENOUGH_WORDS = 2
const MOST_IN_PRAISE = 4
/** Who only names a thing in so few words would like to have it. */
const NAMES_ONLY = 6

/** Runs in a thread: see `read-texts.ts`. The models are there from its start to its end. */
const reader = await loadFeatureReader(new URL('../../../../assets/', import.meta.url))

export const readItems = (texts: string[]): ItemReading[] => texts.map(readItem)

/** The languages of texts. Undefined where it is not clear. */
export const readLanguages = (texts: string[]): (string | undefined)[] => texts.map(knownLanguage)

const typeOfSentence = (text: string) => typeOf({ text, terms: reader.terms(text) })

function readItem(text: string): ItemReading {
  if (isAdvertising(text)) return { verdict: 'not_feedback', matters: [] }
  const matters = mattersOf(text, (sentence) => typeOfSentence(sentence) !== 'other').flatMap(readMatter)
  return { verdict: matters.length > 0 ? 'feedback' : 'not_sorted', matters }
}

function readMatter(text: string): Matter[] {
  const features = reader.read(text)
  const said = { text, terms: features.terms }
  const found = typeOf(said)
  const isNamed = features.terms.some((term) => reader.isKnown(term))
  if (found === 'other' && phrases.PRAISE.test(text) && features.terms.length <= MOST_IN_PRAISE) return []
  const isBrief = found === 'other' && text.split(/\s+/).length < NAMES_ONLY
  if (!isNamed && features.terms.length < (isBrief ? ENOUGH_WORDS : 1)) return []
  const isOnlyNamed = isNamed && text.split(/\s+/).length <= NAMES_ONLY && !phrases.STATES.test(text)
  const type = found === 'other' && isOnlyNamed ? 'feature_request' : found
  // A leak is like other leaks, whatever part of the product it is in.
  const kind = harmOf(said) === 'leak' ? 'leak' : ''
  const priority = priorityOf(said, type)
  return [{ ...features, kind, excerpt: cut(text, EXCERPT), title: titleFrom(text, typeOfSentence), type, priority }]
}
