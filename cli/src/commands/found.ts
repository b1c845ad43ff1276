export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The first so many of a list, or all of it. */
export async function take<T>(list: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) {
    if (found.length >= limit) break
    found.push(one)
  }
  return found
}
