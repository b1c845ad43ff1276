import { splitSentences } from '../../../engines/meaning/sentences.ts'
import { cut, firstCharacters } from '../../../engines/text/characters.ts'
import type { ThemeType } from '../themes/theme.ts'
import * as phrases from './phrases.ts'

const TITLE = 70
/** A clause is only cut if it is longer than this. */
const LONGEST_CLAUSE = 80
const SHORTEST_CLAUSE = 24
const SHORTEST_SENTENCE = 7
const SHORTEST_WISH = 14
const LONGEST_PRAISE = 40

/**
 * Names a matter in a few words: what is wrong or wanted, without who says it and how. A wish says more
 * than the circumstances before it.
 */
export function titleFrom(text: string, typeOf: (sentence: string) => ThemeType): string {
  const plain = text
    .replace(/[*_`#>[\]"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const sentences = splitSentences(plain)
  const telling = sentences.filter((one) => withoutLeadIns(one).length >= SHORTEST_SENTENCE && !isOnlyPraise(one))
  const first = telling[0] ?? sentences[0]!
  const wish = telling.find((one) => withoutLeadIns(one).length >= SHORTEST_WISH && typeOf(one) === 'feature_request')
  const sentence = typeOf(first) === 'other' ? (wish ?? first) : first
  let title = withoutLeadIns(withoutThanks(sentence))
  if (title.length > TITLE) {
    title = title.replace(/\s*\([^)]*\)/g, '')
    const clauses = title.split(phrases.CLAUSE).map((clause) => withoutLeadIns(clause.trim()))
    const long = clauses.filter((clause) => clause.length >= SHORTEST_CLAUSE)
    title = shortened(long.find((clause) => !phrases.WHEN.test(clause)) ?? long[0] ?? title)
  }
  title = withoutThanks(title).replace(phrases.SINCE, '').trim() || cut(plain, TITLE)
  const shown = title.charAt(0).toUpperCase() + title.slice(1)
  const isQuestion = /[?？]\s*$/.test(sentence)
  const isAsked =
    /^(is|are|does|do|will|why|when|what|which|who|where|how)\b/i.test(shown) || sentence.startsWith(title)
  return isQuestion && isAsked ? `${shown}?` : shown
}

const withoutThanks = (text: string) => text.replace(phrases.THANKS_AFTER, '').replace(/[?？]+$/, '')
const isOnlyPraise = (text: string) => text.length < LONGEST_PRAISE && phrases.PRAISE.test(withoutThanks(text))

function withoutLeadIns(text: string): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    for (const leadIn of phrases.LEAD_INS) rest = rest.replace(leadIn, '')
  }
  return rest.length >= 4 ? rest : text
}

/** Ends the text where a part of it ends, not in the middle of a thought. */
function shortened(text: string): string {
  if (text.length <= LONGEST_CLAUSE) return text
  const seams = (seam: RegExp) =>
    [...text.matchAll(seam)].map((one) => one.index).filter((at) => at >= TITLE / 3 && at <= TITLE)
  const end = seams(phrases.JOINT)[0] ?? seams(phrases.SEAM).at(-1) ?? seams(/ /g).at(-1)
  return (end === undefined ? firstCharacters(text, TITLE) : text.slice(0, end)).replace(phrases.DANGLING, '')
}

const listed = (words: readonly string[]) => words.map((word) => `*${word}*`).join(', ')
const scored = (score: number) => `Score ${score.toFixed(2)}.`

/** Why an item is in a theme. It names no theme, so it stays true when the theme is renamed or merged. */
export const joinedBecause = (shared: readonly string[], score: number) =>
  shared.length > 0
    ? `It shares ${listed(shared)} with what is there. ${scored(score)}`
    : `It means much the same as what is there, in other words. ${scored(score)}`

export const openedBecause = (score: number) =>
  score === 0 ? 'Nothing like it was reported before.' : `Nothing near enough was reported before. ${scored(score)}`

/** After a review. */
export const ALONE = 'Nothing else is near enough to it.'
export const UNSORTED = {
  not_feedback: 'It looks like advertising, so no theme was opened for it.',
  not_sorted: 'It names nothing to work on, such as praise or a greeting, so no theme was opened for it.',
}
export const LIKE_SET_ASIDE = 'It is much like what was set aside by hand, so no theme was opened for it.'

export const alikeBecause = (likeness: number) => `Their reports are alike, on average by ${likeness.toFixed(2)}.`
export const UNLIKE = 'Its reports are about different things.'
