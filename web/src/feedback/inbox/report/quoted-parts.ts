export interface Part {
  text: string
  isQuoted: boolean
  /** Where it begins. */
  at: number
}

/** The text in parts, those of the excerpts marked. What is not found word for word is left out. */
export function partsOf(text: string, excerpts: readonly string[]): Part[] {
  const found = excerpts
    .flatMap((excerpt) => {
      const at = excerpt === '' ? -1 : text.indexOf(excerpt)
      return at < 0 ? [] : [{ start: at, end: at + excerpt.length }]
    })
    .sort((a, b) => a.start - b.start)
  const parts: Part[] = []
  let from = 0
  const add = (to: number, isQuoted: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isQuoted, at: from })
    from = Math.max(from, to)
  }
  for (const { start, end } of found) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return parts
}

/** The title is the first line, cut if it is long. What it says in full is not said twice. */
export function withoutTitle(content: string, title: string): string {
  const text = content.trim()
  const [first = ''] = text.split(/\r\n|\r|\n/, 1)
  return first.trim() === title ? text.slice(first.length).trim() : text
}
