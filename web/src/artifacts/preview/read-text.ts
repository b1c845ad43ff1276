import { queryOptions } from '@tanstack/react-query'
import type { ShownFile } from './file.ts'

export const MOST_BYTES = 512 * 1024

/** The beginning of a file as text. Null if it is not text. */
export const fileTextQuery = ({ address, sizeBytes, read }: ShownFile) =>
  queryOptions({
    queryKey: ['file-text', address],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      // There is no range of nothing.
      if (sizeBytes === 0) return ''
      const { response } = await read({ signal, range: `bytes=0-${MOST_BYTES - 1}` })
      const text = new TextDecoder().decode(await response.arrayBuffer())
      return text.includes('\0') ? null : text
    },
  })
