import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Timeline, TimelineItem } from '../../activity/Timeline.tsx'
import { leaving } from '../../lib/delete-with-undo.ts'
import { findDraft, keepDraft } from '../../lib/drafts.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { discardWrite, retryWrite, useWrites, type Write } from '../../lib/outbox/index.ts'
import { useStore } from '../../lib/store.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { UnsavedText } from '../../ui/Unsaved.tsx'
import { commentsQuery } from '../api.ts'
import { describeChange } from '../happenings.tsx'
import type { WorkOrder } from '../work-order.ts'
import { CommentCard } from './CommentCard.tsx'
import type { NewComment as NewCommentInput } from './comments.ts'
import { NewComment } from './NewComment.tsx'

const inputOf = (write: Write) => write.input as NewCommentInput

/** What was done and said about a work order, and the field for a new comment. */
export function Activity({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  /** How often a text was put back into the field of a new comment, which then reads its draft again. */
  const [kept, setKept] = useState(0)
  const { data, isLoading } = useQuery(commentsQuery(projectId, workOrder.id))
  const hidden = useStore(leaving)
  const comments = useMemo(() => data?.filter(({ id }) => !hidden.has(id)), [data, hidden])
  const me = { id: session.user.id, name: session.user.display_name, email: session.user.email }
  const sent = useWrites(workOrder.id).filter(({ kind }) => kind === 'work-orders.comment')
  const keep = (write: Write) => {
    const name = `comment-${workOrder.id}`
    const typed = findDraft(name)?.text
    const { text } = inputOf(write)
    keepDraft(name, typed ? `${typed}\n\n${text}` : text)
    setKept((count) => count + 1)
    discardWrite(write.id)
  }
  return (
    <Timeline
      projectId={projectId}
      subjectId={workOrder.id}
      describe={describeChange}
      comments={comments}
      drawComment={(comment, actor) => (
        <CommentCard
          comment={comment}
          actor={actor}
          workOrder={workOrder}
          projectId={projectId}
          write={sent.find((write) => inputOf(write).temporaryId === comment.id)}
        />
      )}
    >
      {sent
        .filter(({ state }) => state === 'failed')
        .map((write) => (
          <TimelineItem key={write.id}>
            <Avatar person={me} />
            <UnsavedText
              label="Comment"
              text={inputOf(write).text}
              write={write}
              onRetry={() => retryWrite(write.id)}
              onKeep={() => keep(write)}
            />
          </TimelineItem>
        ))}
      {mayWrite && !isLoading && (
        <TimelineItem>
          <Avatar person={me} />
          <NewComment key={kept} workOrder={workOrder} projectId={projectId} me={me} />
        </TimelineItem>
      )}
    </Timeline>
  )
}
