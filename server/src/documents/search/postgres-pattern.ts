import type { Range, Syntax } from './syntax.ts'

/** PostgreSQL copies what is repeated, so that repetitions inside repetitions multiply. */
const MOST_ATOMS = 400
/** What PostgreSQL allows in braces. */
const MOST_REPEATS = 255
/** A class in more pieces, such as all letters of Unicode, is widened to all that is not ASCII. */
const MOST_RANGES = 64

/** How many parts that may be empty may follow each other. */
const MOST_OPTIONAL = 8

const ANY_CHARACTER: Range[] = [
  [1, 9],
  [11, 0x10ffff],
]

/**
 * The pattern in PostgreSQL's dialect, for a first sieve: it matches in every text that has a matching line, and perhaps
 * in some more. What differs between the dialects is not translated but loosened: letter case is already spelled out in
 * classes, word boundaries are left out, and no class has a line feed, so that no match crosses one.
 */
export function toPostgresPattern(syntax: Syntax): string {
  return `(?n)${translate(syntax, { atoms: MOST_ATOMS })}`
}

function translate(syntax: Syntax, room: { atoms: number }): string {
  switch (syntax.is) {
    case 'text':
      return [...syntax.text].map((character) => atom(character.codePointAt(0)!)).join('')
    case 'class':
      return bracket(syntax.ranges)
    case 'edge':
      return syntax.sign
    case 'condition':
      return ''
    case 'sequence':
      return translateSequence(syntax.of, room)
    case 'choice':
      return `(?:${syntax.of.map((part) => translate(part, room)).join('|')})`
    case 'repetition':
      return repeat(syntax, room)
  }
}

/** Long runs of parts that may all be empty take PostgreSQL long to compile. They are loosened to any number of any of them. */
function translateSequence(parts: Syntax[], room: { atoms: number }): string {
  let pattern = ''
  for (let at = 0; at < parts.length; ) {
    const end = parts.findIndex((part, index) => index >= at && !isOptional(part))
    const run = parts.slice(at, end === -1 ? parts.length : Math.max(end, at + 1))
    const translated = run.map((part) => translate(part, room)).filter((part) => part !== '')
    pattern += translated.length > MOST_OPTIONAL ? `(?:${[...new Set(translated)].join('|')})*` : translated.join('')
    at += run.length
  }
  return pattern
}

function repeat(syntax: Extract<Syntax, { is: 'repetition' }>, room: { atoms: number }): string {
  const size = atomsOf(syntax)
  // What matches no character may be repeated without end; PostgreSQL would refuse to repeat an anchor.
  if (size === 0) return ''
  const { of, min, max } = syntax
  if (max > 1 && isOptional(of)) return `(?:${translate(of, room)})*`
  if (size > room.atoms) return `(?:${translate(of, room)})${min > 0 ? '+' : '*'}`
  room.atoms -= size
  const most = max > MOST_REPEATS ? '' : max
  return `(?:${translate(of, { atoms: size })}){${Math.min(min, MOST_REPEATS)},${most}}`
}

/** Whether what it is translated to can match without any character, wherever it is. */
function isOptional(syntax: Syntax): boolean {
  switch (syntax.is) {
    case 'text':
      return syntax.text === ''
    case 'class':
    case 'edge':
      return false
    case 'condition':
      return true
    case 'sequence':
      return syntax.of.every(isOptional)
    case 'choice':
      return syntax.of.some(isOptional)
    case 'repetition':
      return syntax.min === 0 || isOptional(syntax.of)
  }
}

function atomsOf(syntax: Syntax): number {
  switch (syntax.is) {
    case 'text':
      return syntax.text.length
    case 'class':
      return 1
    case 'edge':
    case 'condition':
      return 0
    case 'repetition':
      return atomsOf(syntax.of) * (syntax.max === Number.POSITIVE_INFINITY ? Math.max(syntax.min, 1) : syntax.max)
    default:
      return syntax.of.reduce((sum, part) => sum + atomsOf(part), 0)
  }
}

function bracket(ranges: Range[]): string {
  const wanted = ranges.length > MOST_RANGES ? widened(ranges) : ranges
  // A text never has a NUL, and a line never a line feed.
  const kept = wanted.flatMap(([from, to]): Range[] => without(10, [Math.max(from, 1), to]))
  return `[${(kept.length > 0 ? kept : ANY_CHARACTER).map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')}]`
}

function widened(ranges: Range[]): Range[] {
  const ascii = ranges.filter(([from]) => from < 0x80).map(([from, to]): Range => [from, Math.min(to, 0x7f)])
  return [...ascii, [0x80, 0x10ffff]]
}

function without(point: number, [from, to]: Range): Range[] {
  if (from > to) return []
  if (point < from || point > to) return [[from, to]]
  return ([[from, point - 1] as const, [point + 1, to] as const] as Range[]).filter(([low, high]) => low <= high)
}

const atom = (point: number) => (point === 0 ? bracket([]) : escaped(point))

function escaped(point: number): string {
  const character = String.fromCodePoint(point)
  if (/[A-Za-z0-9 ]/.test(character)) return character
  const hex = point.toString(16).padStart(point > 0xffff ? 8 : 4, '0')
  return point > 0xffff ? `\\U${hex}` : `\\u${hex}`
}
