import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../../storage/index.ts'

/**
 * The part of the content that a GET asks for; undefined for all of it. One range is served. Several, other units and
 * what cannot be read as a range are ignored, as RFC 9110 allows, and so is a range of something that was changed since.
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
