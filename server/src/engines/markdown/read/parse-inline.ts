import {
  type Destination,
  labelEnd,
  MAX_LABEL,
  normalizeLabel,
  readDestination,
  readTitle,
  skipSpace,
} from './definitions.ts'
import { appendRun, buildTree, cutRuns, pairRuns, type Run, type RunList, readRun, type Token } from './delimiters.ts'
import { decodeEntity } from './entities.ts'
import { type Inline, type InlineContext, inline, type LinkStyle } from './inline.ts'
import { linkAddresses } from './literal-addresses.ts'
import { codeSpan, type FailedSearches, noFailures, readAngle, readBackticks } from './raw-inline.ts'

interface Bracket {
  token: number
  image: boolean
  at: number
  runBefore: Run | undefined
  /** True if the text contains a bracket, so it cannot be a label. */
  hasBracketInside: boolean
}

interface Scan {
  text: string
  context: InlineContext
  tokens: Token[]
  runs: RunList
  brackets: Bracket[]
  /** Brackets below this index can no longer open a link, because links do not nest. */
  linkFloor: number
  failed: FailedSearches
  change: number
}

const PLAIN = /[^\\`*_~[\]!<&\n{]+/y
const ENTITY = /&(?:#[xX][0-9a-fA-F]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/y
const ESCAPABLE = /[!-/:-@[-`{-~]/

/**
 * Runs the inline phase of CommonMark with GFM strikethrough and addresses, footnotes and tracked changes. Every node
 * has its offsets.
 */
export function parseInline(text: string, context: InlineContext): Inline[] {
  const scan: Scan = {
    text,
    context,
    tokens: [],
    runs: { first: undefined, last: undefined },
    brackets: [],
    linkFloor: 0,
    failed: noFailures(),
    change: 0,
  }
  for (let pos = 0; pos < text.length; ) pos = step(scan, pos)
  pairRuns(scan.runs, undefined)
  const tree = buildTree(text, scan.tokens)
  return tree ? linkAddresses(tree) : [inline('tooDeep', 0, text.length, { text })]
}

function step(scan: Scan, pos: number): number {
  const { text } = scan
  switch (text[pos]) {
    case '\\':
      return escaped(scan, pos)
    case '`': {
      const run = readBackticks(text, pos, scan.failed)
      if (run.to < 0) return addText(scan, pos, pos + run.length)
      return addAtom(scan, codeSpan(text, pos, run, scan.context.inTable))
    }
    case '*':
    case '_':
    case '~': {
      const run = readRun(text, pos)
      scan.tokens.push(run)
      appendRun(scan.runs, run)
      return run.right
    }
    case '[':
      return openBracket(scan, pos, false)
    case '!':
      return text[pos + 1] === '[' ? openBracket(scan, pos, true) : addText(scan, pos, pos + 1)
    case ']':
      return closeBracket(scan, pos)
    case '<': {
      const found = readAngle(text, pos, scan.failed)
      return found ? addAtom(scan, found) : addText(scan, pos, pos + 1)
    }
    case '&': {
      ENTITY.lastIndex = pos
      const entity = ENTITY.exec(text)?.[0]
      const said = entity ? decodeEntity(entity) : ''
      if (!entity || said === entity) return addText(scan, pos, pos + 1)
      return addAtom(scan, inline('text', pos, pos + entity.length, { text: said }))
    }
    case '\n':
      return lineBreak(scan, pos)
    case '{':
      return trackedChange(scan, pos)
    default:
      PLAIN.lastIndex = pos
      PLAIN.test(text)
      return addText(scan, pos, PLAIN.lastIndex)
  }
}

function addText(scan: Scan, from: number, to: number): number {
  return addAtom(scan, inline('text', from, to, { text: scan.text.slice(from, to) }))
}

function addAtom(scan: Scan, node: Inline): number {
  scan.tokens.push({ kind: 'atom', node })
  return node.to
}

function escaped(scan: Scan, pos: number): number {
  const next = scan.text[pos + 1]
  if (next === '\n') return addAtom(scan, inline('hard', pos, pos + 2, { text: '\\' }))
  if (next === undefined || !ESCAPABLE.test(next)) return addText(scan, pos, pos + 1)
  return addAtom(scan, inline('text', pos, pos + 2, { text: next }))
}

function lineBreak(scan: Scan, pos: number): number {
  const last = scan.tokens.at(-1)
  let from = pos
  if (last?.kind === 'atom' && last.node.kind === 'text' && last.node.to === pos) {
    while (from > last.node.from && scan.text[from - 1] === ' ') from--
    const tabs = last.node.text.length - (pos - from)
    last.node.text = last.node.text.slice(0, tabs)
    last.node.to = from
    last.node.innerTo = from
    if (last.node.text === '') scan.tokens.pop()
  }
  return addAtom(scan, inline(pos - from >= 2 ? 'hard' : 'soft', from, pos + 1, { text: pos - from >= 2 ? '  ' : '' }))
}

function trackedChange(scan: Scan, pos: number): number {
  const { changes } = scan.context
  while (changes[scan.change] && changes[scan.change]!.from < pos) scan.change++
  const change = changes[scan.change]
  if (change?.from !== pos) return addText(scan, pos, pos + 1)
  const node = inline(change.kind, pos, change.to, { innerFrom: pos + 3, innerTo: change.to - 3, label: change.id })
  node.children = parseInline(scan.text.slice(node.innerFrom, node.innerTo), { ...scan.context, changes: [] })
  shift(node.children, node.innerFrom)
  return addAtom(scan, node)
}

function shift(nodes: Inline[], by: number) {
  for (const node of nodes) {
    node.from += by
    node.to += by
    node.innerFrom += by
    node.innerTo += by
    shift(node.children, by)
  }
}

function openBracket(scan: Scan, pos: number, image: boolean): number {
  const around = scan.brackets.at(-1)
  if (around) around.hasBracketInside = true
  scan.brackets.push({
    token: scan.tokens.length,
    image,
    at: pos,
    runBefore: scan.runs.last,
    hasBracketInside: false,
  })
  return addText(scan, pos, pos + (image ? 2 : 1))
}

function closeBracket(scan: Scan, pos: number): number {
  const bracket = scan.brackets.pop()
  const height = scan.brackets.length
  const inactive = bracket && !bracket.image && height < scan.linkFloor
  scan.linkFloor = Math.min(scan.linkFloor, height)
  if (!bracket) return addText(scan, pos, pos + 1)
  const footnote = inactive ? undefined : footnoteAt(scan, bracket, pos)
  if (footnote) {
    scan.tokens.length = bracket.token
    cutRuns(scan.runs, bracket.runBefore)
    if (bracket.image) addText(scan, bracket.at, bracket.at + 1)
    return addAtom(scan, footnote)
  }
  const target = inactive ? undefined : linkTarget(scan, bracket, pos)
  if (!target) return addText(scan, pos, pos + 1)
  pairRuns(scan.runs, bracket.runBefore)
  const node = inline(bracket.image ? 'image' : 'link', bracket.at, target.to, {
    innerFrom: bracket.at + (bracket.image ? 2 : 1),
    innerTo: pos,
    href: target.href,
    title: target.title,
    style: target.style,
    label: target.label,
  })
  scan.tokens[bracket.token] = { kind: 'open', node }
  scan.tokens.push({ kind: 'close' })
  if (!bracket.image) scan.linkFloor = height
  return target.to
}

function footnoteAt(scan: Scan, bracket: Bracket, pos: number): Inline | undefined {
  const from = bracket.at + (bracket.image ? 1 : 0)
  const label = scan.text.slice(from + 2, pos)
  if (scan.text[from + 1] !== '^' || !scan.context.footnotes.has(label)) return undefined
  return inline('footnote', from, pos + 1, { text: label })
}

interface Target {
  href: string
  title: string
  to: number
  style: LinkStyle
  label: string
}

function linkTarget(scan: Scan, bracket: Bracket, close: number): Target | undefined {
  const { text } = scan
  const own = text[close + 1] === '(' ? inlineTarget(text, close + 2) : undefined
  if (own) return own
  const { references } = scan.context
  if (references.size === 0) return undefined
  const written = labelEnd(text, close + 1)
  const textFrom = bracket.at + (bracket.image ? 2 : 1)
  if (written > 0) {
    const label = text.slice(close + 2, written - 1)
    const found = references.get(normalizeLabel(label))
    return found && { href: found.href, title: found.title, to: written, style: 'full', label }
  }
  if (bracket.hasBracketInside || close - textFrom > MAX_LABEL) return undefined
  const label = text.slice(textFrom, close)
  const found = label.trim() === '' ? undefined : references.get(normalizeLabel(label))
  if (!found) return undefined
  const collapsed = text.startsWith('[]', close + 1)
  const style = collapsed ? 'collapsed' : 'shortcut'
  return { href: found.href, title: found.title, to: close + (collapsed ? 3 : 1), style, label }
}

function inlineTarget(text: string, from: number): Target | undefined {
  const start = skipSpace(text, from)
  const destination: Destination | undefined =
    text[start] === ')' ? { href: '', to: start } : readDestination(text, start)
  if (!destination) return undefined
  const titleAt = skipSpace(text, destination.to)
  const title = titleAt > destination.to ? readTitle(text, titleAt) : undefined
  const end = title ? skipSpace(text, title.to) : titleAt
  if (text[end] !== ')') return undefined
  return { href: destination.href, title: title?.title ?? '', to: end + 1, style: 'inline', label: '' }
}
