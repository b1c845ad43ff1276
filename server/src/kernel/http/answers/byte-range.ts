import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../../storage/index.ts'

/**
 * Returns the byte range that a GET requests, or undefined for the whole content. Supports one range. Ignores several
 * ranges, other units and malformed headers, as RFC 9110 allows, and ranges of content that has since changed.
 */
export function rangeOf(req: FastifyRequest, etag: string, size: number): ByteRange | undefined {
  const asked = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(req.headers.range ?? '')
  if (req.method !== 'GET' || !asked || (asked[1] === '' && asked[2] === '')) return undefined
  const onlyIf = req.headers['if-range']
  if (onlyIf !== undefined && onlyIf !== etag) return undefined
  const [first, last] = [asked[1]!, asked[2]!]
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || start > end) throw rangeNotSatisfiable(size)
  return { start, end }
}

const rangeNotSatisfiable = (size: number) =>
  new AppError(
    416,
    'range_not_satisfiable',
    `The content has ${size} bytes; the header "Range" asks for none of them.`,
    {
      headers: { 'content-range': `bytes */${size}` },
    },
  )
