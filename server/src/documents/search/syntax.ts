import type { Class, Hir, Look, RRegex } from 'rregex'

/** Code points from the first to the second, both included. */
export type Range = readonly [number, number]

/** A pattern as a tree, cut down to what narrowing needs to know. */
export type Syntax =
  | { is: 'text'; text: string }
  | { is: 'class'; ranges: Range[] }
  /** The start (`^`) or the end of a line; as matching is by line, those of the text are the same. */
  | { is: 'edge'; sign: '^' | '$' }
  /** Matches no character, under a condition that is not looked at. */
  | { is: 'condition' }
  | { is: 'repetition'; of: Syntax; min: number; max: number }
  | { is: 'sequence'; of: Syntax[] }
  | { is: 'choice'; of: Syntax[] }

export interface Pattern {
  syntax: Syntax
  /** Whether `\A`, `\z` or CRLF mode is in it: then a text cannot be tested as a whole, only line by line. */
  isBoundToText: boolean
  /** Whether it asks for a line feed, which no line has. */
  hasLineFeed: boolean
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function readSyntax(regex: RRegex): Pattern {
  const pattern = { isBoundToText: false, hasLineFeed: false }

  function read({ kind }: Hir): Syntax {
    switch (kind['@variant']) {
      case 'Empty':
        return { is: 'text', text: '' }
      case 'Literal': {
        const text = utf8.decode(Uint8Array.from(kind['@values'][0]['@values'][0]))
        if (text.includes('\n')) pattern.hasLineFeed = true
        return { is: 'text', text }
      }
      case 'Class':
        return { is: 'class', ranges: rangesOf(kind['@values'][0]) }
      case 'Look':
        return readLook(kind['@values'][0])
      case 'Repetition': {
        const { sub, min, max } = kind['@values'][0]
        return { is: 'repetition', of: read(sub), min, max: max ?? Number.POSITIVE_INFINITY }
      }
      case 'Capture':
        return read(kind['@values'][0].sub)
      case 'Concat':
        return { is: 'sequence', of: kind['@values'][0].map(read) }
      case 'Alternation':
        return { is: 'choice', of: kind['@values'][0].map(read) }
    }
  }

  function readLook(look: Look): Syntax {
    switch (look['@variant']) {
      case 'StartLF':
        return { is: 'edge', sign: '^' }
      case 'EndLF':
        return { is: 'edge', sign: '$' }
      case 'Start':
        pattern.isBoundToText = true
        return { is: 'edge', sign: '^' }
      case 'End':
        pattern.isBoundToText = true
        return { is: 'edge', sign: '$' }
      case 'StartCRLF':
      case 'EndCRLF':
        pattern.isBoundToText = true
        return { is: 'condition' }
      default:
        return { is: 'condition' }
    }
  }

  return { syntax: read(regex.syntax()), ...pattern }
}

function rangesOf(one: Class): Range[] {
  if (one['@variant'] === 'Unicode')
    return one['@values'][0].ranges.map(({ start, end }) => [start.codePointAt(0)!, end.codePointAt(0)!])
  // Bytes over 127 are parts of characters: any of those might be meant.
  return one['@values'][0].ranges.flatMap(({ start, end }): Range[] => [
    ...(start < 0x80 ? [[start, Math.min(end, 0x7f)] as const] : []),
    ...(end >= 0x80 ? [[0x80, 0x10ffff] as const] : []),
  ])
}
