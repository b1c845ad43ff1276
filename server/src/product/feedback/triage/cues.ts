import type { Priority } from '../../work-orders/index.ts'
import type { ThemeType } from '../themes/theme.ts'
import * as phrases from './phrases.ts'

/** A sentence or matter with the terms that the glossary found in it. */
export interface Said {
  text: string
  terms: readonly string[]
}

const has = (said: Said, ...terms: string[]) => terms.some((term) => said.terms.includes(term))

/** Guesses the type of a matter from what its writer asks for. */
export function typeOf(said: Said): ThemeType {
  const { text } = said
  if (has(said, 'slow') || /\btim(es|ed) out\b|\btakes? \d+ (sec|min)/i.test(text)) return 'performance'
  const isHarm = harmOf(said) !== undefined
  const fails = isHarm || has(said, ...phrases.FAULTS) || phrases.FAILS.test(text) || phrases.GOES_WRONG.test(text)
  if (phrases.ASKS.test(text) && !isHarm && !/^\s*why\b/i.test(text)) {
    if (phrases.ASKS_FOR.test(text)) return 'feature_request'
    if (!has(said, 'crash', 'error', 'bug', 'stuck', 'wrong') || /\bhow (do|can|to)\b/i.test(text)) return 'question'
  }
  if (phrases.ASKS_FOR.test(text) && !isHarm && !/\b(fix|help me|please help|refund|money back)\b/i.test(text))
    return 'feature_request'
  if (phrases.COULD_BE_BETTER.test(text) && !fails) return 'improvement'
  if (phrases.WANTS.test(text) && !has(said, ...phrases.FAULTS) && !phrases.FAILS.test(text)) return 'feature_request'
  if (fails) return 'bug'
  if (phrases.PLEASE.test(text)) return 'feature_request'
  return 'other'
}

/** A leak is urgent as well. */
type Harm = 'leak' | 'urgent' | 'high'

/** How bad it is for the customer: privacy, safety and data first, then money and access. */
export function harmOf(said: Said): Harm | undefined {
  const { text } = said
  const isOthers = phrases.STRANGERS.test(text) || has(said, 'stranger')
  const isSecret = isOthers || phrases.SECRET.test(text) || has(said, 'privaci')
  const isLeaked = phrases.SEES.test(text) ? isSecret : isOthers && phrases.COMES_UPON.test(text)
  if (isLeaked || phrases.HACKED.test(text)) return 'leak'
  const isOutage = phrases.EVERYONE.test(text) && phrases.FAILS.test(text)
  const isGone = has(said, 'lost') || (has(said, 'delet') && phrases.DELETED.test(text))
  const isWork = phrases.WORK.test(text) || has(said, 'draft', 'album', 'photo', 'entri', 'file', 'note', 'product')
  if (phrases.DANGER.test(text) || isOutage || (isGone && isWork)) return 'urgent'
  const isOff =
    has(said, 'doubl', 'wrong', 'refund', 'late') ||
    /\b(still|without asking|never agreed|although|obwohl|but|not? (arriv\w+|received))\b/i.test(text)
  const isMoney = isOff && has(said, ...phrases.MONEY) && has(said, 'charg', 'refund', 'doubl')
  const isLockedOut = /\blocked out\b/i.test(text) || (has(said, 'login', 'verif') && phrases.FAILS.test(text))
  return isMoney || isLockedOut || has(said, 'payout', 'crash') ? 'high' : undefined
}

export function priorityOf(said: Said, type: ThemeType): Priority {
  const harm = harmOf(said)
  if (harm) return harm === 'leak' ? 'urgent' : harm
  if (phrases.CALM.test(said.text)) return 'low'
  if (phrases.PRESSING.test(said.text)) return 'high'
  return type === 'bug' || type === 'performance' ? 'medium' : 'low'
}

/** True if the writer wants to sell something instead. One such sign alone proves nothing. */
export const isAdvertising = (text: string) => phrases.SELLS.filter((sign) => sign.test(text)).length >= 2
