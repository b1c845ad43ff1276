import { shapeKey, shapeOf } from './signature.ts'
import type { Range, Syntax } from './syntax.ts'

/** The shapes that one character may have. */
type Shapes = ReadonlySet<number>
/** Characters that follow each other without a gap. */
type Run = Shapes[]

const MOST_SHAPES = 5
const LONGEST_REPEAT = 6
const MOST_KEYS = 32
const MOST_GROUPS = 6

const GAP: Run[] = [[], []]

/** Groups of keys, of each of which a matching text has at least one. */
export function requiredShapes(syntax: Syntax): number[][] {
  const groups = new Map<string, number[]>()
  for (const run of runsOf(syntax))
    for (let at = 0; at + 2 < run.length; at++) {
      const keys = keysOf(run[at]!, run[at + 1]!, run[at + 2]!)
      if (keys) groups.set(keys.join(), keys)
    }
  return [...groups.values()].sort((left, right) => left.length - right.length).slice(0, MOST_GROUPS)
}

/** Undefined when they are too many to ask for. */
function keysOf(first: Shapes, second: Shapes, third: Shapes): number[] | undefined {
  if (first.size * second.size * third.size > MOST_KEYS) return undefined
  const keys = new Set<number>()
  for (const one of first) for (const two of second) for (const three of third) keys.add(shapeKey(one, two, three))
  return [...keys].sort((left, right) => left - right)
}

/** What is surely there, in order, with gaps between the runs. */
function runsOf(syntax: Syntax): Run[] {
  switch (syntax.is) {
    case 'text':
      return [[...syntax.text].map((character) => new Set([shapeOf(character.codePointAt(0)!)]))]
    case 'class': {
      const shapes = shapesOf(syntax.ranges)
      return shapes ? [[shapes]] : GAP
    }
    case 'edge':
    case 'condition':
      return [[]]
    case 'choice':
      return GAP
    case 'sequence':
      return syntax.of.map(runsOf).reduce(joined, [[]])
    case 'repetition':
      return repeated(runsOf(syntax.of), syntax.min, syntax.max)
  }
}

function repeated(once: Run[], min: number, max: number): Run[] {
  if (min === 0) return GAP
  const [run, ...more] = once
  // The first time begins with the first run, and the last time ends with the last one.
  if (more.length > 0 || run!.length === 0) return run!.length === 0 && more.length === 0 ? [[]] : once
  const times = Math.max(Math.min(min, Math.floor(LONGEST_REPEAT / run!.length)), 1)
  const many = Array.from({ length: times }, () => run!).flat()
  return times === max ? [many] : [many, many]
}

function joined(left: Run[], right: Run[]): Run[] {
  return [...left.slice(0, -1), [...left.at(-1)!, ...right[0]!], ...right.slice(1)]
}

function shapesOf(ranges: Range[]): Shapes | undefined {
  const shapes = new Set<number>()
  for (const [from, to] of ranges) {
    // No line has a line feed.
    for (let point = from; point <= Math.min(to, 0x80); point++) if (point !== 0x0a) shapes.add(shapeOf(point))
    if (to >= 0x80) shapes.add(shapeOf(to))
    if (shapes.size > MOST_SHAPES) return undefined
  }
  return shapes.size > 0 ? shapes : undefined
}
