import type { Change } from '@slipway/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useLeaving } from '../../lib/delete-with-undo.ts'
import { findDraft, keepDraft } from '../../lib/drafts.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { discardWrite, retryWrite, useWrites } from '../../lib/outbox/index.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { Avatar } from '../../people/Avatar.tsx'
import { useActorName } from '../../people/actor-name.ts'
import { IconChevronDown } from '../../ui/icons.ts'
import { UnsavedText } from '../../ui/Unsaved.tsx'
import { commentsQuery } from '../api.ts'
import type { WorkOrder } from '../work-order.ts'
import css from './Activity.module.css'
import { entriesOf } from './activity.ts'
import { activityQuery } from './activity-query.ts'
import { CommentCard } from './CommentCard.tsx'
import type { NewComment as NewCommentInput } from './comments.ts'
import { describeChange } from './happenings.tsx'
import { NewComment } from './NewComment.tsx'
import section from './Section.module.css'

/** More than this many are folded, but for the first and the last few. */
const MOST_SHOWN = 14
const LAST_SHOWN = 10

/** What people, agents and keys did and said, in one line of time. */
export function Activity({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const [onlyComments, setOnlyComments] = useState(false)
  const [isUnfolded, setIsUnfolded] = useState(false)
  /** How often a text was put back into the field of a new comment, which then reads its draft again. */
  const [kept, setKept] = useState(0)
  const { data: comments, isLoading: isReadingComments } = useQuery(commentsQuery(projectId, workOrder.id))
  const { data, isLoading, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    activityQuery(projectId, workOrder.id),
  )
  const leaving = useLeaving()
  const entries = useMemo(() => {
    const changes = data?.pages.flatMap(({ items }) => items) ?? []
    const said = (comments ?? []).filter(({ id }) => !leaving.has(id))
    const all = entriesOf(said, changes, !hasNextPage || onlyComments)
    return onlyComments ? all.filter(({ kind }) => kind === 'comment') : all
  }, [comments, leaving, data, hasNextPage, onlyComments])
  const isFolded = !isUnfolded && entries.length > MOST_SHOWN
  const hidden = isFolded ? entries.slice(1, -LAST_SHOWN) : []
  const me = { id: session.user.id, name: session.user.display_name, email: session.user.email }
  const sent = useWrites(workOrder.id).filter(({ kind }) => kind === 'work-orders.comment')
  const failed = sent.filter(({ state }) => state === 'failed')
  const writeOf = (id: string) => sent.find((write) => (write.input as NewCommentInput).temporaryId === id)
  const part = (name: string, value: boolean) => (
    <button
      type="button"
      aria-pressed={onlyComments === value}
      className={cx(css.part, onlyComments === value && css.current)}
      onClick={() => setOnlyComments(value)}
    >
      {name}
    </button>
  )
  const said = hidden.filter(({ kind }) => kind === 'comment').length
  return (
    <section aria-label="Activity">
      <h2 className={section.head}>
        Activity
        <span className={section.grow} />
        <span className={css.parts}>
          {part('All', false)}
          {part(`Comments ${comments?.length ?? ''}`, true)}
        </span>
      </h2>
      <ol className={css.list}>
        {hasNextPage && !onlyComments && (
          <li className={css.more}>
            <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              <IconChevronDown size={14} stroke={1.75} /> Show earlier activity
            </button>
          </li>
        )}
        {entries.map((entry, index) =>
          hidden.includes(entry) ? (
            index === 1 && (
              <li key="hidden" className={css.more}>
                <button type="button" onClick={() => setIsUnfolded(true)}>
                  <IconChevronDown size={14} stroke={1.75} />
                  {said === hidden.length
                    ? `${said} earlier comments`
                    : `${hidden.length} earlier${said > 0 ? `, ${said} of them comments` : ''}`}
                </button>
              </li>
            )
          ) : (
            <li key={entry.id} className={entry.kind === 'comment' ? css.item : css.line}>
              {entry.kind === 'comment' ? (
                <CommentCard entry={entry} workOrder={workOrder} projectId={projectId} write={writeOf(entry.id)} />
              ) : (
                <Happening change={entry.change} />
              )}
            </li>
          ),
        )}
        {failed.map((write) => (
          <li key={write.id} className={css.item}>
            <Avatar person={me} />
            <UnsavedText
              label="Comment"
              text={(write.input as NewCommentInput).text}
              write={write}
              onRetry={() => retryWrite(write.id)}
              onKeep={() => {
                const name = `comment-${workOrder.id}`
                const typed = findDraft(name)?.text
                const { text } = write.input as NewCommentInput
                keepDraft(name, typed ? `${typed}\n\n${text}` : text)
                setKept((count) => count + 1)
                discardWrite(write.id)
              }}
            />
          </li>
        ))}
        {/* Otherwise it would move away from under the pointer when what stands above it arrives. */}
        {mayWrite && !isLoading && !isReadingComments && (
          <li className={css.item}>
            <Avatar person={me} />
            <NewComment key={kept} workOrder={workOrder} projectId={projectId} me={me} />
          </li>
        )}
      </ol>
    </section>
  )
}

function Happening({ change }: { change: Change }) {
  const { name, behalf } = useActorName(change.actor)
  return (
    <>
      <ActorMark actor={change.actor} />
      <p>
        <strong title={behalf && `for ${behalf}`}>{name}</strong> {describeChange(change)}
        <time dateTime={change.created_at} title={fullTimeOf(change.created_at)}>
          {momentOf(change.created_at)}
        </time>
      </p>
    </>
  )
}
