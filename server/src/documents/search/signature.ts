import { placesOf } from './signature-format.ts'

/** Trigrams are known by this many bits, of which a signature uses the lower ones. */
const KEY_BITS = 20
/** The row must fit into a page of PostgreSQL. A fuller signature is still right, it only says less. */
const MOST_SIGNATURE_BITS = 2 ** 15
const FEWEST_SIGNATURE_BITS = 2 ** 10
/** More bits are fewer false alarms: with these, a trigram that is not there seems to be in 1 of 7 to 20. */
const BITS_PER_TRIGRAM = 4

/**
 * Upper and lower case are one, as far as single units of UTF-16 allow. It need not be right for every script: what a
 * pattern asks for and what a document has go through the same table.
 */
const folded = Uint16Array.from({ length: 0x10000 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  for (const form of [character.toUpperCase().toLowerCase(), character.toLowerCase()])
    if (form.length === 1) return form.charCodeAt(0)
  return unit
})

export function fold(text: string): string {
  return Array.from({ length: text.length }, (_, at) => String.fromCharCode(folded[text.charCodeAt(at)]!)).join('')
}

const LINE_FEED = 0x0a
const DIGIT = 0x30
const LETTER = 0x61
const BLANK = 0x20
const BEYOND_ASCII = 0x80

/** What a character looks like: patterns such as `\d{4}-\d\d` ask for a shape rather than for a text. */
export function shapeOf(point: number): number {
  if (point >= 0x80) return BEYOND_ASCII
  if (point >= 0x30 && point <= 0x39) return DIGIT
  if ((point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a)) return LETTER
  return point <= 0x20 && point !== LINE_FEED ? BLANK : point
}

export function trigramKey(first: number, second: number, third: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) & (2 ** KEY_BITS - 1)
}

/** Shapes lie beyond the units of UTF-16, so that they are not taken for characters. */
export const shapeKey = (first: number, second: number, third: number) =>
  trigramKey(first + 0x10000, second + 0x10000, third + 0x10000)

/** The trigrams of a text that is folded already. */
export function trigramsOf(text: string): Set<number> {
  const keys = new Set<number>()
  for (let at = 0; at + 2 < text.length; at++)
    keys.add(trigramKey(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)))
  return keys
}

const isSeen = new Uint8Array(2 ** KEY_BITS)

/** All that a text has, each once. The table of what was seen is kept clean between calls: it is too large to make anew. */
function keysOf(text: string): number[] {
  const keys: number[] = []
  const add = (key: number) => {
    if (isSeen[key] === 1) return
    isSeen[key] = 1
    keys.push(key)
  }
  let [second, third] = [0, 0]
  let [secondShape, thirdShape] = [BLANK, BLANK]
  let characters = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const unit = folded[code]!
    if (at >= 2) add(trigramKey(second, third, unit))
    second = third
    third = unit
    // The second half of a pair: the character was counted with the first.
    if (code >= 0xdc00 && code <= 0xdfff) continue
    const shape = shapeOf(code)
    if (++characters > 2) add(shapeKey(secondShape, thirdShape, shape))
    secondShape = thirdShape
    thirdShape = shape
  }
  for (const key of keys) isSeen[key] = 0
  return keys
}

/**
 * The set of a text's trigrams as bits; a power of two of them, so that a key's lower bits say where it stands.
 * Every line has a line feed before and behind it, for patterns that are bound to the edges of a line.
 */
export function signatureOf(text: string): Uint8Array {
  const keys = keysOf(`\n${text}${text.endsWith('\n') ? '' : '\n'}`)
  let bits = FEWEST_SIGNATURE_BITS
  while (bits < keys.length * BITS_PER_TRIGRAM && bits < MOST_SIGNATURE_BITS) bits *= 2
  const signature = new Uint8Array(bits / 8)
  for (const key of keys)
    for (const place of placesOf(key)) {
      const bit = place & (bits - 1)
      signature[bit >> 3] = signature[bit >> 3]! | (1 << (bit & 7))
    }
  return signature
}
