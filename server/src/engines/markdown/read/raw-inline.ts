import { type Inline, inline } from './inline.ts'

const AUTOLINK = /<([A-Za-z][A-Za-z0-9.+-]{1,31}:[^<>\x00-\x20]*)>/y
const EMAIL =
  /<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>/y
const OPEN_TAG =
  /<[A-Za-z][A-Za-z0-9-]*(?:[\t-\r ]+[a-zA-Z_:][\w:.-]*(?:[\t-\r ]*=[\t-\r ]*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?)*[\t-\r ]*\/?>/y
const CLOSE_TAG = /<\/[A-Za-z][A-Za-z0-9-]*\s*>/y

/** Remembers where searches for an end failed, so a run of unclosed starts takes linear time. */
export interface FailedSearches {
  ends: Map<string, number>
  backticks: Map<number, number[]> | undefined
}

export function noFailures(): FailedSearches {
  return { ends: new Map(), backticks: undefined }
}

function searchEnd(text: string, end: string, from: number, failed: FailedSearches): number {
  if ((failed.ends.get(end) ?? Number.POSITIVE_INFINITY) <= from) return -1
  const at = text.indexOf(end, from)
  if (at < 0) failed.ends.set(end, from)
  return at
}

export function readAngle(text: string, from: number, failed: FailedSearches): Inline | undefined {
  for (const [pattern, prefix] of [
    [AUTOLINK, ''],
    [EMAIL, 'mailto:'],
  ] as const) {
    pattern.lastIndex = from
    const found = pattern.exec(text)
    if (!found) continue
    const address = found[1]!
    return inline('autolink', from, pattern.lastIndex, { text: address, href: prefix + address, style: 'autolink' })
  }
  const to = tagEnd(text, from, failed)
  return to < 0 ? undefined : inline('html', from, to, { text: text.slice(from, to) })
}

function tagEnd(text: string, from: number, failed: FailedSearches): number {
  for (const pattern of [OPEN_TAG, CLOSE_TAG]) {
    pattern.lastIndex = from
    if (pattern.test(text)) return pattern.lastIndex
  }
  if (text.startsWith('<!-->', from)) return from + 5
  if (text.startsWith('<!--->', from)) return from + 6
  const closed = (start: string, end: string) => {
    if (!text.startsWith(start, from)) return -1
    const at = searchEnd(text, end, from + start.length, failed)
    return at < 0 ? -1 : at + end.length
  }
  const found = Math.max(closed('<!--', '-->'), closed('<?', '?>'), closed('<![CDATA[', ']]>'))
  if (found > 0) return found
  return /[A-Za-z]/.test(text[from + 2] ?? '') ? closed('<!', '>') : -1
}

export interface Backticks {
  length: number
  /** The position after the closing run, or -1 if there is none. */
  to: number
}

export function readBackticks(text: string, from: number, failed: FailedSearches): Backticks {
  let end = from
  while (text[end] === '`') end++
  const length = end - from
  failed.backticks ??= backtickRuns(text)
  const close = firstAtOrAfter(failed.backticks.get(length) ?? [], end)
  return { length, to: close < 0 ? -1 : close + length }
}

/** Returns the positions of all backtick runs, by length. */
export function backtickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (let at = text.indexOf('`'); at >= 0; ) {
    let end = at
    while (text[end] === '`') end++
    const known = runs.get(end - at)
    if (known) known.push(at)
    else runs.set(end - at, [at])
    at = text.indexOf('`', end)
  }
  return runs
}

export function firstAtOrAfter(sorted: number[], from: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < from) low = middle + 1
    else high = middle
  }
  return sorted[low] ?? -1
}

export function codeSpan(text: string, from: number, run: Backticks, inTable: boolean): Inline {
  let content = text.slice(from + run.length, run.to - run.length).replaceAll('\n', ' ')
  if (inTable) content = content.replaceAll('\\|', '|')
  if (content.startsWith(' ') && content.endsWith(' ') && /[^ ]/.test(content)) content = content.slice(1, -1)
  return inline('code', from, run.to, {
    text: content,
    innerFrom: from + run.length,
    innerTo: run.to - run.length,
  })
}
