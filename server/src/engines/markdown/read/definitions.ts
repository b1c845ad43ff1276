import { type Block, newBlock } from './block.ts'
import { unescapeText } from './entities.ts'

const ESCAPABLE = /[!-/:-@[-`{-~]/

export interface Destination {
  href: string
  to: number
}

/** Labels match regardless of case and kind of whitespace. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase()
}

export const MAX_LABEL = 999

/** Returns the position after the `[label]` that starts at `from`, or -1. */
export function labelEnd(text: string, from: number): number {
  if (text[from] !== '[') return -1
  for (let pos = from + 1; pos < text.length && pos - from <= MAX_LABEL + 1; pos++) {
    if (text[pos] === '\\') pos++
    else if (text[pos] === '[') return -1
    else if (text[pos] === ']') return text.slice(from + 1, pos).trim() === '' ? -1 : pos + 1
  }
  return -1
}

/** A destination with more open parentheses is rejected: a long run of them would take quadratic time. */
const MAX_PARENTHESES = 32

export function readDestination(text: string, from: number): Destination | undefined {
  if (text[from] === '<') {
    for (let pos = from + 1; pos < text.length; pos++) {
      const char = text[pos]!
      if (char === '\\' && ESCAPABLE.test(text[pos + 1] ?? '')) pos++
      else if (char === '>') return { href: unescapeText(text.slice(from + 1, pos)), to: pos + 1 }
      else if (char === '<' || char === '\n') return undefined
    }
    return undefined
  }
  let pos = from
  let open = 0
  for (; pos < text.length; pos++) {
    const char = text[pos]!
    if (char === '\\' && ESCAPABLE.test(text[pos + 1] ?? '')) pos++
    else if (char === '(') {
      if (++open > MAX_PARENTHESES) return undefined
    } else if (char === ')') {
      if (open === 0) break
      open--
    } else if (char <= ' ' || char === '\x7f') break
  }
  return open === 0 ? { href: unescapeText(text.slice(from, pos)), to: pos } : undefined
}

export interface Title {
  title: string
  to: number
}

export function readTitle(text: string, from: number): Title | undefined {
  const close = { '"': '"', "'": "'", '(': ')' }[text[from] ?? '']
  if (!close) return undefined
  for (let pos = from + 1; pos < text.length; pos++) {
    const char = text[pos]
    if (char === '\\') pos++
    else if (char === close) return { title: unescapeText(text.slice(from + 1, pos)), to: pos + 1 }
    else if (char === '(' && close === ')') return undefined
  }
  return undefined
}

/** Skips spaces, tabs and at most one line ending. */
export function skipSpace(text: string, from: number): number {
  let pos = from
  let newlines = 0
  while (pos < text.length) {
    const char = text[pos]
    if (char === '\n') {
      if (++newlines > 1) break
    } else if (char !== ' ' && char !== '\t') break
    pos++
  }
  return pos
}

export interface Definition {
  label: string
  href: string
  title: string
  to: number
}

/** Reads a link reference definition at `from`. `to` is the position after its last line. */
export function readDefinition(text: string, from: number): Definition | undefined {
  const afterLabel = labelEnd(text, from)
  if (afterLabel < 0 || text[afterLabel] !== ':') return undefined
  const start = skipSpace(text, afterLabel + 1)
  const destination = readDestination(text, start)
  if (!destination || destination.to === start) return undefined
  const label = normalizeLabel(text.slice(from + 1, afterLabel - 1))
  const plain = endOfLine(text, destination.to)
  const titleAt = skipSpace(text, destination.to)
  const title = titleAt > destination.to ? readTitle(text, titleAt) : undefined
  const titled = title ? endOfLine(text, title.to) : undefined
  if (title && titled !== undefined) return { label, href: destination.href, title: title.title, to: titled }
  return plain === undefined ? undefined : { label, href: destination.href, title: '', to: plain }
}

function endOfLine(text: string, from: number): number | undefined {
  let pos = from
  while (text[pos] === ' ' || text[pos] === '\t') pos++
  if (pos >= text.length) return pos
  return text[pos] === '\n' ? pos + 1 : undefined
}

/** Removes the link reference definitions at the start of a paragraph, which must be the last child of `parent`. */
export function takeDefinitions(parent: Block, paragraph: Block) {
  if (paragraph.lines[0]?.text[0] !== '[') return
  const text = paragraph.lines.map((line) => line.text).join('\n')
  const { lines } = paragraph
  let pos = 0
  let used = 0
  parent.children.pop()
  while (text[pos] === '[') {
    const definition = readDefinition(text, pos)
    if (!definition) break
    const end = used + lineCount(text, pos, definition.to)
    const block = newBlock('definition', used === 0 ? paragraph.from : lines[used]!.at, 0, paragraph.firstLine + used)
    block.lines = lines.slice(used, end)
    block.to = lines[end - 1]!.at + lines[end - 1]!.text.length
    block.lastLine = paragraph.firstLine + end - 1
    parent.children.push(block)
    pos = definition.to
    used = end
  }
  if (used === lines.length) return
  if (used > 0) {
    paragraph.lines = lines.slice(used)
    paragraph.from = lines[used]!.at
    paragraph.firstLine += used
  }
  parent.children.push(paragraph)
}

function lineCount(text: string, from: number, to: number): number {
  let count = text[to - 1] === '\n' ? 0 : 1
  for (let pos = from; pos < to; pos++) if (text[pos] === '\n') count++
  return count
}
