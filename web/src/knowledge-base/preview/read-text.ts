import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'
import type { Row } from '../artifact.ts'

export const MOST_BYTES = 512 * 1024

/** The beginning of a file as text. Null if it is not text. Its key has the time, because content can be replaced. */
export const fileTextQuery = (projectId: string, { id, updated_at, size_bytes }: Row) =>
  queryOptions({
    queryKey: [projectId, 'artifact-content', id, updated_at],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      // There is no range of nothing.
      if (size_bytes === 0) return ''
      const range = `bytes=0-${MOST_BYTES - 1}`
      const { response } = await api.artifacts(callOf(projectId)).download(id, { signal, range })
      const text = new TextDecoder().decode(await response.arrayBuffer())
      return text.includes('\0') ? null : text
    },
  })
