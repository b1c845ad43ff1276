import { requiredShapes } from './shapes.ts'
import { fold, trigramsOf } from './signature.ts'
import type { Range, Syntax } from './syntax.ts'

/** What a document's signature must have: one bit, all of these, any of these; `true` says nothing. */
export type Condition = true | number | { all: Condition[] } | { any: Condition[] }

/** Beyond these, a pattern is cut into parts that are looked for on their own. */
const MOST_TEXTS = 16
const MOST_TRIGRAMS_OF_A_TEXT = 10

/** What every text that the pattern matches in has. */
export function requiredTrigrams(syntax: Syntax): Condition {
  if (syntax.is === 'choice') return any(syntax.of.map(requiredTrigrams))
  const bound = withLineFeeds(syntax)
  const { texts, condition } = analyse(bound)
  return all([condition, texts ? anyOf(texts) : true, ...requiredShapes(bound).map((keys) => any(keys))])
}

/** What begins with `^` has a line feed before it, what ends with `$` has one behind it. Elsewhere they say nothing. */
function withLineFeeds(syntax: Syntax): Syntax {
  if (syntax.is !== 'sequence') return syntax
  const lineFeed: Syntax = { is: 'text', text: '\n' }
  const last = syntax.of.length - 1
  const isBound = (part: Syntax, at: number) => part.is === 'edge' && at === (part.sign === '^' ? 0 : last)
  return { is: 'sequence', of: syntax.of.map((part, at) => (isBound(part, at) ? lineFeed : part)) }
}

interface Analysis {
  /** All texts that it can match, when they are few; otherwise undefined. */
  texts: Set<string> | undefined
  /** Holds besides. */
  condition: Condition
}

const NOTHING: Analysis = { texts: undefined, condition: true }

function analyse(syntax: Syntax): Analysis {
  switch (syntax.is) {
    case 'text':
      return { texts: new Set([fold(syntax.text)]), condition: true }
    case 'class':
      return { texts: charactersOf(syntax.ranges), condition: true }
    case 'edge':
    case 'condition':
      return { texts: new Set(['']), condition: true }
    case 'sequence':
      return analyseSequence(syntax.of)
    case 'choice':
      return analyseChoice(syntax.of.map(analyse))
    case 'repetition':
      return analyseRepetition(syntax)
  }
}

function analyseSequence(parts: Syntax[]): Analysis {
  const conditions: Condition[] = []
  let texts: Set<string> | undefined = new Set([''])
  let isWhole = true
  for (const part of parts.map(analyse)) {
    conditions.push(part.condition)
    const longer: Set<string> | undefined = texts && part.texts && joined(texts, part.texts)
    if (!longer) {
      isWhole = false
      if (texts) conditions.push(anyOf(texts))
      texts = part.texts ?? new Set([''])
    } else texts = longer
  }
  if (isWhole) return { texts, condition: all(conditions) }
  return { texts: undefined, condition: all([...conditions, texts ? anyOf(texts) : true]) }
}

function analyseChoice(branches: Analysis[]): Analysis {
  const texts = new Set<string>()
  for (const branch of branches) {
    for (const text of branch.texts ?? []) texts.add(text)
    if (!branch.texts || branch.condition !== true || texts.size > MOST_TEXTS)
      return {
        texts: undefined,
        condition: any(branches.map((one) => all([one.condition, one.texts ? anyOf(one.texts) : true]))),
      }
  }
  return { texts, condition: true }
}

function analyseRepetition({ of, min, max }: Extract<Syntax, { is: 'repetition' }>): Analysis {
  const once = analyse(of)
  if (min === 0) {
    const isOptional = max === 1 && once.texts && once.condition === true && once.texts.size < MOST_TEXTS
    return isOptional ? { texts: new Set(['', ...once.texts!]), condition: true } : NOTHING
  }
  if (min === max && min <= 8) return analyseSequence(Array.from({ length: min }, () => of))
  return { texts: undefined, condition: once.texts ? all([once.condition, anyOf(once.texts)]) : once.condition }
}

function charactersOf(ranges: Range[]): Set<string> | undefined {
  const characters = new Set<string>()
  let looked = 0
  for (const [from, to] of ranges)
    for (let point = from; point <= to; point++) {
      if (++looked > 4 * MOST_TEXTS) return undefined
      characters.add(fold(String.fromCodePoint(point)))
    }
  return characters.size <= MOST_TEXTS && characters.size > 0 ? characters : undefined
}

function joined(left: Set<string>, right: Set<string>): Set<string> | undefined {
  const together = new Set<string>()
  if (left.size * right.size > MOST_TEXTS) return undefined
  for (const start of left) for (const end of right) together.add(start + end)
  return together
}

/** That the document has one of the texts. A text of fewer than three units has no trigram and may be anywhere. */
function anyOf(texts: Set<string>): Condition {
  return any([...texts].map((text) => all(spread([...trigramsOf(text)]))))
}

function spread(keys: number[]): number[] {
  const step = Math.max(keys.length / MOST_TRIGRAMS_OF_A_TEXT, 1)
  return Array.from({ length: Math.min(keys.length, MOST_TRIGRAMS_OF_A_TEXT) }, (_, at) => keys[Math.floor(at * step)]!)
}

function all(conditions: Condition[]): Condition {
  const said = conditions.filter((one) => one !== true)
  return said.length === 0 ? true : said.length === 1 ? said[0]! : { all: said }
}

function any(conditions: Condition[]): Condition {
  if (conditions.includes(true) || conditions.length === 0) return true
  return conditions.length === 1 ? conditions[0]! : { any: conditions }
}
