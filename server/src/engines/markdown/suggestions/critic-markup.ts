export type ChangeKind = 'insertion' | 'deletion'

/** A tracked change as written in the markdown: `{++text++}` or `{--text--}`. */
export interface Change {
  kind: ChangeKind
  text: string
  from: number
  to: number
  textFrom: number
  textTo: number
}

const MARKS = { insertion: { open: '{++', close: '++}' }, deletion: { open: '{--', close: '--}' } }
const MARK = 3

/** Cheap, and never wrong in saying no. */
export const mayHaveChanges = (markdown: string) =>
  markdown.includes(MARKS.insertion.open) || markdown.includes(MARKS.deletion.open)

export function isEscaped(source: string, at: number): boolean {
  let backslashes = 0
  while (source[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/**
 * Finds everything that has the form of a change, in any context. The text of a change contains neither its own closer
 * nor its own opener: if two openers precede a closer, the inner one counts, so a stray `{++` in prose hides nothing.
 */
export function candidates(source: string): Change[] {
  const found = [...candidatesOf(source, 'insertion'), ...candidatesOf(source, 'deletion')]
  return found.sort((a, b) => a.from - b.from)
}

function candidatesOf(source: string, kind: ChangeKind): Change[] {
  const { open, close } = MARKS[kind]
  const found: Change[] = []
  let from = nextOpener(source, open, 0)
  let textTo = -1
  while (from >= 0) {
    const textFrom = from + MARK
    if (textTo < textFrom) textTo = source.indexOf(close, textFrom)
    if (textTo < 0) break
    let inner = nextOpener(source, open, textFrom)
    if (inner >= 0 && inner + MARK <= textTo) {
      from = inner
      continue
    }
    if (textTo > textFrom) {
      found.push({ kind, text: source.slice(textFrom, textTo), from, to: textTo + MARK, textFrom, textTo })
      if (inner >= 0 && inner < textTo + MARK) inner = nextOpener(source, open, textTo + MARK)
    }
    from = inner
  }
  return found
}

function nextOpener(source: string, open: string, from: number): number {
  let at = source.indexOf(open, from)
  while (at >= 0 && isEscaped(source, at)) at = source.indexOf(open, at + 1)
  return at
}

/**
 * Marks a text as changed. A text that contains the opener or closer of its own kind is split inside that marker into
 * several adjacent changes: `a++}b` becomes `{++a+++}{+++}b++}`.
 */
export function markUp(kind: ChangeKind, text: string): string {
  const { open, close } = MARKS[kind]
  return partsOf(kind, text)
    .map((part) => open + part + close)
    .join('')
}

/** Returns the texts of the changes that `markUp` writes. */
export function partsOf(kind: ChangeKind, text: string): string[] {
  if (text === '') return []
  const { open, close } = MARKS[kind]
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (!text.startsWith(open, at) && !text.startsWith(close, at)) continue
    parts.push(text.slice(start, at + 1))
    start = at + 1
  }
  parts.push(text.slice(start))
  return parts
}
