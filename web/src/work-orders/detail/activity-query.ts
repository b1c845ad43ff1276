import { infiniteQueryOptions } from '@tanstack/react-query'
import { clientOf } from '../../lib/client.ts'

const PAGE = 50

/** What happened to a work order, newest first, page by page. */
export const activityQuery = (projectId: string, workOrderId: string) =>
  infiniteQueryOptions({
    // Read again together with the work order.
    queryKey: [projectId, 'work-order', 'activity', workOrderId],
    queryFn: ({ signal, pageParam: before }) =>
      clientOf(projectId).changes.list({ subject_id: workOrderId, limit: PAGE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_before ?? undefined,
  })
