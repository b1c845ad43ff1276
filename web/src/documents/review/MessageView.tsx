import type { AnchoredThread } from '@slipway/sdk'
import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Comment } from '../../comments/Comment.tsx'
import { CommentField } from '../../comments/CommentField.tsx'
import { type Authored, actorOf, doorOf } from '../author.ts'
import css from './CommentCard.module.css'
import type { Comments, Message } from './use-comments.ts'

interface Props {
  message: Message
  by: Authored
  thread: AnchoredThread
  comments: Comments
  mayWrite: boolean
  /** What stands at the end of the first line. */
  children?: ReactNode
}

/** One comment. Its author edits and deletes it, and an admin deletes it. */
export function MessageView({ message, by, thread, comments, mayWrite, children }: Props) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [isEditing, setEditing] = useState(false)
  const isOwn = mayWrite && message.created_by_id === session.user.id
  const mayDelete = isOwn || (mayWrite && project.role === 'admin')
  return (
    <div className={css.message}>
      <Comment
        actor={actorOf(by)}
        door={doorOf(by)}
        at={message.created_at}
        isEdited={message.is_edited}
        text={message.message}
        onEdit={isOwn ? () => setEditing(true) : undefined}
        onDelete={mayDelete ? () => comments.remove(thread, message) : undefined}
        editing={
          isEditing && (
            <CommentField
              draft={`edit-${message.id}`}
              label="Edit the comment"
              placeholder="Comment…"
              initial={message.message}
              autoFocus
              onSend={async (text) => {
                const done = await comments.edit(thread, message, text)
                if (done) setEditing(false)
                return done
              }}
              onCancel={() => setEditing(false)}
            />
          )
        }
      >
        {children}
      </Comment>
    </div>
  )
}
