/** A part of a text that can be read on its own. Lines are counted from 1. */
export interface Section {
  from: number
  to: number
  text: string
}

/** A section without a heading inside is divided at an empty line after this many lines. */
const LONG_LINES = 40
const HEADING = /^ {0,3}#{1,6}(\s|$)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Divides markdown at its headings, and long parts at empty lines. Code blocks stay whole. */
export function* sectionsOf(markdown: string): Generator<Section> {
  const lines = markdown.split('\n')
  let start = 0
  let fence: string | undefined
  for (let at = 0; at <= lines.length; at++) {
    const line = lines[at]
    const marker = line === undefined ? undefined : FENCE.exec(line)?.[1]
    const isBreak =
      fence === undefined &&
      (line === undefined || HEADING.test(line) || (line.trim() === '' && at - start >= LONG_LINES))
    if (isBreak || line === undefined) {
      const section = trimmed(lines, start, at)
      if (section) yield section
      start = at
    }
    if (marker && fence === undefined) fence = marker
    else if (marker && fence && marker[0] === fence[0] && marker.length >= fence.length) fence = undefined
  }
}

/** Without the empty lines around it. Undefined if there are no others. */
function trimmed(lines: string[], start: number, end: number): Section | undefined {
  let [from, to] = [start, end]
  while (from < to && lines[from]!.trim() === '') from++
  while (to > from && lines[to - 1]!.trim() === '') to--
  return from === to ? undefined : { from: from + 1, to, text: lines.slice(from, to).join('\n') }
}

const CHARACTERS_PER_TOKEN = 4

/** An estimate that suits most models: four ASCII characters a token, and a token for every other character. */
export function tokensIn(text: string): number {
  const others = text.length - text.replace(/[^\0-\x7f]/g, '').length
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN) + others
}

/** The different words of a text, without those of one or two characters. A final "s" does not count. */
export const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]{3,}/gu)
      ?.map((word) => word.replace(/s$/, '')),
  )
