import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { newId } from '../../lib/ids.ts'
import { Markdown } from '../../lib/markdown.tsx'
import { discardWrite, retryWrite, useWrites } from '../../lib/outbox/index.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconTrash } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { UnsavedText } from '../../ui/Unsaved.tsx'
import { Waits } from '../../ui/Waits.tsx'
import { commentsQuery } from '../api.ts'
import { addComment, type NewComment, removeComment } from '../comments.ts'
import type { WorkOrder, WorkOrderComment } from '../work-order.ts'
import css from './Activity.module.css'
import section from './Section.module.css'

export function Activity({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const comments = useQuery(commentsQuery(projectId, workOrder.id)).data ?? []
  const me = { id: session.user.id, name: session.user.display_name, email: session.user.email }
  const sent = useWrites(workOrder.id).filter(({ kind }) => kind === 'work-orders.comment')
  const writeOf = ({ id }: WorkOrderComment) => sent.find((write) => (write.input as NewComment).temporaryId === id)
  const about = { id: workOrder.id, number: workOrder.work_order_number }
  const remove = (comment: WorkOrderComment) => {
    if (confirm('Delete this comment?')) void removeComment(projectId, { ...about, comment })
  }
  const failed = sent.filter(({ state }) => state === 'failed')
  const send = (text: string) =>
    void addComment(projectId, { ...about, text, author: me, temporaryId: newId(), at: new Date().toISOString() })
  return (
    <section aria-label="Activity">
      <h2 className={section.head}>
        Activity
        <span className={section.grow} />
        <span className={section.badge}>Comments {comments.length}</span>
      </h2>
      <ol className={css.list}>
        {comments.map((comment) => (
          <li key={comment.id} className={css.item}>
            <Avatar person={comment.author} />
            <div className={css.card}>
              <div className={css.head}>
                <strong>{comment.author?.name ?? 'Someone who left'}</strong>
                <time dateTime={comment.created_at} title={fullTimeOf(comment.created_at)}>
                  {momentOf(comment.created_at)}
                </time>
                <Waits write={writeOf(comment)}>Waiting to send</Waits>
                <span className={section.grow} />
                {(comment.author?.id === me.id || project.role === 'admin') && (
                  <IconButton label="Delete the comment" small className={css.remove} onClick={() => remove(comment)}>
                    <IconTrash size={14} stroke={1.75} />
                  </IconButton>
                )}
              </div>
              <Markdown text={comment.markdown_content} />
            </div>
          </li>
        ))}
        {failed.map((write) => (
          <li key={write.id} className={css.item}>
            <Avatar person={me} />
            <UnsavedText
              label="Comment"
              text={(write.input as NewComment).text}
              write={write}
              onRetry={() => retryWrite(write.id)}
              onKeep={() => {
                remember(`comment-${workOrder.id}`, (write.input as NewComment).text)
                discardWrite(write.id)
              }}
            />
          </li>
        ))}
        <li className={css.item}>
          <Avatar person={me} />
          <CommentField draft={`comment-${workOrder.id}`} onSend={send} />
        </li>
      </ol>
    </section>
  )
}

function CommentField({ draft, onSend }: { draft: string; onSend(text: string): void }) {
  const [text, setText] = useState(() => remembered(draft) ?? '')
  const change = (value: string) => {
    setText(value)
    remember(draft, value || undefined)
  }
  const send = () => {
    if (!text.trim()) return
    onSend(text)
    change('')
  }
  return (
    <div className={css.card}>
      <textarea
        className={css.field}
        rows={2}
        aria-label="Comment"
        placeholder="Write a comment…"
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
        }}
      />
      <div className={css.foot}>
        <span className={section.grow} />
        <Kbd keys="mod+enter" joined />
        <Button disabled={!text.trim()} onClick={send}>
          Comment
        </Button>
      </div>
    </div>
  )
}
