import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryOf, readParts } from './multipart-parts.ts'

/** Bytes that boundaries consist of, so partial boundaries are frequent. */
const nearBoundary = fc
  .array(fc.constantFrom('\r', '\n', '-', 'b', '\r\n', '\r\n--', '--b', 'x', '\0'), { maxLength: 40 })
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes('\r\n--b'))

async function* inChunks(bytes: Buffer, sizes: number[]) {
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    yield bytes.subarray(from, from + size)
    from += size
  }
}

async function readAll(source: AsyncIterable<Buffer>) {
  const found: { name: string | undefined; text: string }[] = []
  for await (const part of readParts(source, 'b')) {
    const pieces: Buffer[] = []
    for await (const piece of part.body) pieces.push(piece)
    found.push({ name: part.headers.get('x-name'), text: Buffer.concat(pieces).toString('latin1') })
  }
  return found
}

test('parts are read correctly however they are split into chunks', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(fc.array(nearBoundary, { maxLength: 4 }), nearBoundary, nearBoundary, sizes, async (...given) => {
      const [bodies, preamble, epilogue, chunks] = given
      const parts = bodies.map((body, i) => `--b \r\nX-Name: ${i}\r\nOther:y\r\n\r\n${body}\r\n`)
      // A preamble ends with a line break. Anything may follow the last boundary.
      const before = preamble === '' ? '' : `${preamble}\r\n`
      const bytes = Buffer.from(`${before}${parts.join('')}--b--${epilogue}`, 'latin1')
      const expected = bodies.map((text, i) => ({ name: String(i), text }))
      expect(await readAll(inChunks(bytes, chunks))).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('a body that is truncated anywhere is refused', async () => {
  const whole = Buffer.from('--b\r\nX-Name: 1\r\n\r\nhello\r\n--b\r\nX-Name: 2\r\n\r\n\r\n--b--')
  for (let length = 0; length < whole.length; length++)
    await expect(readAll(inChunks(whole.subarray(0, length), [7])), `cut at ${length}`).rejects.toMatchObject({
      status: 400,
      code: 'malformed_multipart',
    })
  expect(await readAll(inChunks(whole, [7]))).toHaveLength(2)
})

test('the source is closed after the last boundary, after a refusal, and when the reader stops', async () => {
  const closed: string[] = []
  async function* closing(name: string, ...pieces: string[]) {
    try {
      for (const piece of pieces) yield Buffer.from(piece)
    } finally {
      closed.push(name)
    }
  }
  await readAll(closing('read', '--b\r\nX-Name: 1\r\n\r\nhello\r\n--b--', 'never asked for'))
  await expect(readAll(closing('refused', '--b\r\nno header\r\n\r\n', 'more'))).rejects.toThrow('header')
  for await (const _part of readParts(closing('left', '--b\r\nX-Name: 1\r\n\r\nhello', ' world'), 'b')) break
  expect(closed).toEqual(['read', 'refused', 'left'])
})

test('a boundary may be quoted and must be valid', () => {
  expect(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b"')).toBe('a b')
  for (const wrong of ['', 'boundary=', `boundary=${'x'.repeat(71)}`, 'boundary="a "', 'boundary=ä'])
    expect(() => boundaryOf(`multipart/form-data; ${wrong}`)).toThrow('boundary')
})
