import { infiniteQueryOptions } from '@tanstack/react-query'
import { clientOf } from '../lib/client.ts'

const PAGE = 50

/** What happened to something, newest first, page by page. */
export const activityQuery = (projectId: string, subjectId: string) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'activity', subjectId],
    queryFn: ({ signal, pageParam: before }) =>
      clientOf(projectId).changes.list({ subject_id: subjectId, limit: PAGE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_before ?? undefined,
  })
