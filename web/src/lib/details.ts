/** What a block of HTML has to do with `<details>`. Markdown in it makes a block of each end. */
export interface Details {
  end: 'opening' | 'closing' | 'both'
  isOpen: boolean
  summary: string
  /** The text between the ends, or after the summary. */
  rest: string
}

const OPENING = /^<details(\s+open(?:=(?:""|"open"))?)?\s*>\s*(?:<summary>(.*?)<\/summary>)?(.*)$/is
const CLOSING = /<\/details>$/i

export function readDetails(html: string): Details | undefined {
  const text = html.trim()
  if (/^<\/details>$/i.test(text)) return { end: 'closing', isOpen: false, summary: '', rest: '' }
  const found = OPENING.exec(text)
  if (!found) return undefined
  const [, open, summary = '', rest = ''] = found
  const end = CLOSING.test(rest) ? 'both' : 'opening'
  return { end, isOpen: open !== undefined, summary: summary.trim(), rest: rest.replace(CLOSING, '').trim() }
}

export function withSummary(html: string, summary: string): string {
  const lower = html.toLowerCase()
  const start = lower.indexOf('<summary>')
  const end = lower.indexOf('</summary>', start)
  if (start < 0 || end < 0) return html
  return `${html.slice(0, start)}<summary>${summary}${html.slice(end)}`
}

/** Deeper ones are shown as the HTML that they are. */
const MOST_NESTED = 8

/** For each block that opens details, the one that closes them. */
export function pairDetails(ends: (Details['end'] | undefined)[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const opened: number[] = []
  for (const [at, end] of ends.entries()) {
    if (end === 'opening') opened.push(at)
    const first = end === 'closing' ? opened.pop() : undefined
    if (first !== undefined && opened.length < MOST_NESTED) pairs.set(first, at)
  }
  return pairs
}
