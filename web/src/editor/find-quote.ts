import type { CommentAnchor } from '@slipway/sdk'
import type { Node } from 'prosemirror-model'

/** The text of a document as quotes have it, with the place of each piece. */
export interface Flat {
  text: string
  pieces: { at: number; pos: number; isText: boolean }[]
}

export function flatten(doc: Node): Flat {
  const pieces: Flat['pieces'] = []
  const parts: string[] = []
  let at = 0
  let isFirst = true
  const add = (part: string, pos: number, isText: boolean) => {
    pieces.push({ at, pos, isText })
    parts.push(part)
    at += part.length
  }
  doc.descendants((node, pos) => {
    if (node.isTextblock) {
      if (!isFirst) add('\n', pos, false)
      isFirst = false
    } else if (node.isText) add(node.text!, pos, true)
    else if (node.isLeaf) add(' ', pos, false)
  })
  return { text: parts.join(''), pieces }
}

function posAt({ pieces }: Flat, at: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (pieces[middle]!.at <= at) low = middle
    else high = middle - 1
  }
  const piece = pieces[low]!
  return piece.isText ? piece.pos + (at - piece.at) : piece.pos
}

function commonEnd(a: string, b: string): number {
  let count = 0
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count++
  return count
}

function commonStart(a: string, b: string): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

/** A long passage is told by its words alone. */
const LONG_QUOTE = 40
const LEAST_AROUND = 6
const LETTER = /[\p{L}\p{N}]/u

/** True if one is part of a longer word there and the other is not. */
const isOtherWord = (before: string, now: string) => before !== '' && LETTER.test(before) !== LETTER.test(now)

export interface Quote {
  from: number
  to: number
  /** How much of what stood around it stands there. */
  score: number
}

/** All places where the words of a passage stand, as words. */
export function quotesIn(flat: Flat, { quote, prefix, suffix }: CommentAnchor): Quote[] {
  const found: Quote[] = []
  if (quote === '') return found
  for (let at = flat.text.indexOf(quote); at >= 0; at = flat.text.indexOf(quote, at + 1)) {
    const end = at + quote.length
    if (isOtherWord(prefix.slice(-1), flat.text.charAt(at - 1)) || isOtherWord(suffix.charAt(0), flat.text.charAt(end)))
      continue
    const score =
      commonEnd(prefix, flat.text.slice(Math.max(0, at - prefix.length), at)) +
      commonStart(suffix, flat.text.slice(end, end + suffix.length))
    found.push({ from: posAt(flat, at), to: posAt(flat, end - 1) + 1, score })
  }
  return found
}

/** What stands around a passage decides between equal ones, and whether a few words that are common are the same at all. */
export function bestOf(found: Quote[], { quote, prefix, suffix }: CommentAnchor): Quote | undefined {
  const least = quote.length >= LONG_QUOTE ? 0 : Math.min(LEAST_AROUND, prefix.length + suffix.length)
  const best = found.reduce<Quote | undefined>(
    (one, other) => (one && one.score >= other.score ? one : other),
    undefined,
  )
  return best && best.score >= least ? best : undefined
}
