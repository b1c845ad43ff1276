import { malformed } from '../../errors.ts'

export interface Part {
  /** By lowercase name. */
  headers: Map<string, string>
  /** Must be consumed before the next part is requested. */
  body: AsyncGenerator<Buffer, void, void>
}

const MAX_HEADER_BYTES = 16 * 1024
const CR = 0x0d
const LINE_END = Buffer.from('\r\n')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')

export const malformedMultipart = (detail: string) => malformed('malformed_multipart', detail)

/**
 * Streams the parts of a multipart body (RFC 2046, RFC 7578). Holds at most one chunk of the source in memory, plus a
 * possible start of a boundary.
 */
export async function* readParts(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part, void, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const chunks = source[Symbol.asyncIterator]()
  // The first boundary may come at the very start, without a line break before it.
  let buffer: Buffer = LINE_END

  async function more(): Promise<void> {
    const { done, value } = await chunks.next()
    if (done)
      throw malformedMultipart(
        `The body ends before its closing boundary "--${boundary}--". Send the boundary that the header "Content-Type" names.`,
      )
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value])
  }

  async function* untilDelimiter(): AsyncGenerator<Buffer, void, void> {
    for (;;) {
      const at = buffer.indexOf(delimiter)
      const sure = at === -1 ? partialDelimiterAt(buffer, delimiter) : at
      if (sure > 0) {
        const piece = buffer.subarray(0, sure)
        buffer = buffer.subarray(sure)
        yield piece
      }
      if (at !== -1) {
        buffer = buffer.subarray(delimiter.length)
        return
      }
      await more()
    }
  }

  /** Reads what follows a boundary. Returns true if it was the last one; otherwise skips the rest of its line. */
  async function isLast(): Promise<boolean> {
    while (buffer.length < 2) await more()
    if (buffer[0] === 0x2d && buffer[1] === 0x2d) return true
    while (!buffer.includes(LINE_END)) {
      if (buffer.length > 1_000) break
      await more()
    }
    const end = buffer.indexOf(LINE_END)
    if (end === -1 || /[^ \t]/.test(buffer.toString('latin1', 0, end)))
      throw malformedMultipart('A boundary is not followed by a line end.')
    buffer = buffer.subarray(end)
    return false
  }

  async function readHeaders(): Promise<Map<string, string>> {
    let end = buffer.indexOf(END_OF_HEADERS)
    while (end === -1 && buffer.length <= MAX_HEADER_BYTES) {
      await more()
      end = buffer.indexOf(END_OF_HEADERS)
    }
    if (end === -1 || end > MAX_HEADER_BYTES)
      throw malformedMultipart('The headers of a part are too long or never end with an empty line.')
    const text = buffer.toString('utf8', 0, end)
    if (buffer.subarray(0, end).includes(delimiter)) throw malformedMultipart('The headers of a part never end.')
    // Keeps the line break: the boundary of an empty part may start with it.
    buffer = buffer.subarray(end + LINE_END.length)
    return headersOf(text)
  }

  async function* bodyOf(): AsyncGenerator<Buffer, void, void> {
    while (buffer.length < delimiter.length) await more()
    if (!buffer.subarray(0, delimiter.length).equals(delimiter)) buffer = buffer.subarray(LINE_END.length)
    yield* untilDelimiter()
  }

  try {
    for await (const _preamble of untilDelimiter());
    while (!(await isLast())) yield { headers: await readHeaders(), body: bodyOf() }
  } finally {
    // The source is iterated by hand, so no loop closes it. It would keep waiting after the last boundary.
    await chunks.return?.()
  }
}

/**
 * Returns the position of a delimiter that the next chunk may complete, or the length if there is none. Only that part
 * is carried over: joining whole chunks would double the memory. A delimiter contains CR only at its start.
 */
function partialDelimiterAt(buffer: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, buffer.length - delimiter.length + 1)
  const begun = buffer.subarray(from).lastIndexOf(CR)
  if (begun === -1) return buffer.length
  const rest = buffer.subarray(from + begun)
  return rest.equals(delimiter.subarray(0, rest.length)) ? from + begun : buffer.length
}

function headersOf(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    if (line === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw malformedMultipart('A part has a header line without a name.')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** `multipart/form-data; boundary="x y"` → `x y` */
export function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).get('boundary')
  if (boundary === undefined || !/^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary))
    throw malformedMultipart('The header "Content-Type" names no boundary of 1 to 70 characters.')
  return boundary
}

/** Returns the parameters after the first semicolon, by lowercase name. */
export function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name, value] of header.matchAll(/;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s;"]*)/g))
    if (!parameters.has(name!.toLowerCase())) parameters.set(name!.toLowerCase(), unquoted(value!))
  return parameters
}

/** Browsers write a quote as `%22`, others escape it with a backslash. Any other backslash is part of a path. */
function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value
}
