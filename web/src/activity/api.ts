import * as api from '@slipway/sdk/resources'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'

const PAGE = 50

/** What happened to something, newest first, page by page. */
export const activityQuery = (projectId: string, subjectId: string) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'activity', subjectId],
    queryFn: ({ signal, pageParam: before }) =>
      api.changes(callOf(projectId)).list({ subject_id: subjectId, limit: PAGE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_before ?? undefined,
  })
