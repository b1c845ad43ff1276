import { parseMarkdown } from '../rich/parse.ts'
import { findChanges, resolveChanges } from './changes.ts'
import { type Change, markUp } from './critic-markup.ts'

export interface Settling {
  source: string
  /** The positions of the changes among all pending ones, in order. */
  places: number[]
  verdict: 'accept' | 'reject'
  /** What was shown of each of them when it was decided. Undefined if that is not known: then all of it. */
  shown?: (string | undefined)[] | undefined
}

export type SettleOutcome =
  | { outcome: 'settled'; source: string; rests: Rest[] }
  /** The change has become another one since. */
  | { outcome: 'changed'; place: number }

/** What was added to a change after it was shown. It stays pending. */
export interface Rest extends Pick<Change, 'kind' | 'text'> {
  place: number
}

/** Accepts or rejects what was shown of these changes. */
export function settleChanges({ source, places, verdict, shown = [] }: Settling): SettleOutcome {
  const found = findChanges(source)
  const rests: Rest[] = []
  const parts: string[] = []
  /** The changes of the divided text, and whether each is decided. */
  const expected: { text: string; isDecided: boolean }[] = []
  let pos = 0
  for (const [place, change] of found.entries()) {
    const index = places.indexOf(place)
    const split = index < 0 ? undefined : divide(change.text, shown[index])
    if (split === 'changed') return { outcome: 'changed', place }
    const pieces = split ?? [{ text: change.text, isDecided: index >= 0 }]
    const isDivided = pieces.length > 1
    const written = isDivided
      ? pieces.map(({ text }) => markUp(change.kind, text))
      : [source.slice(change.from, change.to)]
    parts.push(source.slice(pos, change.from), ...written)
    pos = change.to
    expected.push(...pieces)
    if (index >= 0)
      for (const { text, isDecided } of pieces) if (!isDecided) rests.push({ kind: change.kind, text, place })
  }
  const divided = parts.join('') + source.slice(pos)
  const now = rests.length > 0 ? findChanges(divided) : found
  const isRead = now.length === expected.length && now.every(({ text }, at) => text === expected[at]!.text)
  if (!isRead) return { outcome: 'changed', place: rests[0]!.place }
  const decided = now.filter((_, at) => expected[at]!.isDecided)
  return { outcome: 'settled', source: resolveChanges(divided, decided, verdict), rests }
}

/** What was shown and what is there now share their start and their end. What stands between was typed since. */
function divide(
  now: string,
  shown: string | undefined,
): { text: string; isDecided: boolean }[] | 'changed' | undefined {
  if (shown === undefined || isSameText(now, shown)) return undefined
  if (plainOf(now) !== now.trim()) return 'changed'
  const most = Math.min(now.length, shown.length)
  let start = 0
  while (start < most && now[start] === shown[start]) start++
  let end = 0
  while (end < most - start && now.at(-1 - end) === shown.at(-1 - end)) end++
  if (2 * (start + end) < shown.length) return 'changed'
  const pieces = [
    { text: now.slice(0, start), isDecided: true },
    { text: now.slice(start, now.length - end), isDecided: false },
    { text: now.slice(now.length - end), isDecided: true },
  ]
  return pieces.filter(({ text }) => text !== '')
}

const plainOf = (markdown: string) => parseMarkdown(markdown).doc.textContent

/** Editors show a text without its formatting, and line breaks as they like. */
const isSameText = (now: string, shown: string) =>
  now === shown || [now, plainOf(now)].some((text) => withoutSpaces(text) === withoutSpaces(shown))

const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '')
