export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  return (await first(list, Number.POSITIVE_INFINITY)).found
}

/** The first so many of a list, and whether there are more. */
export async function first<T>(list: AsyncIterable<T>, limit: number): Promise<{ found: T[]; hasMore: boolean }> {
  const found: T[] = []
  for await (const one of list) {
    if (found.length >= limit) return { found, hasMore: true }
    found.push(one)
  }
  return { found, hasMore: false }
}
