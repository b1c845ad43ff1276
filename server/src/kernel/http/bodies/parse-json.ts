import { isAscii, isUtf8, transcode } from 'node:buffer'

/** What a body says, or why it is refused. */
export interface Parsed {
  value?: unknown
  fault?: { detail: string; isTooLarge?: true } | undefined
}

const MAX_NESTING = 200
/** Far more than any batch needs. Later steps take time proportional to the number of values. */
const MAX_VALUES = 100_000

/** A field called `__proto__` is one of the object, as any other name. */
export function parseJson(bytes: Uint8Array): Parsed {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isUtf8(body)) return { fault: { detail: 'The body is not valid UTF-8. Send JSON in UTF-8.' } }
  const fault = structureFault(body)
  if (fault) return { fault }
  try {
    return { value: JSON.parse(textOf(body)) }
  } catch (err) {
    const { message } = err as Error
    return { fault: { detail: `The body is not valid JSON: ${message}. Check commas, quotes and brackets.` } }
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Refuses JSON that nests too deep for the stack or has too many values, before parsing it. */
function structureFault(json: Buffer): Parsed['fault'] {
  const endOfText = textReader(json)
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(at)
    else if (byte === END_OF_LIST || byte === END_OF_OBJECT) depth--
    else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      if (byte !== COMMA && ++depth > MAX_NESTING)
        return { detail: `The body is nested deeper than ${MAX_NESTING} levels.` }
      if (++values > MAX_VALUES) return { detail: `The body has more than ${MAX_VALUES} values.`, isTooLarge: true }
    }
  }
  return undefined
}

/** Finds the end of a string: byte by byte if it is short or full of escapes, in jumps if it is long and plain. */
function textReader(json: Buffer): (start: number) => number {
  const nextQuote = seeker(json, QUOTE)
  const nextEscape = seeker(json, BACKSLASH)
  return (start) => {
    for (let at = start + 1; ; at = Math.min(nextQuote(at), nextEscape(at)))
      for (let jumpAt = at + 256; at < jumpAt; at++) {
        if (json[at] === QUOTE || at >= json.length) return at
        if (json[at] === BACKSLASH) jumpAt = ++at + 256
      }
  }
}

/** Caches the last position, so all searches together read each byte once. */
function seeker(json: Buffer, byte: number): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = json.indexOf(byte, from)
    if (found === -1) found = json.length
    return found
  }
}

/** V8 decodes non-ASCII UTF-8 slowly: 10 MB of Japanese take 200 ms, and 40 ms by way of UTF-16. */
const textOf = (utf8: Buffer) =>
  isAscii(utf8) ? utf8.toString('latin1') : transcode(utf8, 'utf8', 'utf16le').toString('utf16le')
