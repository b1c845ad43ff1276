import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { showToast } from '../../app/toasts.tsx'
import { clientOf } from '../../lib/client.ts'
import { Markdown } from '../../lib/markdown.tsx'
import { remember, remembered } from '../../lib/storage.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconTrash } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { commentsQuery } from '../api.ts'
import type { WorkOrder, WorkOrderComment } from '../work-order.ts'
import css from './Activity.module.css'
import section from './Section.module.css'

export function Activity({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const cache = useQueryClient()
  const query = commentsQuery(projectId, workOrder.id)
  const comments = useQuery(query).data ?? []
  const me = { id: session.user.id, name: session.user.display_name, email: session.user.email }
  const remove = async (comment: WorkOrderComment) => {
    if (!confirm('Delete this comment?')) return
    cache.setQueryData(query.queryKey, (all) => all?.filter(({ id }) => id !== comment.id))
    try {
      await clientOf(projectId).workOrders.deleteComment(workOrder.id, comment.id)
    } catch (err) {
      showToast({ text: 'The comment was not deleted.', detail: (err as Error).message, tone: 'error' })
    }
    void cache.invalidateQueries({ queryKey: query.queryKey })
  }
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
                <span className={section.grow} />
                {(comment.author?.id === me.id || project.role === 'admin') && (
                  <IconButton
                    label="Delete the comment"
                    small
                    className={css.remove}
                    onClick={() => void remove(comment)}
                  >
                    <IconTrash size={14} stroke={1.75} />
                  </IconButton>
                )}
              </div>
              <Markdown text={comment.markdown_content} />
            </div>
          </li>
        ))}
        <li className={css.item}>
          <Avatar person={me} />
          <NewComment workOrder={workOrder} projectId={projectId} />
        </li>
      </ol>
    </section>
  )
}

function NewComment({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const draft = `comment-${workOrder.id}`
  const cache = useQueryClient()
  const [text, setText] = useState(() => remembered(draft) ?? '')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  // A retry sends the same key, so the comment is added once.
  const key = useRef(crypto.randomUUID())
  const change = (value: string) => {
    setText(value)
    remember(draft, value || undefined)
  }
  const send = async () => {
    if (!text.trim() || busy) return
    setBusy(true)
    setFault(undefined)
    try {
      const options = { idempotencyKey: key.current }
      await clientOf(projectId).workOrders.addComment(workOrder.id, { markdown_content: text }, options)
      key.current = crypto.randomUUID()
      change('')
      await cache.invalidateQueries({ queryKey: commentsQuery(projectId, workOrder.id).queryKey })
    } catch (err) {
      setFault((err as Error).message)
    } finally {
      setBusy(false)
    }
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
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send()
        }}
      />
      <div className={css.foot}>
        {fault && (
          <span className={css.fault} role="alert">
            Not sent: {fault}
          </span>
        )}
        <span className={section.grow} />
        <Kbd keys="mod+enter" joined />
        <Button busy={busy} disabled={!text.trim()} onClick={() => void send()}>
          {fault ? 'Retry' : 'Comment'}
        </Button>
      </div>
    </div>
  )
}
