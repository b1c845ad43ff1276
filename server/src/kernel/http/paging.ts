import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import './request.ts'

export const PageQuery = {
  page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Which page, from 1.' }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many on a page.' }),
}

export interface Page {
  page: number
  page_size: number
}

export function Paged<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer({ examples: [1] }),
    page: Type.Integer({ examples: [1] }),
    page_size: Type.Integer({ examples: [20] }),
    total_pages: Type.Integer({ examples: [1] }),
  })
}

export const offsetOf = ({ page, page_size }: Page) => (page - 1) * page_size

/** Sets the `Link` header for pagination and returns the envelope of the list. */
export function answerPage<T>(
  req: FastifyRequest<{ Querystring: Page }>,
  reply: FastifyReply,
  { rows, total }: { rows: T[]; total: number },
) {
  const { page, page_size } = req.query
  const totalPages = Math.ceil(total / page_size)
  reply.header('link', linksOf(req.url, req.ctx.baseUrl, { page, page_size }, totalPages))
  return { items: rows, total, page, page_size, total_pages: totalPages }
}

function linksOf(url: string, baseUrl: string, { page, page_size }: Page, totalPages: number): string {
  const [path, query = ''] = url.split('?', 2) as [string, string?]
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !/^page(_size)?=/.test(part))
    .map((part) => `${part.replace(/[<>"\s]/g, encodeURIComponent)}&`)
    .join('')
  const to = (target: number, rel: string) =>
    `<${baseUrl}${path}?${kept}page=${target}&page_size=${page_size}>; rel="${rel}"`
  const last = Math.max(1, totalPages)
  const links = [to(1, 'first')]
  if (page > 1) links.push(to(Math.min(page - 1, last), 'prev'))
  if (page < totalPages) links.push(to(page + 1, 'next'))
  links.push(to(last, 'last'))
  return links.join(', ')
}
