import type { Options } from './operation.ts'

interface NumberedPage {
  items: unknown[]
  page: number
  total_pages: number
}

interface CursorPage {
  items: unknown[]
  next_cursor: string | null
}

type List<Q, P> = (query: Q, options?: Options) => Promise<P>

const PAGE_SIZE = 100

/** Reads a list page by page: `for await (const page of pages(client.workOrders.list, { status: ['ready'] }))`. */
export async function* pages<Q extends object, P extends NumberedPage | CursorPage>(
  list: List<Q, P>,
  query?: NoInfer<Q>,
  options?: Options,
): AsyncGenerator<P> {
  let wanted = { page_size: PAGE_SIZE, ...query } as Q
  for (;;) {
    const page = await list(wanted, options)
    yield page
    const next = nextOf(page)
    if (!next) return
    wanted = { ...wanted, ...next }
  }
}

/** Reads the items of a list, page by page. */
export async function* items<Q extends object, T>(
  list: List<Q, (NumberedPage | CursorPage) & { items: T[] }>,
  query?: NoInfer<Q>,
  options?: Options,
): AsyncGenerator<T, void, undefined> {
  for await (const page of pages(list, query, options)) for (const item of page.items) yield item as Awaited<T>
}

function nextOf(page: NumberedPage | CursorPage) {
  if ('next_cursor' in page) return page.next_cursor === null ? undefined : { cursor: page.next_cursor }
  return page.page < page.total_pages ? { page: page.page + 1 } : undefined
}
