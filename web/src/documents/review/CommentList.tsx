import { useState } from 'react'
import { CommentField } from '../../comments/CommentField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CommentCard } from './CommentCard.tsx'
import css from './CommentList.module.css'
import type { Comments } from './use-comments.ts'

interface Props {
  comments: Comments
  mayWrite: boolean
  /** The one that a link names. */
  first?: string | undefined
  onClose(): void
}

/** All threads of the document, also the resolved ones. */
export function CommentList({ comments, mayWrite, first, onClose }: Props) {
  const [active, setActive] = useState(first)
  const open = comments.threads.filter((one) => !one.is_resolved)
  const resolved = comments.threads.filter((one) => one.is_resolved)
  const list = (threads: typeof open) =>
    threads.map((thread) => (
      <CommentCard
        key={thread.id}
        thread={thread}
        comments={comments}
        isActive={thread.id === active}
        mayWrite={mayWrite}
        quote="here"
        onActivate={() => setActive(thread.id)}
      />
    ))
  return (
    <Dialog label="Comments" width={480} top={72} onClose={onClose}>
      <div className={css.body} data-own-keys>
        <h2>Comments</h2>
        {mayWrite && (
          <CommentField
            draft={`comment-${comments.documentId}`}
            label="New comment"
            placeholder="Comment on this document…"
            autoFocus
            onSend={comments.start}
          />
        )}
        {list(open)}
        {open.length === 0 && <p className={css.none}>No open comments.</p>}
        {resolved.length > 0 && <h3>Resolved</h3>}
        {list(resolved)}
      </div>
    </Dialog>
  )
}
