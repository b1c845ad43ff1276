/** The part of a document below one heading. */
export interface Section {
  heading: string
  /** Line numbers, from 1. */
  from: number
  to: number
  text: string
}

const HEADING = /^#{1,6}\s(.*)$/
const FENCE = /^\s*(```|~~~)/

/** Splits a document at its headings. Parts without text are left out. */
export function sectionsOf(markdown: string): Section[] {
  const lines = markdown.split('\n')
  const sections: Section[] = []
  let heading = ''
  let start = 0
  let isCode = false
  const close = (end: number) => {
    while (start < end && !lines[start]!.trim()) start++
    while (end > start && !lines[end - 1]!.trim()) end--
    if (end > start) sections.push({ heading, from: start + 1, to: end, text: lines.slice(start, end).join('\n') })
  }
  for (const [index, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode
    const found = isCode ? null : HEADING.exec(line)
    if (!found) continue
    close(index)
    heading = withoutClosing(found[1]!.trim())
    start = index + 1
  }
  close(lines.length)
  return sections
}

/** Without the signs that may stand at the end of a heading. */
function withoutClosing(heading: string): string {
  let end = heading.length
  while (heading[end - 1] === '#') end--
  return heading.slice(0, end).trimEnd()
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? [])

/** The sections of a document, those first that share most words with what is being worked on. */
export function rankSections(markdown: string, about: string): Section[] {
  const wanted = wordsOf(about)
  const score = ({ heading, text }: Section) => {
    const words = wordsOf(`${heading} ${text}`)
    let shared = 0
    for (const word of words) if (wanted.has(word)) shared++
    // Longer sections share more by chance.
    return shared / Math.sqrt(words.size + 8)
  }
  return sectionsOf(markdown)
    .map((section) => ({ section, score: score(section) }))
    .sort((a, b) => b.score - a.score || a.section.from - b.section.from)
    .map(({ section }) => section)
}

export const placeOf = ({ heading, from, to }: Section) =>
  `${heading ? `${heading}, ` : ''}${from === to ? `line ${from}` : `lines ${from}–${to}`}`
